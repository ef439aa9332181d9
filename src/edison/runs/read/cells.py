"""All SQL that reads cells for a grid. Selects plain columns and a preview of each answer."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Dialect, Select, bindparam, case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.membership import is_among
from edison.db.prepared import Prepared
from edison.kit.money import usd_from_nanos
from edison.runs.store.effective_scores import IDS_AT_ONCE, effective_score, score_source
from edison.runs.store.models import Output, RunCase, Score

# Length of the preview of an answer.
PREVIEW_CHARACTERS = 200

Rows = Sequence[tuple[Any, ...]]

# Columns returned unchanged; five computed columns follow.
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
    Output.finish_reason,
    Output.human_value,
)


def _cells() -> Select[*tuple[Any, ...]]:
    shown = func.coalesce(Output.text, Output.message)
    return select(
        *PLAIN,
        # One extra character shows whether the text is truncated.
        func.substr(shown, 1, PREVIEW_CHARACTERS + 1),
        Output.cost_nanos,
        effective_score,
        score_source(),
        # Only failures have it: reading a JSON column costs time.
        case((Output.status == "error", Output.completion["provider_text"].as_string())),
    )


def _of_cases(dialect: Dialect) -> Select[*tuple[Any, ...]]:
    are_wanted = is_among(dialect, Output.case_position, "positions")
    return (
        _cells()
        .where(Output.run_id == bindparam("run_id"), are_wanted)
        .order_by(Output.case_position, Output.variant_position, Output.repeat)
    )


def _between(_dialect: Dialect) -> Select[*tuple[Any, ...]]:
    return (
        _cells()
        .where(
            Output.run_id == bindparam("run_id"),
            Output.number > bindparam("after"),
            Output.number <= bindparam("upto"),
        )
        .order_by(Output.number)
    )


def _scores(dialect: Dialect) -> Select[*tuple[Any, ...]]:
    return (
        select(Score.output_id, Score.scorer_position, Score.value, Score.is_passed, Score.flag)
        .where(is_among(dialect, Score.output_id, "output_ids"))
        .order_by(Score.output_id, Score.scorer_position)
    )


_OF_CASES = Prepared(_of_cases)
_BETWEEN = Prepared(_between)
_BY_ID = Prepared(lambda dialect: _cells().where(is_among(dialect, Output.id, "output_ids")))
_SCORES = Prepared(_scores)


class Grid:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_cases(self, run_id: UUID, positions: Collection[int]) -> Rows:
        return await _OF_CASES.fetch(self._session, run_id=run_id, positions=positions)

    async def list_after(self, run_id: UUID, after: int, upto: int) -> Rows:
        """Cells in the order of their numbers, for event streams."""
        return await _BETWEEN.fetch(self._session, run_id=run_id, after=after, upto=upto)

    async def list_in_order(self, output_ids: Sequence[UUID]) -> Rows:
        """Cells in the order of the given ids."""
        found = await _BY_ID.fetch(self._session, output_ids=output_ids)
        by_id = {row[0]: row for row in found}
        return [by_id[output_id] for output_id in output_ids if output_id in by_id]

    async def find_scores(self, output_ids: Sequence[UUID]) -> Mapping[UUID, Rows]:
        """Scores by output, in the order of the scorers."""
        found: defaultdict[UUID, list[tuple[Any, ...]]] = defaultdict(list)
        for start in range(0, len(output_ids), IDS_AT_ONCE):
            some = output_ids[start : start + IDS_AT_ONCE]
            for row in await _SCORES.fetch(self._session, output_ids=some):
                found[row[0]].append(row)
        return found


Cell = dict[str, Any]

_NAMES = tuple(column.key for column in PLAIN)


def write_cell(row: Sequence[Any], scores: Iterable[Sequence[Any]]) -> Cell:
    """Converts a row of `Grid` to the JSON of `CellRead`."""
    *plain, beginning, cost_nanos, grade, grade_by, provider_text = row
    cell = dict(zip(_NAMES, plain, strict=True))
    cell["id"] = str(cell["id"])
    cell["preview"] = None if beginning is None else beginning[:PREVIEW_CHARACTERS]
    cell["is_truncated"] = beginning is not None and len(beginning) > PREVIEW_CHARACTERS
    cell["provider_text"] = provider_text
    cell["cost_usd"] = None if cost_nanos is None else format(usd_from_nanos(cost_nanos), "f")
    cell["grade"] = None if grade is None else {"value": grade, "by": grade_by}
    cell["scores"] = [
        {"scorer": scorer, "value": value, "is_passed": is_passed, "flag": flag}
        for _, scorer, value, is_passed, flag in scores
    ]
    return cell


def write_row(row: RunCase, cells: list[Cell]) -> dict[str, Any]:
    return {
        "position": row.position,
        "case_id": None if row.case_id is None else str(row.case_id),
        "split": row.split,
        "difficulty": row.difficulty,
        "tags": row.tags,
        "inputs": row.inputs,
        "expected": row.expected,
        "assertions": row.assertions,
        "cells": cells,
    }
