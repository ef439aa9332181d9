"""All SQL about looks at held-out cases."""

from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.upsert import insert
from edison.loops.experiments.models import HoldoutLook


class HoldoutLooks:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def find_of(self, iteration_id: UUID) -> HoldoutLook | None:
        return await self._session.scalar(
            select(HoldoutLook).where(HoldoutLook.iteration_id == iteration_id)
        )

    async def count(self, project_id: UUID, digest: str) -> int:
        """Looks at the held-out cases with this digest, by all experiments of the project."""
        found = await self._session.scalar(
            select(func.max(HoldoutLook.number)).where(
                HoldoutLook.project_id == project_id, HoldoutLook.digest == digest
            )
        )
        return found or 0

    async def add(self, values: dict[str, Any]) -> HoldoutLook | None:
        """None if another look took the number."""
        return await self._session.scalar(
            insert(self._session, HoldoutLook)
            .values(values)
            .on_conflict_do_nothing()
            .returning(HoldoutLook)
        )
