"""All SQL about the shares that processes have of a credential's slots."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.library.calls.fair_share import NOTHING, Claim
from edison.library.calls.models import LaneShare
from edison.workspace.credentials.models import Credential


class LaneShares:
    def __init__(self, session: AsyncSession, credential_id: UUID) -> None:
        self._session = session
        self._credential_id = credential_id

    async def lock(self) -> bool:
        """Keep all others from changing their shares until the transaction ends. False when the
        credential is gone.
        """
        found = await self._session.scalar(
            select(Credential.id)
            .where(Credential.id == self._credential_id)
            # The weaker lock, which lets others refer to the credential.
            .with_for_update(key_share=True)
        )
        return found is not None

    async def list_claims(self) -> Mapping[UUID, Claim]:
        found = await self._session.execute(
            select(LaneShare.process_id, LaneShare.slots, LaneShare.wanted, LaneShare.turn).where(
                LaneShare.credential_id == self._credential_id
            )
        )
        return {
            process_id: Claim(slots=slots, wanted=wanted, turn=turn)
            for process_id, slots, wanted, turn in found
        }

    async def save(self, process_id: UUID, claim: Claim) -> None:
        """Violates a foreign key when the process was removed. A claim to nothing leaves no row."""
        if claim == NOTHING:
            await self._remove(process_id)
            return
        new = {"slots": claim.slots, "wanted": claim.wanted, "turn": claim.turn}
        statement = upsert.insert(self._session, LaneShare).values(
            credential_id=self._credential_id, process_id=process_id, **new
        )
        await self._session.execute(
            statement.on_conflict_do_update(
                index_elements=["credential_id", "process_id"], set_=new
            )
        )

    async def _remove(self, process_id: UUID) -> None:
        await self._session.execute(
            delete(LaneShare).where(
                LaneShare.credential_id == self._credential_id,
                LaneShare.process_id == process_id,
            )
        )
