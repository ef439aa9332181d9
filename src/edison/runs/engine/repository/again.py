"""All SQL about cells that are wanted once more."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.runs.engine.models import Output, Score
from edison.runs.engine.repository.comparisons import Comparisons


class Again:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def mark_failed(self, run_id: UUID) -> Sequence[int]:
        """Have every failed cell made again; the positions of their cases."""
        return await self._mark(Output.run_id == run_id, Output.status == "error")

    async def mark(self, output_id: UUID) -> Sequence[int]:
        """Have one cell made again. Its scores and comparisons go, its answer stays until there is
        a new one.
        """
        return await self._mark(Output.id == output_id)

    async def _mark(self, *conditions: Any) -> Sequence[int]:
        marked = (
            await self._session.execute(
                update(Output)
                .where(*conditions, Output.is_wanted_again.is_(False))
                .values(is_wanted_again=True)
                .returning(Output.id, Output.case_position)
                .execution_options(synchronize_session=False)
            )
        ).all()
        ids = [output_id for output_id, _ in marked]
        for start in range(0, len(ids), 500):
            some = ids[start : start + 500]
            await self._session.execute(
                delete(Score)
                .where(Score.output_id.in_(some))
                .execution_options(synchronize_session=False)
            )
            await Comparisons(self._session).remove_of(some)
        return sorted({position for _, position in marked})

    async def count_wanted(self, run_id: UUID) -> int:
        found = await self._session.scalar(
            select(func.count()).where(Output.run_id == run_id, Output.is_wanted_again)
        )
        return int(found or 0)
