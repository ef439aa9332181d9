"""All SQL that reads cells for a grid: plain columns, as there are many. Of an answer, as much as a
grid shows.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.membership import is_one_of
from edison.runs.engine.models import Output, Score
from edison.runs.engine.repository.effective import IDS_AT_ONCE, effective_score, giver

# How much of an answer a grid shows.
PREVIEW_CHARACTERS = 200

Rows = Sequence[Row[*tuple[Any, ...]]]


# What is shown as it is; after these come the four that are not.
PLAIN = (
    Output.id,
    Output.number,
    Output.case_position,
    Output.variant_position,
    Output.repeat,
    Output.status,
    Output.error,
    Output.is_cached,
    Output.is_fallback,
    Output.is_wanted_again,
    Output.input_tokens,
    Output.output_tokens,
    Output.latency_seconds,
    Output.human_value,
)


@cache
def _cells() -> Select[*tuple[Any, ...]]:
    shown = func.coalesce(Output.text, Output.message)
    return select(
        *PLAIN,
        # One more tells whether there is more.
        func.substr(shown, 1, PREVIEW_CHARACTERS + 1),
        Output.cost_nanos,
        effective_score,
        giver(),
    )


class Grid:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_cases(self, run_id: UUID, positions: Collection[int]) -> Rows:
        return await self._list(
            _cells()
            .where(
                Output.run_id == run_id, is_one_of(self._session, Output.case_position, positions)
            )
            .order_by(Output.case_position, Output.variant_position, Output.repeat)
        )

    async def list_after(self, run_id: UUID, after: int, upto: int) -> Rows:
        """By their number, for streams."""
        return await self._list(
            _cells()
            .where(Output.run_id == run_id, Output.number > after, Output.number <= upto)
            .order_by(Output.number)
        )

    async def list_in_order(self, output_ids: Sequence[UUID]) -> Rows:
        """In the order of their ids as given."""
        found = await self._list(_cells().where(is_one_of(self._session, Output.id, output_ids)))
        by_id = {row.id: row for row in found}
        return [by_id[output_id] for output_id in output_ids if output_id in by_id]

    async def find_scores(
        self, output_ids: Sequence[UUID]
    ) -> Mapping[UUID, Sequence[Row[*tuple[Any, ...]]]]:
        """By output, in the order of the scorers."""
        found: defaultdict[UUID, list[Row[*tuple[Any, ...]]]] = defaultdict(list)
        for start in range(0, len(output_ids), IDS_AT_ONCE):
            some = output_ids[start : start + IDS_AT_ONCE]
            for row in await self._list(
                select(
                    Score.output_id,
                    Score.scorer_position,
                    Score.value,
                    Score.is_passed,
                    Score.flag,
                )
                .where(is_one_of(self._session, Score.output_id, some))
                .order_by(Score.output_id, Score.scorer_position)
            ):
                found[row.output_id].append(row)
        return found

    async def _list(self, statement: Select[*tuple[Any, ...]]) -> Rows:
        return (await self._session.execute(statement)).all()
