"""All SQL about identities at providers."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.kit import clock, ids
from edison.workspace.accounts.models import ExternalIdentity, User


class Identities:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def find_user(self, *, issuer: str, subject: str) -> User | None:
        return await self._session.scalar(
            select(User)
            .join(ExternalIdentity, ExternalIdentity.user_id == User.id)
            .where(ExternalIdentity.issuer == issuer, ExternalIdentity.subject == subject)
        )

    async def link(self, user_id: UUID, *, issuer: str, subject: str) -> None:
        """Does nothing when it is linked already: the same person may have clicked twice."""
        await self._session.execute(
            upsert.insert(self._session, ExternalIdentity)
            .values(
                id=ids.new_id(),
                user_id=user_id,
                issuer=issuer,
                subject=subject,
                created_at=clock.now(),
            )
            .on_conflict_do_nothing(index_elements=["issuer", "subject"])
        )
