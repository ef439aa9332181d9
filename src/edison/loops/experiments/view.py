"""Converts experiments and iterations to response schemas."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.money import usd_from_nanos
from edison.library.prompts.models import PromptVersion
from edison.loops.experiments.drafts.checking.problems import StepProblem
from edison.loops.experiments.iterations.best import find_best
from edison.loops.experiments.iterations.measure import (
    metrics_of,
    run_nanos,
    tokens_of,
    total_nanos,
)
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations, Spent
from edison.loops.experiments.repository.suggestions import Suggestions
from edison.loops.experiments.schemas.drafts import ExperimentDraft, Step
from edison.loops.experiments.schemas.estimates import StepProblemRead
from edison.loops.experiments.schemas.experiments import (
    ExperimentDetail,
    ExperimentSummary,
    LineageVersion,
    PrunedRead,
    StopRead,
)
from edison.loops.experiments.schemas.iterations import (
    CostRead,
    IterationAction,
    IterationPhase,
    IterationRead,
    RefinementRead,
    SuggestionBrief,
)
from edison.loops.experiments.states import EDITABLE, IterationState, SuggestionState

Row = tuple[Iteration, Spent]


async def describe_several(
    session: AsyncSession, rows: Sequence[tuple[Experiment, str | None]]
) -> list[ExperimentSummary]:
    ids = [experiment.id for experiment, _ in rows]
    pending = await Suggestions(session).count_pending(ids)
    iterations: dict[Any, list[Row]] = {each: [] for each in ids}
    for row in await Iterations(session).list_of(ids):
        iterations[row[0].experiment_id].append(row)
    return [
        ExperimentSummary.model_validate(
            summary_values(experiment, author, iterations[experiment.id])
            | {"waiting_suggestions": pending.get(experiment.id, 0)}
        )
        for experiment, author in rows
    ]


async def describe(
    session: AsyncSession, experiment: Experiment, *, problems: Sequence[StepProblem]
) -> ExperimentDetail:
    rows = await Iterations(session).list_of([experiment.id])
    suggestions = Suggestions(session)
    pending = await suggestions.count_pending([experiment.id])
    brief = await suggestions.list_of_iterations([iteration.id for iteration, _ in rows])
    versions = (
        []
        if experiment.prompt_id is None
        else await suggestions.list_versions(experiment.prompt_id)
    )
    author = await Experiments(session).find_email(experiment.author_id)
    draft = ExperimentDraft.model_validate(experiment.draft)
    values = summary_values(experiment, author, rows)
    return ExperimentDetail(
        **values,
        waiting_suggestions=pending.get(experiment.id, 0),
        step=Step(experiment.step),
        draft_version=experiment.draft_version,
        draft=draft,
        config=None
        if experiment.config is None
        else ExperimentDraft.model_validate(experiment.config),
        is_changed=experiment.config is not None and experiment.config != experiment.draft,
        is_editable=experiment.state in EDITABLE and experiment.archived_at is None,
        problems=[StepProblemRead.model_validate(each) for each in problems],
        version_id=experiment.version_id,
        rubric_version_id=experiment.rubric_version_id,
        confirmed_at=experiment.confirmed_at,
        tokens=sum(tokens_of(*row) for row in rows),
        pruned=[PrunedRead.model_validate(each) for each in experiment.pruned],
        iterations=[read_iteration(*row, brief[row[0].id]) for row in rows],
        lineage=lineage_of(versions, [iteration for iteration, _ in rows], values["best"]),
    )


def summary_values(
    experiment: Experiment, author: str | None, rows: Sequence[Row]
) -> dict[str, Any]:
    iterations = [iteration for iteration, _ in rows]
    measured = {
        each.number: metrics for each in iterations if (metrics := metrics_of(each)) is not None
    }
    draft = experiment.config or experiment.draft
    best = find_best(iterations)
    shown = None if best is None else measured[best.iteration]
    tested = None if best is None else measured[best.gate.iteration]
    return {
        **{
            name: getattr(experiment, name)
            for name in (
                "id",
                "name",
                "state",
                "template",
                "prompt_id",
                "dataset_id",
                "iteration_count",
                "created_at",
                "updated_at",
                "completed_at",
                "archived_at",
            )
        },
        "goal": draft["objective"]["goal"],
        "max_iterations": draft["limits"]["max_iterations"],
        "author": author,
        "latest": list(measured.values())[-1].train if measured else None,
        "best": best,
        "against_first": None
        if shown is None or tested is None
        else shown.against_first or tested.against_first,
        "cost_usd": usd_from_nanos(total_nanos(rows)),
        "budget_usd": max(Decimal(draft["limits"]["budget_usd"]), Decimal(0)),
        "is_simulated": shown is not None and any(each.is_simulated for each in shown.variants),
        "stop": None
        if experiment.stop_reason is None
        else StopRead(reason=experiment.stop_reason, message=experiment.stop_message or ""),
    }


def read_iteration(
    iteration: Iteration, spent: Spent, suggestions: Sequence[Suggestion]
) -> IterationRead:
    return IterationRead.model_validate(iteration_values(iteration, spent, suggestions))


def iteration_values(
    iteration: Iteration, spent: Spent, suggestions: Sequence[Suggestion]
) -> dict[str, Any]:
    names = set(IterationRead.model_fields) - {
        "metrics",
        "refinement",
        "suggestions",
        "cost",
        "tokens",
        "phases",
        "actions",
    }
    refinement = iteration.refinement
    return {
        **{name: getattr(iteration, name) for name in names},
        "metrics": metrics_of(iteration),
        "refinement": None if refinement is None else RefinementRead.model_validate(refinement),
        # They are offered after their trial.
        "suggestions": []
        if iteration.state == IterationState.TRYING
        else [_brief(each) for each in suggestions],
        "cost": _cost(iteration, spent),
        "tokens": tokens_of(iteration, spent),
        "phases": _phases(iteration),
        "actions": _actions(IterationState(iteration.state), suggestions),
    }


def _brief(suggestion: Suggestion) -> SuggestionBrief:
    return SuggestionBrief.model_validate(
        {
            "id": suggestion.id,
            "number": suggestion.number,
            "origin": suggestion.origin,
            "state": suggestion.state,
            "targets": [each["name"] for each in suggestion.targets],
            "trial_difference": None
            if suggestion.trial is None
            else suggestion.trial["comparison"]["difference"]["value"],
            "decided_at": suggestion.decided_at,
        }
    )


def _cost(iteration: Iteration, spent: Spent) -> CostRead:
    """Until the runs have finished, the cost of judging counts as execution."""
    metrics = metrics_of(iteration)
    total = run_nanos(iteration, spent)
    judging = 0 if metrics is None else metrics.judging_nanos
    return CostRead(
        execution_usd=usd_from_nanos(total - judging),
        judging_usd=usd_from_nanos(judging),
        refining_usd=usd_from_nanos(iteration.refine_cost_nanos),
        total_usd=usd_from_nanos(total + iteration.refine_cost_nanos),
    )


def _phases(iteration: Iteration) -> list[IterationPhase]:
    """In the order of their start; each ends when the next begins."""
    began = sorted(
        (datetime.fromisoformat(moment), IterationState(state))
        for state, moment in iteration.phases.items()
    )
    ends = [moment for moment, _ in began[1:]] + [iteration.ended_at]
    return [
        IterationPhase(state=state, began_at=moment, ended_at=end)
        for (moment, state), end in zip(began, ends, strict=True)
    ]


def _actions(state: IterationState, suggestions: Sequence[Suggestion]) -> list[IterationAction]:
    match state:
        case IterationState.EXECUTING | IterationState.JUDGING:
            return ["pause", "cancel"]
        case IterationState.PAUSED:
            return ["resume", "cancel"]
        case IterationState.PENDING | IterationState.TRYING:
            return ["cancel"]
        case IterationState.REVIEWING:
            is_decided = all(each.state != SuggestionState.PENDING for each in suggestions)
            return ["suggest", "refine", "close"] if is_decided else ["suggest", "close"]
        case _:
            return []


def lineage_of(
    versions: Sequence[PromptVersion], iterations: Sequence[Iteration], best: Any
) -> list[LineageVersion]:
    tested = {each.version_id: each for each in iterations if each.metrics is not None}
    return [_lineage_version(version, tested.get(version.id), best) for version in versions]


def _lineage_version(
    version: PromptVersion, iteration: Iteration | None, best: Any
) -> LineageVersion:
    metrics = None if iteration is None else metrics_of(iteration)
    return LineageVersion(
        version_id=version.id,
        parent_id=version.parent_id,
        label=version.label,
        changelog=version.changelog,
        created_at=version.created_at,
        is_production=version.is_production,
        iteration=None if iteration is None else iteration.number,
        train=None if metrics is None else metrics.train,
        holdout=None if metrics is None else metrics.holdout,
        is_best=best is not None and best.version_id == version.id,
    )
