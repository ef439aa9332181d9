"""All SQL that stores outputs and scores. Statements are plain ones on tables: here every
microsecond counts thousands of times.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast
from uuid import UUID

from sqlalchemy import Table, bindparam, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.runs.engine.models import EMPTY_TALLY, Output, Run, RunVariant, Score, SentPrompt

_OUTPUTS = cast(Table, Output.__table__)
_SCORES = cast(Table, Score.__table__)
_VARIANTS = cast(Table, RunVariant.__table__)
_SENT = cast(Table, SentPrompt.__table__)
_RUNS = cast(Table, Run.__table__)
TALLIED = tuple(EMPTY_TALLY)


class Standing(NamedTuple):
    """How far a run is, in the order in which it is read."""

    state: str
    cell_count: int
    scorer_count: int
    done_count: int
    error_count: int
    score_count: int
    comparison_total: int
    comparison_count: int


_STANDING = tuple(_RUNS.c[name] for name in Standing._fields)
# Built once, as they are part of every group of cells.
_TAKE_NUMBERS = (
    update(_RUNS)
    .where(_RUNS.c.id == bindparam("of_run"))
    .values(last_number=_RUNS.c.last_number + bindparam("count"))
    .returning(_RUNS.c.last_number)
)
_TALLY_RUN = (
    update(_RUNS)
    .where(_RUNS.c.id == bindparam("of_run"))
    .values({name: _RUNS.c[name] + bindparam(f"add_{name}") for name in TALLIED})
    .returning(*_STANDING)
)
_TALLY_COMPARISONS = (
    update(_RUNS)
    .where(_RUNS.c.id == bindparam("of_run"))
    .values(
        {
            name: _RUNS.c[name] + bindparam(f"add_{name}")
            for name in ("comparison_count", "cost_nanos", "unpriced_count")
        }
    )
    .returning(*_STANDING)
)
_TALLY_VARIANT = (
    update(_VARIANTS)
    .where(
        _VARIANTS.c.run_id == bindparam("of_run"), _VARIANTS.c.position == bindparam("of_position")
    )
    .values({name: _VARIANTS.c[name] + bindparam(f"add_{name}") for name in TALLIED})
)


class Cells:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def take_numbers(self, run_id: UUID, count: int) -> int | None:
        """The first of so many numbers; whoever else wants some of this run's waits until this
        transaction ends. None when there is no such run.
        """
        last: int | None = await self._session.scalar(
            _TAKE_NUMBERS, {"of_run": run_id, "count": count}
        )
        return None if last is None else last - count + 1

    async def keep_sent(self, sent: Mapping[tuple[UUID, str], str]) -> None:
        """What was sent, by project and digest; in one order, lest two wait for each other."""
        statement = upsert.insert(self._session, _SENT).on_conflict_do_nothing()
        rows = [
            {"project_id": project_id, "digest": digest, "content": content}
            for (project_id, digest), content in sorted(sent.items())
        ]
        await self._session.execute(statement, rows)

    async def add_outputs(self, rows: Sequence[dict[str, Any]]) -> set[UUID]:
        """Those that were added; cells that are there already stay."""
        return await self._add(_OUTPUTS, rows)

    async def add_scores(self, rows: Sequence[dict[str, Any]]) -> set[UUID]:
        """Those that were added, as for outputs."""
        return await self._add(_SCORES, rows)

    async def _add(self, table: Table, rows: Sequence[dict[str, Any]]) -> set[UUID]:
        if not rows:
            return set()
        statement = upsert.insert(self._session, table).on_conflict_do_nothing()
        added = await self._session.execute(statement.returning(table.c.id), rows)
        return set(added.scalars())

    async def replace_output(self, row: dict[str, Any]) -> bool:
        """Put a new answer where one is wanted again. False when somebody else did."""
        values = {**row, "is_wanted_again": False, "human_value": None}
        replaced = await self._session.scalar(
            update(_OUTPUTS)
            .where(_OUTPUTS.c.id == row["id"], _OUTPUTS.c.is_wanted_again)
            .values(values)
            .returning(_OUTPUTS.c.id)
        )
        return replaced is not None

    async def tally(
        self,
        run_id: UUID,
        by_variant: Mapping[int, Mapping[str, int]],
        total: Mapping[str, int],
    ) -> Standing | None:
        """Add to the sums of the run and its variants; how far the run is then."""
        if not by_variant:
            return None
        await self._session.execute(
            _TALLY_VARIANT,
            [
                {"of_run": run_id, "of_position": position, **_added(sums)}
                for position, sums in sorted(by_variant.items())
            ],
        )
        found = await self._session.execute(_TALLY_RUN, {"of_run": run_id, **_added(total)})
        row = found.one_or_none()
        return None if row is None else Standing(*row)

    async def tally_comparisons(
        self, run_id: UUID, *, count: int, cost_nanos: int, unpriced: int
    ) -> Standing | None:
        """Add to the sums of the run; how far it is then."""
        found = await self._session.execute(
            _TALLY_COMPARISONS,
            {
                "of_run": run_id,
                "add_comparison_count": count,
                "add_cost_nanos": cost_nanos,
                "add_unpriced_count": unpriced,
            },
        )
        row = found.one_or_none()
        return None if row is None else Standing(*row)


def _added(sums: Mapping[str, int]) -> dict[str, int]:
    return {f"add_{name}": sums.get(name, 0) for name in TALLIED}
