"""All SQL about human scores."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.kit import clock, ids
from edison.runs.scoring.models import HumanScore
from edison.workspace.accounts.models import User


class HumanScores:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_output(
        self, output_id: UUID
    ) -> Sequence[tuple[HumanScore, str | None, str | None]]:
        """Scores with the email and name of their authors, oldest first."""
        found = await self._session.execute(
            select(HumanScore, User.email, User.name)
            .outerjoin(User, User.id == HumanScore.user_id)
            .where(HumanScore.output_id == output_id)
            .order_by(HumanScore.id)
            .execution_options(populate_existing=True)
        )
        return [(score, email, name) for score, email, name in found]

    async def find(self, output_id: UUID, user_id: UUID) -> HumanScore | None:
        return await self._session.scalar(
            select(HumanScore)
            .where(HumanScore.output_id == output_id, HumanScore.user_id == user_id)
            .execution_options(populate_existing=True)
        )

    async def save(self, output_id: UUID, user_id: UUID, values: dict[str, Any]) -> None:
        """Replaces the person's earlier score."""
        now = clock.now()
        changed = {**values, "updated_at": now}
        await self._session.execute(
            upsert.insert(self._session, HumanScore)
            .values(
                id=ids.new_id(), output_id=output_id, user_id=user_id, created_at=now, **changed
            )
            .on_conflict_do_update(index_elements=["output_id", "user_id"], set_=changed)
        )

    async def remove(self, output_id: UUID, user_id: UUID) -> bool:
        removed = await self._session.scalar(
            delete(HumanScore)
            .where(HumanScore.output_id == output_id, HumanScore.user_id == user_id)
            .returning(HumanScore.id)
            .execution_options(synchronize_session=False)
        )
        return removed is not None

    async def remove_of_output(self, output_id: UUID) -> Sequence[HumanScore]:
        """Deletes and returns the scores."""
        removed = await self._session.scalars(
            delete(HumanScore)
            .where(HumanScore.output_id == output_id)
            .returning(HumanScore)
            .execution_options(synchronize_session=False)
        )
        return removed.all()

    async def mean(self, output_id: UUID) -> float | None:
        """The mean of the scores that have a value."""
        found: float | None = await self._session.scalar(
            select(func.avg(HumanScore.value)).where(HumanScore.output_id == output_id)
        )
        return found
