"""All SQL about cells that are wanted once more."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.pipeline.generate.path.question import CacheMode
from edison.pipeline.score.scorer import UNREADABLE
from edison.runs.engine.models import Output, Run, Score
from edison.runs.engine.repository.comparisons import Comparisons


class Again:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def mark_failed(self, run_id: UUID) -> Sequence[int]:
        """Have every failed cell made again; the positions of their cases."""
        return await self._mark(Output.run_id == run_id, Output.status == "error")

    async def forget_unreadable(self, run_id: UUID) -> Sequence[int]:
        """Remove the scores that could not be had, so that they are asked for again, anew and not
        from the cache; the positions of their cases.
        """
        found = (
            await self._session.execute(
                select(Score.id, Output.case_position)
                .join(Output, Output.id == Score.output_id)
                .where(
                    Score.run_id == run_id,
                    Score.flag.in_(sorted(UNREADABLE)),
                    Output.is_wanted_again.is_(False),
                )
            )
        ).all()
        ids = [score_id for score_id, _ in found]
        for start in range(0, len(ids), 500):
            await self._session.execute(
                delete(Score)
                .where(Score.id.in_(ids[start : start + 500]))
                .execution_options(synchronize_session=False)
            )
        if ids:
            await self._session.execute(
                update(Run)
                .where(Run.id == run_id)
                .values(cache_mode=CacheMode.BYPASS)
                .execution_options(synchronize_session=False)
            )
        return sorted({position for _, position in found})

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
