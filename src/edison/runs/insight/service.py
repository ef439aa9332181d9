"""Model insight: which model is most accurate, fastest and the best value, over finished runs.
Read-only.
"""

import asyncio
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from statistics import fmean
from uuid import UUID

from edison.db.session import Database
from edison.kit import clock
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.kit.money import nanos_from_usd
from edison.pipeline.aggregate.advice import Advice, ModelRecord, compare_models, recommend
from edison.pipeline.aggregate.estimate import estimate_means
from edison.runs.insight.pool import Comparable, ModelPool, PooledCell
from edison.runs.insight.repository import InsightRows
from edison.runs.insight.schemas import (
    InsightFilter,
    InsightModelRead,
    ModelChoiceRead,
    ModelInsightRead,
    RecommendFilter,
)
from edison.runs.read.schemas import RunDetail
from edison.runs.results import service as results

# More would take longer than a page can wait.
MOST_RUNS = 50
MOST_CELLS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledRuns:
    """`simulated` are the models that answer without a provider."""

    pool: ModelPool
    names: Mapping[UUID, str]
    simulated: frozenset[UUID]
    runs: int
    older_runs: int


async def get_insight(
    database: Database, *, project_id: UUID, wanted: InsightFilter
) -> ModelInsightRead:
    pooled = await pool_runs(database, project_id=project_id, wanted=wanted)
    return await asyncio.to_thread(_describe, pooled)


async def recommend_model(
    database: Database, *, project_id: UUID, wanted: RecommendFilter
) -> ModelChoiceRead:
    """Of the models that can be compared, on the cases that all of them have."""
    pooled = await pool_runs(database, project_id=project_id, wanted=wanted)
    comparable = await asyncio.to_thread(pooled.pool.compare)
    limit = None if wanted.max_cost_usd is None else nanos_from_usd(wanted.max_cost_usd)
    found = await asyncio.to_thread(
        recommend,
        comparable.records,
        required_quality=wanted.required_quality,
        max_cost=limit,
    )
    return read_choice(found)


async def pool_runs(database: Database, *, project_id: UUID, wanted: InsightFilter) -> PooledRuns:
    """Reads the newest runs. Slow for large ones, so no transaction is open meanwhile."""
    since = clock.now() - timedelta(days=wanted.days)
    async with database.read() as session:
        rows = InsightRows(session)
        found = await rows.list_runs(project_id, since=since, dataset_id=wanted.dataset_id)
        names = dict(await rows.list_models(project_id))
    chosen = _choose(found)
    pool, simulated = ModelPool(), set()
    for run_id in chosen:
        run = await results.get_run(database, project_id, run_id)
        digest = await results.digest_run(database, project_id=project_id, run_id=run_id)
        scorers = name_scorers(run)
        for at, variant in enumerate(run.variants):
            model_id = variant.model_id
            if model_id not in names or model_id is None or variant.version_id is None:
                continue
            if variant.is_simulated:
                simulated.add(model_id)
            work = f"{variant.version_id}:{scorers}"
            columns = zip(
                digest.case_keys,
                digest.composites[:, at].tolist(),
                digest.cells.nanos[:, at].tolist(),
                digest.cells.seconds[:, at].tolist(),
                strict=True,
            )
            for case, *values in columns:
                score, nanos, seconds = [None if math.isnan(each) else each for each in values]
                cell = PooledCell(score=score, nanos=nanos, seconds=seconds)
                pool.add(model_id, (work, case), cell)
    return PooledRuns(
        pool=pool,
        names=names,
        simulated=frozenset(simulated),
        runs=len(chosen),
        older_runs=len(found) - len(chosen),
    )


def _choose(found: Sequence[tuple[UUID, int]]) -> list[UUID]:
    """The newest runs within the limits, at least one."""
    chosen: list[UUID] = []
    total = 0
    for run_id, cells in found[:MOST_RUNS]:
        total += cells
        if chosen and total > MOST_CELLS:
            break
        chosen.append(run_id)
    return chosen


def name_scorers(run: RunDetail) -> str:
    """Equal for runs whose scores mean the same."""
    described = sorted(
        json.dumps(
            [each.kind, each.options, each.weight, each.threshold, each.is_negated],
            sort_keys=True,
            default=str,
        )
        for each in run.scorers
    )
    return hashlib.sha256("\n".join(described).encode()).hexdigest()[:16]


def _describe(pooled: PooledRuns) -> ModelInsightRead:
    comparable = pooled.pool.compare()
    insight = compare_models(comparable.records)
    return ModelInsightRead(
        runs=pooled.runs,
        older_runs=pooled.older_runs,
        cases=comparable.cases,
        models=_list_models(pooled, comparable),
        most_accurate=read_choice(insight.most_accurate),
        fastest=read_choice(insight.fastest),
        best_value=read_choice(insight.best_value),
    )


def _list_models(pooled: PooledRuns, comparable: Comparable) -> list[InsightModelRead]:
    compared = [_compared(pooled, record) for record in comparable.records]
    compared.sort(key=lambda model: -(model.score or 0))
    return compared + [
        InsightModelRead(
            key=str(model_id),
            model_id=model_id,
            name=pooled.names[model_id],
            is_compared=False,
            is_simulated=model_id in pooled.simulated,
            cases=pooled.pool.count_cases(model_id),
            score=None,
            low=None,
            high=None,
            answer_usd=None,
            mean_seconds=None,
        )
        for model_id in comparable.left_out
    ]


def _compared(pooled: PooledRuns, record: ModelRecord) -> InsightModelRead:
    model_id = UUID(record.key)
    (estimate,) = estimate_means(np.array(list(record.scores.values()), dtype=np.float64)[:, None])
    interval = estimate.interval
    seconds = list(record.seconds.values())
    return InsightModelRead(
        key=record.key,
        model_id=model_id,
        name=pooled.names[model_id],
        is_compared=True,
        is_simulated=model_id in pooled.simulated,
        cases=estimate.cases,
        score=estimate.value,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        answer_usd=None if record.cost is None else Decimal(round(record.cost)).scaleb(-9),
        mean_seconds=fmean(seconds) if seconds else None,
    )


def read_choice(advice: Advice) -> ModelChoiceRead:
    comparison, estimate = advice.comparison, advice.estimate
    evidence = estimate if comparison is None else comparison.difference
    interval = None if evidence is None else evidence.interval
    return ModelChoiceRead(
        key=advice.key,
        reason=advice.reason,
        cases=advice.cases,
        leading=advice.leading,
        undecided=list(advice.undecided),
        compared=None if comparison is None else comparison.baseline,
        other=None if comparison is None else comparison.other,
        difference=None if comparison is None else comparison.difference.value,
        score=None if estimate is None else estimate.value,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        factor=advice.factor,
        p_value=advice.p_value if comparison is None else comparison.adjusted_p_value,
    )
