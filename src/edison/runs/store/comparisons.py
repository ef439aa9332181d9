"""All SQL about comparers and comparisons."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple, cast
from uuid import UUID

from sqlalchemy import Table, delete, func, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from edison.api.pagination import PageRequest, Slice, Sorting, paginate
from edison.db import upsert
from edison.db.prepared import PreparedEntities
from edison.pipeline.generate.path.question import Answer
from edison.runs.store.models import Comparison, Output, RunComparer
from edison.runs.store.repository import parts_of_run
from edison.runs.store.rows import comparison_row, restore_answers
from edison.runs.store.types import NewComparison

_COMPARISONS = cast(Table, Comparison.__table__)
_COMPARERS = PreparedEntities(RunComparer, lambda _: parts_of_run(RunComparer))
_SORTING = Sorting(columns={"number": Comparison.number}, default="number", id=Comparison.id)

# Comparer, case, repeat, variant a, variant b.
Place = tuple[int, int, int, int, int]


class Verdicts(NamedTuple):
    """The verdicts on a pair. The field order is the column order of the query."""

    comparer: int
    case_position: int
    repeat: int
    variant_a: int
    variant_b: int
    preference: str | None
    verdict_ab: str | None
    verdict_ba: str | None


class Comparisons:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add_comparers(self, rows: Sequence[dict[str, Any]]) -> None:
        if rows:
            await self._session.execute(insert(RunComparer), rows)

    async def list_comparers(self, run_id: UUID) -> Sequence[RunComparer]:
        return await _COMPARERS.fetch(self._session, of_run=run_id)

    async def list_places(self, run_id: UUID, first: int, end: int) -> set[Place]:
        """The pairs already compared in a range of cases."""
        found = await self._session.execute(
            select(
                Comparison.comparer_position,
                Comparison.case_position,
                Comparison.repeat,
                Comparison.variant_a,
                Comparison.variant_b,
            ).where(*_of_cases(run_id, first, end))
        )
        return {(comparer, case, repeat, a, b) for comparer, case, repeat, a, b in found}

    async def list_answers(self, run_id: UUID, first: int, end: int) -> dict[str, Answer]:
        """The judges' answers behind the comparisons in a range of cases, by digest."""
        found = await self._session.scalars(
            select(Comparison.answers).where(*_of_cases(run_id, first, end))
        )
        return restore_answers(found)

    async def list_answered(self, output_ids: Collection[UUID]) -> dict[UUID, datetime]:
        """When these outputs were answered, without outputs marked for retry."""
        found = await self._session.execute(
            select(Output.id, Output.created_at).where(
                Output.id.in_(output_ids), Output.is_wanted_again.is_(False)
            )
        )
        return {output_id: answered_at for output_id, answered_at in found}

    async def add(self, numbered: Sequence[tuple[int, NewComparison]]) -> set[UUID]:
        """Returns the ids of the stored comparisons; existing comparisons stay unchanged."""
        if not numbered:
            return set()
        rows = [comparison_row(new, number=number) for number, new in numbered]
        statement = upsert.insert(self._session, _COMPARISONS).on_conflict_do_nothing()
        added = await self._session.execute(statement.returning(_COMPARISONS.c.id), rows)
        return set(added.scalars())

    async def remove_of(self, output_ids: Collection[UUID]) -> None:
        """Deletes all comparisons that involve one of these outputs."""
        await self._session.execute(
            delete(Comparison)
            .where(
                or_(Comparison.output_a_id.in_(output_ids), Comparison.output_b_id.in_(output_ids))
            )
            .execution_options(synchronize_session=False)
        )

    async def list_verdicts(self, run_id: UUID) -> list[Verdicts]:
        """All pairs with a preference, without the rationales."""
        found = await self._session.execute(
            select(
                Comparison.comparer_position,
                Comparison.case_position,
                Comparison.repeat,
                Comparison.variant_a,
                Comparison.variant_b,
                Comparison.preference,
                Comparison.verdict_ab,
                Comparison.verdict_ba,
            )
            .where(Comparison.run_id == run_id, Comparison.preference.is_not(None))
            .order_by(
                Comparison.case_position,
                Comparison.repeat,
                Comparison.comparer_position,
                Comparison.variant_a,
                Comparison.variant_b,
            )
        )
        return [Verdicts(*row) for row in found]

    async def count(self, run_id: UUID) -> int:
        found = await self._session.scalar(
            select(func.count()).select_from(Comparison).where(Comparison.run_id == run_id)
        )
        return int(found or 0)

    async def list_after(self, run_id: UUID, after: int, upto: int) -> Sequence[Comparison]:
        """Comparisons in the order of their numbers, for event streams."""
        found = await self._session.scalars(
            select(Comparison)
            .where(
                Comparison.run_id == run_id, Comparison.number > after, Comparison.number <= upto
            )
            .options(defer(Comparison.answers), defer(Comparison.orders))
            .order_by(Comparison.number)
        )
        return found.all()

    async def page(
        self, run_id: UUID, *, case_position: int | None, page: PageRequest
    ) -> Slice[Comparison]:
        statement = (
            select(Comparison).where(Comparison.run_id == run_id).options(defer(Comparison.answers))
        )
        if case_position is not None:
            statement = statement.where(Comparison.case_position == case_position)
        return await paginate(self._session, statement, page=page, sorting=_SORTING)


def _of_cases(run_id: UUID, first: int, end: int) -> list[Any]:
    return [
        Comparison.run_id == run_id,
        Comparison.case_position >= first,
        Comparison.case_position < end,
    ]
