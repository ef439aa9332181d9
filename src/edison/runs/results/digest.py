"""Digests a run: reads its rows in short transactions, page by page, and computes statistics."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from edison.db.session import Database
from edison.kit import clock
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.library.models.names import find_names
from edison.pipeline.aggregate.bias import position_biases
from edison.pipeline.aggregate.composite import collapse, pass_rates
from edison.pipeline.aggregate.gaps import gaps_of
from edison.pipeline.aggregate.outputs import disagreement
from edison.pipeline.aggregate.pareto import pareto_front
from edison.pipeline.aggregate.ratings import rate
from edison.pipeline.aggregate.results import Bias, Ratings, RunSummary, WinMatrix
from edison.pipeline.aggregate.summary import summarise
from edison.pipeline.aggregate.table import (
    ScoreTable,
    TableScorer,
    TableVariant,
)
from edison.pipeline.aggregate.wins import win_matrix
from edison.runs.read.schemas import RunDetail
from edison.runs.results.cells import CellColumns
from edison.runs.results.layout import Models, ResultLayout, judge_models, lay_out
from edison.runs.results.pairs import PairColumns
from edison.runs.results.repository import ResultRows
from edison.runs.results.table import OutputPlaces, ResultCases, ScoreColumns
from edison.runs.results.types import RunArrays
from edison.runs.results.usage import RunUsage, UsageByVariant

ROWS_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest(RunArrays):
    """The figures of a run with the statistics that its page shows. `flags` are counted by scorer
    and flag.
    """

    usage: Sequence[RunUsage]
    flags: Counter[tuple[int, str]]
    comparison_nanos: int
    summary: RunSummary
    front: Sequence[bool]
    wins: WinMatrix | None
    ratings: Ratings | None
    position_biases: Sequence[Bias]


class _Columns(NamedTuple):
    layout: ResultLayout
    cases: ResultCases
    outputs: OutputPlaces
    scores: ScoreColumns
    pairs: PairColumns
    cells: CellColumns


class _Page(Protocol):
    async def __call__(self, rows: ResultRows, after: int) -> Sequence[Sequence[Any]]: ...


_Taker = Callable[[Sequence[Sequence[Any]]], None]


async def digest_run(
    database: Database, *, project_id: UUID, run: RunDetail, number: int
) -> Digest:
    """Digests the outputs and scores with numbers up to `number`."""
    usage = UsageByVariant()
    columns, models = await _read_run(database, project_id, run, number, usage)
    return await asyncio.to_thread(_digest, run, number, columns, models, usage)


async def read_arrays(
    database: Database, *, project_id: UUID, run: RunDetail, number: int
) -> RunArrays:
    """As `digest_run`, without usage and statistics, which take half of the time."""
    columns, models = await _read_run(database, project_id, run, number, None)
    arrays, _ = await asyncio.to_thread(_collect, run, number, columns, models)
    return arrays


async def _read_run(
    database: Database,
    project_id: UUID,
    run: RunDetail,
    number: int,
    usage: UsageByVariant | None,
) -> tuple[_Columns, Models]:
    async with database.read() as session:
        asked = judge_models(run.scorers) | {
            variant.model_id for variant in run.variants if variant.model_id is not None
        }
        models = await find_names(session, project_id=project_id, model_ids=asked)
    return await _read(database, run, number, models, usage), models


async def _read(
    database: Database, run: RunDetail, number: int, models: Models, usage: UsageByVariant | None
) -> _Columns:
    layout, outputs = lay_out(run.scorers, models), OutputPlaces()
    columns = _Columns(
        layout=layout,
        cases=ResultCases(),
        outputs=outputs,
        scores=ScoreColumns(layout, outputs),
        pairs=PairColumns(),
        cells=CellColumns(),
    )
    span = {"upto": number, "limit": ROWS_AT_ONCE}

    async def cases(rows: ResultRows, after: int) -> Sequence[Sequence[Any]]:
        return await rows.list_cases(run.id, after=after, limit=ROWS_AT_ONCE)

    async def answers(rows: ResultRows, after: int) -> Sequence[Sequence[Any]]:
        return await rows.list_outputs(run.id, after=after, has_usage=usage is not None, **span)

    async def scores(rows: ResultRows, after: int) -> Sequence[Sequence[Any]]:
        return await rows.list_scores(run.id, after=after, **span)

    async def pairs(rows: ResultRows, after: int) -> Sequence[Sequence[Any]]:
        return await rows.list_comparisons(run.id, after=after, **span)

    await _fill(database, cases, [columns.cases.add], after=-1)
    takers = [columns.outputs.add, columns.cells.add]
    if usage is not None:
        takers.append(usage.add)
    if not run.scorers:
        takers.append(columns.scores.add_malformed)
    if run.failed_count_zero:
        takers.append(columns.scores.add_failed)
    await _fill(database, answers, takers)
    await _fill(database, scores, [columns.scores.add])
    if run.comparers:
        await _fill(database, pairs, [columns.pairs.add])
    async with database.read() as session:
        said = await ResultRows(session).list_human_scores(run.id)
    columns.scores.add_people(said)
    return columns


async def _fill(
    database: Database,
    page: _Page,
    takers: Iterable[_Taker],
    *,
    after: int = 0,
) -> None:
    """Reads pages in short transactions and processes them in a thread."""
    while True:
        async with database.read() as session:
            rows = await page(ResultRows(session), after)
        if not rows:
            return
        await asyncio.to_thread(_take, takers, rows)
        after = rows[-1][0]


def _take(takers: Iterable[_Taker], rows: Sequence[Sequence[Any]]) -> None:
    columns = tuple(zip(*rows, strict=True))
    for take in takers:
        take(columns)


def _collect(
    run: RunDetail, number: int, columns: _Columns, models: Models
) -> tuple[RunArrays, ScoreTable]:
    cases = columns.cases.cases()
    variants = tuple(
        TableVariant(
            key=str(variant.position),
            family=model.provider_model
            if variant.model_id is not None and (model := models.get(variant.model_id))
            else None,
        )
        for variant in run.variants
    )
    table = columns.scores.table(cases, variants)
    judges = tuple(TableScorer(key=f"c{each.position}", is_judge=True) for each in run.comparers)
    pairs = columns.pairs.table(cases, variants, judges)
    cells = columns.cells.cells(len(cases), len(variants))
    scores = collapse(table)
    arrays = RunArrays(
        number=number,
        made_at=clock.now(),
        layout=columns.layout,
        pairs=pairs,
        case_keys=tuple(case.key for case in cases),
        cases=cases,
        cells=cells,
        composites=scores.composite,
        passed=pass_rates(table),
        gaps=gaps_of(scores, cells.failed),
        criteria=scores.criteria.astype(np.float32),
        disagreement=disagreement(table),
    )
    return arrays, table


def _digest(
    run: RunDetail, number: int, columns: _Columns, models: Models, by_variant: UsageByVariant
) -> Digest:
    arrays, table = _collect(run, number, columns, models)
    summary, pairs = summarise(table, failed=arrays.cells.failed), arrays.pairs
    usage = [by_variant[variant.position] for variant in run.variants]
    unreadable = columns.scores.unreadable()
    for at, each in enumerate(usage):
        each.judge_nanos = columns.scores.judge_nanos[at]
        each.unreadable = unreadable[at]
    return Digest(
        **{each.name: getattr(arrays, each.name) for each in fields(arrays)},
        usage=usage,
        flags=columns.scores.flags,
        comparison_nanos=columns.pairs.nanos,
        summary=summary,
        front=_front(summary, usage),
        wins=None if pairs is None else win_matrix(pairs),
        ratings=None if pairs is None else rate(pairs),
        position_biases=() if pairs is None else position_biases(pairs),
    )


def _front(summary: RunSummary, usage: Sequence[RunUsage]) -> Sequence[bool]:
    """Pareto front of score and cost per answer. A single variant is on no front."""
    if len(usage) < 2:
        return [False] * len(usage)
    scores = np.array([_or_nan(each.composite.value) for each in summary.variants])
    costs = np.array([_or_nan(each.nanos_per_answer) for each in usage])
    return [bool(each) for each in pareto_front(scores, costs)]


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value
