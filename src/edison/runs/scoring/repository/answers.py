"""All SQL that reads the results of a queue."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.runs.scoring.models import (
    AnnotationItem,
    AnnotationQueue,
    AnnotationSeat,
    AnnotationSkip,
    HumanScore,
)
from edison.runs.store.models import Output, Run, RunCase, RunVariant
from edison.workspace.accounts.models import User


class GivenScore(NamedTuple):
    """One person's score of an item, with its run and variant."""

    item_id: UUID
    user_id: UUID | None
    email: str | None
    name: str | None
    answer: int | None
    criteria: dict[str, int] | None
    value: float | None
    run_id: UUID
    run_name: str
    variant_position: int
    variant: str


_SCORE = (
    AnnotationItem.id,
    HumanScore.user_id,
    User.email,
    User.name,
    HumanScore.answer,
    HumanScore.criteria,
    HumanScore.value,
    Run.id,
    Run.name,
    Output.variant_position,
    RunVariant.label,
)
# Additional columns of the export.
_TEXTS = (
    AnnotationItem.position,
    HumanScore.comment,
    HumanScore.updated_at,
    RunCase.position,
    RunCase.inputs,
    RunCase.expected,
    Output.text,
)


class Answers:
    def __init__(self, session: AsyncSession, queue_id: UUID) -> None:
        self._session = session
        self._queue_id = queue_id

    async def list_scores(self) -> Sequence[GivenScore]:
        found = await self._session.execute(self._statement(*_SCORE))
        return [GivenScore(*row) for row in found]

    async def stream(
        self, *, at_once: int
    ) -> AsyncGenerator[Sequence[tuple[GivenScore, Any]], None]:
        """Scores with their texts, in batches of `at_once`."""
        rows = await self._session.stream(
            self._statement(*_SCORE, *_TEXTS).execution_options(yield_per=at_once)
        )
        width = len(_SCORE)
        async for some in rows.partitions():
            yield [(GivenScore(*row[:width]), row[width:]) for row in some]

    async def count_skips(self) -> Sequence[tuple[str, int]]:
        found = await self._session.execute(
            select(AnnotationSkip.reason, func.count())
            .join(AnnotationItem, AnnotationItem.id == AnnotationSkip.item_id)
            .where(AnnotationItem.queue_id == self._queue_id)
            .group_by(AnnotationSkip.reason)
            .order_by(func.count().desc(), AnnotationSkip.reason)
        )
        return [(reason, number) for reason, number in found]

    def _statement(self, *columns: Any) -> Select[*tuple[Any, ...]]:
        """Scores given in this queue, including those changed later with the same question."""
        return (
            select(*columns)
            .select_from(AnnotationItem)
            .join(AnnotationQueue, AnnotationQueue.id == AnnotationItem.queue_id)
            .join(
                AnnotationSeat,
                (AnnotationSeat.item_id == AnnotationItem.id) & AnnotationSeat.is_scored,
            )
            .join(
                HumanScore,
                (HumanScore.output_id == AnnotationItem.output_id)
                & (HumanScore.user_id == AnnotationSeat.user_id)
                & (HumanScore.question == AnnotationQueue.question),
            )
            .join(Output, Output.id == AnnotationItem.output_id)
            .join(Run, Run.id == Output.run_id)
            .join(
                RunVariant,
                (RunVariant.run_id == Output.run_id)
                & (RunVariant.position == Output.variant_position),
            )
            .join(
                RunCase,
                (RunCase.run_id == Output.run_id) & (RunCase.position == Output.case_position),
            )
            .outerjoin(User, User.id == HumanScore.user_id)
            .where(AnnotationItem.queue_id == self._queue_id)
            .order_by(AnnotationItem.position, AnnotationSeat.number)
        )
