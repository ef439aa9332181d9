"""Queries of second factors and recovery codes."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.kit import clock, ids
from edison.workspace.accounts.models import RecoveryCode, SecondFactor


class SecondFactors:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def find(self, user_id: UUID) -> SecondFactor | None:
        return await self._session.get(SecondFactor, user_id, populate_existing=True)

    async def replace(self, user_id: UUID, sealed_secret: str) -> None:
        values = {"sealed_secret": sealed_secret, "last_step": None, "created_at": clock.now()}
        await self._session.execute(
            upsert.insert(self._session, SecondFactor)
            .values(user_id=user_id, **values)
            .on_conflict_do_update(index_elements=["user_id"], set_=values)
        )

    async def use_step(self, user_id: UUID, step: int) -> bool:
        """False for a used code; True for exactly one of any concurrent callers."""
        used = await self._session.scalar(
            update(SecondFactor)
            .where(
                SecondFactor.user_id == user_id,
                or_(SecondFactor.last_step.is_(None), SecondFactor.last_step < step),
            )
            .values(last_step=step)
            .returning(SecondFactor.user_id)
        )
        return used is not None

    async def use_recovery_code(self, user_id: UUID, digest: str) -> bool:
        """True for exactly one of any concurrent callers."""
        used = await self._session.scalar(
            update(RecoveryCode)
            .where(
                RecoveryCode.user_id == user_id,
                RecoveryCode.digest == digest,
                RecoveryCode.used_at.is_(None),
            )
            .values(used_at=clock.now())
            .returning(RecoveryCode.id)
        )
        return used is not None

    async def replace_recovery_codes(self, user_id: UUID, digests: Sequence[str]) -> None:
        await self._remove_recovery_codes(user_id)
        self._session.add_all(
            RecoveryCode(id=ids.new_id(), user_id=user_id, digest=digest) for digest in digests
        )

    async def count_recovery_codes(self, user_id: UUID) -> int:
        left = await self._session.scalar(
            select(func.count()).where(
                RecoveryCode.user_id == user_id, RecoveryCode.used_at.is_(None)
            )
        )
        return left or 0

    async def remove(self, user_id: UUID) -> None:
        await self._remove_recovery_codes(user_id)
        await self._session.execute(delete(SecondFactor).where(SecondFactor.user_id == user_id))

    async def _remove_recovery_codes(self, user_id: UUID) -> None:
        await self._session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))
