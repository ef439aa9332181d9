"""Tries the suggestions of an iteration on the training cases before anyone decides about them.

The trial is one run of the suggested changes, without prompt versions, paired case by case with the
run of the version they change. Suggestions, run and state are stored in one transaction, and so is
the outcome: any process can resume after a crash. A trial that cannot be finished does not hold the
iteration up: its suggestions are offered with the reason.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs import job as jobs
from edison.kit import clock
from edison.kit.errors import Conflict, EdisonError, Exhausted, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.experiments.drafts.configure import (
    kept_configurations,
    pruned_keys,
    read_config,
    trial_request,
)
from edison.loops.experiments.events import publish_iteration
from edison.loops.experiments.iterations.best import Row, find_base, measured_rows
from edison.loops.experiments.iterations.transitions import ORIGIN, auto_review_job, move
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.notifications import notify_review
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.repository.suggestions import Suggestions
from edison.loops.experiments.schemas.suggestions import TrialCriterion, TrialRead
from edison.loops.experiments.states import IterationState
from edison.pipeline.aggregate.power import ALPHA
from edison.runs.plan import service as run_plans
from edison.runs.plan.types import EditedParts, RunContext
from edison.runs.read import service as runs
from edison.runs.results import service as results
from edison.runs.results.schemas.results import RunResults
from edison.runs.store.models import Run
from edison.runs.store.states import RunState
from edison.workspace.budgets import service as budgets
from edison.workspace.projects import service as projects

_PURPOSES = ("answer", "judge")
_BY_PERSON = "person"
_GONE = "The run of the trial was deleted."


async def begin(
    session: AsyncSession,
    experiment: Experiment,
    iteration: Iteration,
    suggestions: Sequence[Suggestion],
) -> Iteration | None:
    """Adds the run of the trial; without one, offers the suggestions as they are."""
    try:
        async with session.begin_nested():
            run_id = await _add_run(session, experiment, iteration, suggestions)
    except (Invalid, Conflict, Exhausted, NotFound) as refused:
        await _note_problem(session, iteration, _message_of(refused))
        return await _offer(session, experiment, iteration, suggestions)
    return await move(session, iteration, IterationState.TRYING, values={"trial_run_id": run_id})


async def _add_run(
    session: AsyncSession,
    experiment: Experiment,
    iteration: Iteration,
    suggestions: Sequence[Suggestion],
) -> UUID:
    wanted = trial_request(
        read_config(iteration.config),
        name=f"{experiment.name} #{iteration.number} (suggestions)"[:200],
        version_id=suggestions[0].base_version_id,
        suggestions=len(suggestions),
        pruned=pruned_keys(experiment),
    )
    each_has = len(wanted.variants) // len(suggestions)
    edits = [
        EditedParts(label=f"suggestion {each.number}", parts=each.parts)
        for each in suggestions
        for _ in range(each_has)
    ]
    context = RunContext(
        project_id=experiment.project_id,
        origin=ORIGIN,
        author_id=iteration.author_id,
        lock_name=f"experiment:{experiment.id}:trial",
        scope_ids=(experiment.id,),
    )
    return await run_plans.add_run(session, context=context, wanted=wanted, edits=edits)


def _message_of(refused: EdisonError) -> str:
    if isinstance(refused, Invalid):
        return " ".join(each.message for each in refused.problems)
    return refused.message


async def conclude(database: Database, iteration_id: UUID) -> None:
    """Stores the outcome and offers the suggestions, once the run has ended."""
    async with database.read() as session:
        iteration = await Iterations(session).find(iteration_id)
        if iteration is None or iteration.state != IterationState.TRYING:
            return
        experiment = await Experiments(session).find(iteration.experiment_id)
        if experiment is None:
            return
        run = await _find_run(session, iteration)
        rows = await Iterations(session).list_of([experiment.id])
        tried = await Suggestions(session).list_tried(iteration_id)
    if run is not None and not _has_ended(run):
        return
    trials: Mapping[UUID, TrialRead] = {}
    base = find_base(measured_rows([each for each, _ in rows if each.number <= iteration.number]))
    if run is not None and run.state == RunState.COMPLETED and base is not None and tried:
        measuring = _Measuring(
            database=database, experiment=experiment, iteration=iteration, run=run
        )
        trials = await measuring.measure(base, tried)
    async with database.write() as session:
        await _store(session, iteration_id, run, trials)


async def _find_run(session: AsyncSession, iteration: Iteration) -> Run | None:
    if iteration.trial_run_id is None:
        return None
    found = await Iterations(session).find_runs([iteration.trial_run_id])
    return found[0] if found else None


def _has_ended(run: Run) -> bool:
    """Whether it has results or will not have any without help. A pause by a user is waited for."""
    if run.state == RunState.PAUSED:
        return run.reason != _BY_PERSON
    return run.state in (RunState.COMPLETED, RunState.CANCELLED, RunState.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measuring:
    database: Database
    experiment: Experiment
    iteration: Iteration
    run: Run

    async def measure(self, base: Row, tried: Sequence[Suggestion]) -> Mapping[UUID, TrialRead]:
        """By suggestion; without those that share no score with the version they change."""
        found = await results.get_results(
            self.database, project_id=self.experiment.project_id, run_id=self.run.id
        )
        each_has = self.run.variant_count // len(tried)
        config = read_config(self.iteration.config)
        kept = kept_configurations(config, pruned_keys(self.experiment))[:each_has]
        places = {each.key: at for at, each in enumerate(base[1].variants)}
        trials = {}
        for at, suggestion in enumerate(tried):
            positions = range(at * each_has, (at + 1) * each_has)
            pairs = [
                (places[each.key], position)
                for each, position in zip(kept, positions, strict=True)
                if each.key in places
            ]
            trial = await self._compare(base, pairs, count=len(tried))
            if trial is not None:
                trials[suggestion.id] = trial.model_copy(
                    update={"criteria": _criteria(base, found, positions)}
                )
        return trials

    async def _compare(
        self, base: Row, pairs: Sequence[tuple[int, int]], *, count: int
    ) -> TrialRead | None:
        if base[0].run_id is None or not pairs:
            return None
        comparison = await results.compare_overall(
            self.database,
            project_id=self.experiment.project_id,
            baseline_id=base[0].run_id,
            other_id=self.run.id,
            # The best of several is looked for.
            alpha=ALPHA / count,
            pairs=pairs,
        )
        if comparison is None or comparison.difference.value is None:
            return None
        return TrialRead(
            run_id=self.run.id,
            version_label=base[0].version_label,
            comparison=comparison,
            criteria=[],
        )


def _criteria(base: Row, found: RunResults, positions: range) -> list[TrialCriterion]:
    means: dict[str, list[float]] = {}
    for position in positions:
        for each in found.variants[position].criteria:
            if each.mean.value is not None:
                means.setdefault(each.criterion, []).append(each.mean.value)
    return [
        TrialCriterion(
            name=each.name,
            before=each.mean,
            after=sum(means[each.key]) / len(means[each.key]) if each.key in means else None,
        )
        for each in base[1].criteria
    ]


async def _store(
    session: AsyncSession, iteration_id: UUID, run: Run | None, trials: Mapping[UUID, TrialRead]
) -> None:
    iterations = Iterations(session)
    iteration = await iterations.find(iteration_id, is_locked=True)
    if iteration is None or iteration.state != IterationState.TRYING:
        return
    experiment = await Experiments(session).find(iteration.experiment_id, is_locked=True)
    if experiment is None:
        return
    if run is not None and run.state in (RunState.PAUSED, RunState.FAILED):
        await runs.cancel_run(session, project_id=experiment.project_id, run_id=run.id)
    if run is not None:
        cost_nanos, tokens = await _spent(session, experiment, run.id)
        await iterations.change(
            iteration_id,
            {
                "refine_cost_nanos": iteration.refine_cost_nanos + cost_nanos,
                "refine_tokens": iteration.refine_tokens + tokens,
            },
        )
    if not trials:
        message = _GONE if run is None else run.message or "No answer could be scored."
        await _note_problem(session, iteration, message)
    tried = await Suggestions(session).list_tried(iteration_id)
    ranked = sorted(tried, key=lambda each: _rank(each, trials))
    for place, suggestion in enumerate(ranked):
        trial = trials.get(suggestion.id)
        values = {
            "trial": None if trial is None else trial.model_dump(mode="json"),
            # Lists are by time: the best is offered first.
            "created_at": clock.now() + timedelta(microseconds=place),
        }
        await Suggestions(session).change(suggestion.id, values)
    moved = await _offer(session, experiment, iteration, ranked)
    if moved is not None:
        await publish_iteration(session, experiment, moved)


def _rank(suggestion: Suggestion, trials: Mapping[UUID, TrialRead]) -> tuple[float, int]:
    trial = trials.get(suggestion.id)
    gain = None if trial is None else trial.comparison.difference.value
    return (float("inf") if gain is None else -gain, suggestion.number)


async def _spent(session: AsyncSession, experiment: Experiment, run_id: UUID) -> tuple[int, int]:
    found = [
        await budgets.sum_run(
            session, project_id=experiment.project_id, run_id=run_id, purpose=purpose
        )
        for purpose in _PURPOSES
    ]
    return sum(cost for cost, _ in found), sum(tokens for _, tokens in found)


async def _note_problem(session: AsyncSession, iteration: Iteration, message: str) -> None:
    current = await Iterations(session).find(iteration.id)
    if current is not None:
        refinement = {**(current.refinement or {}), "trial": message}
        await Iterations(session).change(iteration.id, {"refinement": refinement})


async def _offer(
    session: AsyncSession,
    experiment: Experiment,
    iteration: Iteration,
    suggestions: Sequence[Suggestion],
) -> Iteration | None:
    moved = await move(session, iteration, IterationState.REVIEWING)
    settings = await projects.get_settings(session, project_id=experiment.project_id)
    if settings.require_review_approval:
        await notify_review(session, experiment, iteration, suggestions)
    else:
        jobs.request(session, auto_review_job(iteration.id, experiment.project_id))
    return moved
