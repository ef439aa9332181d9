"""The final report: what was gained, at what cost, what to use, and what is left to do."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.money import usd_from_nanos
from edison.library.prompts.content import parts_of, whole_text
from edison.library.prompts.models import PromptVersion
from edison.loops.experiments import view
from edison.loops.experiments.activity import list_deciders
from edison.loops.experiments.iterations.measure import metrics_of, tokens_of
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.reports.recommend import (
    list_next_steps,
    list_weaknesses,
    recommend_model,
)
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations, Spent
from edison.loops.experiments.repository.suggestions import Suggestions
from edison.loops.experiments.schemas.experiments import BestRead, PrunedRead
from edison.loops.experiments.schemas.iterations import (
    CostRead,
    IterationMetrics,
    IterationRead,
)
from edison.loops.experiments.schemas.reports import (
    CriterionChange,
    DecisionSummary,
    ExperimentReport,
    PromptParts,
    TokensRead,
    TrendPoint,
)
from edison.loops.experiments.states import IterationState
from edison.pipeline.refine.diff import make_diff
from edison.pipeline.refine.parts import PromptPart
from edison.runs.results import service as results
from edison.workspace.projects.models import Project

Row = tuple[Iteration, Spent]
# No work happens while a review is pending.
_WAITING = (IterationState.REVIEWING, IterationState.PAUSED)


async def write_report(
    database: Database, *, project_id: UUID, experiment_id: UUID
) -> ExperimentReport:
    """Of what is there so far; an experiment need not be completed."""
    async with database.read() as session:
        experiment = await Experiments(session).get(project_id, experiment_id)
        rows = await Iterations(session).list_of([experiment_id])
        suggestions = await Suggestions(session).list_of_experiment(experiment_id)
        versions = await _versions(session, experiment)
        deciders = await list_deciders(session, [each.id for each in suggestions])
        author = await Experiments(session).find_email(experiment.author_id)
        project = await session.get_one(Project, project_id)
    values = view.summary_values(experiment, None, rows)
    best: BestRead | None = values["best"]
    read = [view.read_iteration(*row, []) for row in rows]
    best_metrics, first_metrics = _metrics(rows, best), _first_metrics(rows)
    comparisons = []
    # Models are chosen by the cases that the version was not made with, like the version itself.
    best_run = next(
        (
            each.holdout_run_id or each.run_id
            for each in read
            if best and each.number == best.iteration
        ),
        None,
    )
    if best_run is not None:
        found = await results.get_results(database, project_id=project_id, run_id=best_run)
        comparisons = found.comparisons
    by_id = {version.id: version for version in versions}
    first_version = by_id.get(read[0].version_id) if read and read[0].version_id else None
    best_version = by_id.get(best.version_id) if best and best.version_id else None
    first_text = None if first_version is None else whole_text(first_version)
    best_text = None if best_version is None else whole_text(best_version)
    weaknesses = list_weaknesses(best_metrics)
    decisions = _decisions(rows, suggestions, deciders)
    return ExperimentReport(
        id=experiment.id,
        name=experiment.name,
        project=project.name,
        people=_people(author, decisions),
        changed_at=experiment.updated_at,
        state=values["state"],
        goal=values["goal"],
        stop=values["stop"],
        iterations=len(rows),
        cost=_total_cost(read),
        tokens=_tokens(rows),
        elapsed_seconds=_elapsed(read),
        working_seconds=sum(_worked(each) or 0 for each in read),
        best=best,
        best_prompt=None
        if best_version is None
        else PromptParts.model_validate(parts_of(best_version)),
        best_text=best_text,
        first_text=first_text,
        diff=make_diff(first_text, best_text) if first_text and best_text else "",
        against_first=values["against_first"],
        trend=[_point(each) for each in read],
        criteria=_criteria(first_metrics, best_metrics),
        variants=[] if best_metrics is None else best_metrics.variants,
        pruned=[PrunedRead.model_validate(each) for each in experiment.pruned],
        recommended=recommend_model(
            best_metrics, comparisons, [each["variant"] for each in experiment.pruned]
        ),
        weaknesses=weaknesses,
        next_steps=list_next_steps(experiment, best, best_metrics, weaknesses),
        decisions=decisions,
        lineage=view.lineage_of(versions, [each for each, _ in rows], best),
        is_simulated=best_metrics is not None
        and any(each.is_simulated for each in best_metrics.variants),
    )


def _people(author: str | None, decisions: Sequence[DecisionSummary]) -> list[str]:
    found = [author, *(each.decided_by for each in decisions)]
    return list(dict.fromkeys(email for email in found if email))


async def _versions(session: AsyncSession, experiment: Experiment) -> Sequence[PromptVersion]:
    if experiment.prompt_id is None:
        return []
    return await Suggestions(session).list_versions(experiment.prompt_id)


def _metrics(rows: Sequence[Row], best: BestRead | None) -> IterationMetrics | None:
    found = [each for each, _ in rows if best is not None and each.number == best.iteration]
    return metrics_of(found[0]) if found else None


def _first_metrics(rows: Sequence[Row]) -> IterationMetrics | None:
    return next((metrics for each, _ in rows if (metrics := metrics_of(each)) is not None), None)


def _total_cost(iterations: Sequence[IterationRead]) -> CostRead:
    def total(field: str) -> Decimal:
        return sum((getattr(each.cost, field) for each in iterations), start=usd_from_nanos(0))

    return CostRead.model_validate({field: total(field) for field in CostRead.model_fields})


def _tokens(rows: Sequence[Row]) -> TokensRead:
    found = [metrics for each, _ in rows if (metrics := metrics_of(each)) is not None]
    refining = sum(each.refine_tokens for each, _ in rows)
    judging = sum(each.judging_tokens for each in found)
    total = sum(tokens_of(*row) for row in rows)
    return TokensRead(
        execution=total - judging - refining, judging=judging, refining=refining, total=total
    )


def _elapsed(iterations: Sequence[IterationRead]) -> float:
    """From the first start to the last end; of what goes on, to its last change."""
    moments: list[datetime] = [
        moment
        for each in iterations
        if each.started_at is not None
        for moment in (each.started_at, each.ended_at, *(phase.began_at for phase in each.phases))
        if moment is not None
    ]
    return (max(moments) - min(moments)).total_seconds() if moments else 0.0


def _worked(iteration: IterationRead) -> float | None:
    if iteration.started_at is None:
        return None
    spans = [
        phase.ended_at - phase.began_at
        for phase in iteration.phases
        if phase.state not in _WAITING and phase.began_at and phase.ended_at
    ]
    return sum(spans, start=timedelta()).total_seconds()


def _point(iteration: IterationRead) -> TrendPoint:
    metrics = iteration.metrics
    return TrendPoint(
        iteration=iteration.number,
        state=iteration.state,
        version_id=iteration.version_id,
        version_label=iteration.version_label,
        train=None if metrics is None else metrics.train,
        holdout=None if metrics is None else metrics.holdout,
        change=None if metrics is None else metrics.change,
        against_first=None if metrics is None else metrics.against_first,
        holdout_test=None if metrics is None else metrics.holdout_test,
        cost=iteration.cost,
        tokens=iteration.tokens,
        seconds=_worked(iteration),
        problem=iteration.problem,
        message=iteration.message,
    )


def trend_of(rows: Sequence[Row]) -> list[TrendPoint]:
    return [_point(view.read_iteration(*row, [])) for row in rows]


def _criteria(
    first: IterationMetrics | None, best: IterationMetrics | None
) -> list[CriterionChange]:
    if best is None:
        return []
    before = {} if first is None else {each.name: each.mean for each in first.criteria}
    return [
        CriterionChange(
            name=each.name, weight=each.weight, first=before.get(each.name), best=each.mean
        )
        for each in best.criteria
    ]


def _decisions(
    rows: Sequence[Row],
    suggestions: Sequence[Suggestion],
    deciders: Mapping[UUID, str | None],
) -> list[DecisionSummary]:
    numbers = {each.id: each.number for each, _ in rows}
    return [
        DecisionSummary(
            iteration=numbers[each.iteration_id],
            number=each.number,
            origin=each.origin,
            state=each.state,
            parts=[part for part in PromptPart if part in each.parts],
            note=each.note,
            reason=each.reason,
            decided_at=each.decided_at,
            decided_by=deciders.get(each.id),
            version_id=each.version_id,
        )
        for each in suggestions
        if each.iteration_id in numbers
    ]
