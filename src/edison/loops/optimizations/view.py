"""Converts optimizations to response schemas."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from statistics import fmean
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.money import usd_from_nanos
from edison.library.datasets.models import Dataset
from edison.loops.optimizations.configure import read_config, title_of
from edison.loops.optimizations.context import search_candidates
from edison.loops.optimizations.models import (
    Optimization,
    OptimizationCandidate,
    OptimizationEntry,
    OptimizationRound,
)
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.rounds import BASE
from edison.loops.optimizations.schemas.candidates import CandidateSummary
from edison.loops.optimizations.schemas.optimizations import (
    OptimizationDetail,
    OptimizationEntryRead,
    OptimizationReference,
    OptimizationSummary,
)
from edison.loops.optimizations.schemas.rounds import RoundRead, SearchGenerationRead
from edison.loops.optimizations.schemas.verdicts import FinalistTestRead
from edison.loops.optimizations.states import ACTIVE, CandidateState, RoundKind
from edison.loops.optimizations.transitions import find_held_nanos
from edison.pipeline.aggregate.quantiles import t_quantile
from edison.pipeline.refine.search import choose_finalist, gain_over, mean_score
from edison.runs.store.models import Run
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Period
from edison.workspace.budgets.types import ScopeBalance

_COLUMNS = (
    "id",
    "name",
    "state",
    "outcome",
    "stop_reason",
    "version_id",
    "version_label",
    "reason",
    "message",
    "created_at",
    "updated_at",
    "started_at",
    "ended_at",
    "archived_at",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OptimizationContext:
    """What a list of optimizations shows besides their columns, in a fixed number of queries."""

    datasets: Mapping[UUID, Dataset]
    rounds: Mapping[UUID, Sequence[OptimizationRound]]
    candidates: Mapping[UUID, Sequence[OptimizationCandidate]]
    costs: Mapping[UUID, int]
    balances: Mapping[UUID, ScopeBalance]


async def describe_several(
    session: AsyncSession, found: Sequence[Optimization]
) -> list[OptimizationSummary]:
    if not found:
        return []
    around = await _read_surroundings(session, found)
    return [_summary(each, around) for each in found]


async def describe(session: AsyncSession, row: Optimization) -> OptimizationDetail:
    optimizations = Optimizations(session)
    around = await _read_surroundings(session, [row])
    summary = _summary(row, around)
    rounds, candidates = around.rounds.get(row.id, ()), around.candidates.get(row.id, ())
    runs = await OptimizationSteps(optimizations).find_runs(
        [each.run_id for each in rounds if each.run_id is not None]
    )
    latest = (
        None if row.prompt_id is None else await optimizations.find_version(row.prompt_id, None)
    )
    states: Mapping[UUID, str] = {}
    if row.suggestion_id is not None:
        states = await optimizations.find_suggestion_states([row.suggestion_id])
    return OptimizationDetail.model_validate(
        {
            **{name: getattr(summary, name) for name in OptimizationSummary.model_fields},
            "author": await optimizations.find_email(row.author_id),
            "config": read_config(row),
            "seed": row.seed,
            "train_cases": None if row.train_ids is None else len(row.train_ids),
            "holdout_cases": None if row.holdout_ids is None else len(row.holdout_ids),
            "finalist": row.finalist,
            "model_choice": row.model_choice,
            "suggestion_id": row.suggestion_id,
            "suggestion_state": states.get(row.suggestion_id) if row.suggestion_id else None,
            "is_base_latest": latest is not None and latest.id == row.version_id,
            "held_usd": await _held(OptimizationSteps(optimizations), row, rounds),
            "progress": read_progress(candidates),
            "rounds": [_round(each, runs, around.costs) for each in rounds],
            "candidate_list": summarise_candidates(candidates),
            "candidate_costs": await _costs(session, rounds, len(read_config(row).models)),
        }
    )


async def _held(
    steps: OptimizationSteps, row: Optimization, rounds: Sequence[OptimizationRound]
) -> Decimal | None:
    """Set aside for the test on held-out cases; None unless that is to come."""
    if row.state not in ACTIVE or any(each.kind == RoundKind.GATE for each in rounds):
        return None
    nanos = await find_held_nanos(steps, row.id)
    return None if nanos is None else usd_from_nanos(nanos)


async def _costs(
    session: AsyncSession, rounds: Sequence[OptimizationRound], models: int
) -> Mapping[int, Decimal]:
    """Mean cost of an answer by candidate, over its rounds on training cases."""
    measured = {
        each.run_id: each.candidates
        for each in rounds
        if each.kind == RoundKind.TRAIN and each.run_id is not None
    }
    found = await OptimizationSteps(Optimizations(session)).mean_costs(measured)
    costs: dict[int, list[int]] = defaultdict(list)
    for (run_id, position), nanos in found.items():
        costs[measured[run_id][position // models]].append(nanos)
    return {number: usd_from_nanos(round(fmean(each))) for number, each in costs.items()}


async def _read_surroundings(
    session: AsyncSession, found: Sequence[Optimization]
) -> _OptimizationContext:
    optimizations = Optimizations(session)
    steps = OptimizationSteps(optimizations)
    ids = [each.id for each in found]
    rounds: dict[UUID, list[OptimizationRound]] = defaultdict(list)
    for each in await steps.list_rounds(ids):
        rounds[each.optimization_id].append(each)
    candidates: dict[UUID, list[OptimizationCandidate]] = defaultdict(list)
    for candidate in await steps.list_candidates(ids):
        candidates[candidate.optimization_id].append(candidate)
    run_ids = [each.run_id for of in rounds.values() for each in of if each.run_id is not None]
    return _OptimizationContext(
        datasets=await optimizations.find_datasets(
            {each.dataset_id for each in found if each.dataset_id is not None}
        ),
        rounds=rounds,
        candidates=candidates,
        costs=await steps.sum_costs(run_ids),
        balances=await budgets.list_scope_balances(
            session, project_id=found[0].project_id, scope_ids=ids, period=Period.TOTAL
        ),
    )


def _summary(row: Optimization, around: _OptimizationContext) -> OptimizationSummary:
    dataset = None if row.dataset_id is None else around.datasets.get(row.dataset_id)
    balance = around.balances.get(row.id)
    rounds = around.rounds.get(row.id, ())
    config = read_config(row)
    spent = sum(around.costs.get(each.run_id, 0) for each in rounds if each.run_id is not None)
    return OptimizationSummary.model_validate(
        {
            **{name: getattr(row, name) for name in _COLUMNS},
            "prompt": OptimizationReference(id=row.prompt_id, name=row.prompt_name),
            "dataset": dataset and OptimizationReference(id=dataset.id, name=dataset.name),
            "strategy": title_of(config.strategy.kind),
            "generation": max((each.generation for each in rounds), default=0),
            "generations": config.generations,
            "candidates": len(around.candidates.get(row.id, ())),
            "gate": None if row.verdict is None else FinalistTestRead.model_validate(row.verdict),
            "budget_usd": None if balance is None else usd_from_nanos(balance.limit_nanos),
            "cost_usd": usd_from_nanos(spent),
        }
    )


def _round(
    row: OptimizationRound, runs: Mapping[UUID, Run], costs: Mapping[UUID, int]
) -> RoundRead:
    run = None if row.run_id is None else runs.get(row.run_id)
    return RoundRead.model_validate(
        {
            **{
                name: getattr(row, name)
                for name in (
                    "number",
                    "kind",
                    "generation",
                    "stage",
                    "candidates",
                    "created_at",
                    "ended_at",
                )
            },
            "cases": row.case_count,
            "run_id": None if run is None else run.id,
            "run_state": None if run is None else run.state,
            "done_count": 0 if run is None else run.done_count,
            "cell_count": 0 if run is None else run.cell_count,
            "cost_usd": usd_from_nanos(0 if run is None else costs.get(run.id, 0)),
        }
    )


def summarise_candidates(rows: Sequence[OptimizationCandidate]) -> list[CandidateSummary]:
    if not rows:
        return []
    base = rows[0].scores
    return [CandidateSummary.model_validate(candidate_fields(each, base)) for each in rows]


def candidate_fields(row: OptimizationCandidate, base: Mapping[str, float]) -> dict[str, object]:
    """The fields of a CandidateSummary. `base` are the scores of the base."""
    is_base = row.number == BASE
    scores = row.scores
    gains = [scores[key] - base[key] for key in scores if key in base]
    interval = None if is_base else _interval(gains)
    return {
        **{
            name: getattr(row, name)
            for name in (
                "number",
                "generation",
                "origin",
                "operator",
                "state",
                "parents",
                "note",
                "elimination",
            )
        },
        "mean": mean_score(scores),
        "gain": None if is_base else gain_over(base, scores),
        "gain_low": None if interval is None else interval[0],
        "gain_high": None if interval is None else interval[1],
        "cases": len(scores),
    }


def _interval(values: Sequence[float]) -> tuple[float, float] | None:
    """95 % interval of the mean, by Student's t: quick, and no verdict depends on it."""
    if len(values) < 2:
        return None
    count = len(values)
    mean = math.fsum(values) / count
    variance = math.fsum((each - mean) ** 2 for each in values) / (count - 1)
    reach = t_quantile(0.975, count - 1) * math.sqrt(variance / count)
    return max(-1.0, mean - reach), min(1.0, mean + reach)


def read_progress(rows: Sequence[OptimizationCandidate]) -> list[SearchGenerationRead]:
    """The best candidate after each generation that has scores."""
    measured = search_candidates(rows)
    if not rows or not rows[0].scores:
        return []
    found = []
    for generation in sorted({each.generation for each in measured}):
        so_far = [each for each in measured if each.generation <= generation]
        best = choose_finalist(so_far) or so_far[0]
        own = [each for each in rows if each.generation == generation]
        interval = _interval(list(best.scores.values()))
        found.append(
            SearchGenerationRead(
                generation=generation,
                best=best.number,
                mean=mean_score(best.scores),
                low=None if interval is None else max(0.0, interval[0]),
                high=None if interval is None else interval[1],
                candidates=len(own),
                dropped=sum(each.state == CandidateState.DROPPED for each in own),
            )
        )
    return found


def read_entry(entry: OptimizationEntry) -> OptimizationEntryRead:
    return OptimizationEntryRead.model_validate(entry)
