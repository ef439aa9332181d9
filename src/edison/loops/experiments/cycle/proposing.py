"""Stores what refining came to, and hands it to people."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs import job as jobs
from edison.kit import clock, ids
from edison.loops.experiments.cycle.control import auto_review_job, move
from edison.loops.experiments.cycle.ending import end, find_end
from edison.loops.experiments.cycle.measuring import metrics_of
from edison.loops.experiments.cycle.situations import (
    Groundwork,
    describe_exemplar,
    describe_targets,
)
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.notes import publish_iteration
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.repository.suggestions import Suggestions
from edison.loops.experiments.states import IterationState, SuggestionState
from edison.loops.experiments.telling import (
    tell_of_end,
    tell_of_failure,
    tell_of_no_change,
    tell_of_review,
)
from edison.pipeline.refine import suggestion as refined
from edison.pipeline.refine.suggestion import NoChange, Proposal, RefinementFailed
from edison.workspace.budgets import service as budgets
from edison.workspace.projects import service as projects

PURPOSE = "refine"
NO_CHANGE = "The refiner saw no need for a change. Edit the prompt yourself, or end the experiment."
FAILED = "No usable change was suggested. Edit the prompt yourself, or go on without a change."


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """`unchanged` are notes of refiners that saw no need for a change."""

    suggestions: Sequence[refined.Suggestion] = ()
    unchanged: Sequence[str] = ()
    failures: Sequence[str] = ()
    is_budget: bool = False
    ground: Groundwork | None = field(default=None)

    @classmethod
    def of(cls, proposals: Sequence[Proposal], ground: Groundwork) -> "Proposed":
        return cls(
            suggestions=[each for each in proposals if isinstance(each, refined.Suggestion)],
            unchanged=[each.note for each in proposals if isinstance(each, NoChange)],
            failures=[
                " ".join(each.reasons) for each in proposals if isinstance(each, RefinementFailed)
            ],
            ground=ground,
        )


async def keep_proposals(session: AsyncSession, iteration_id: UUID, proposed: Proposed) -> None:
    """Suggestions wait for somebody; without any, it is told why."""
    iterations = Iterations(session)
    iteration = await iterations.find(iteration_id, is_locked=True)
    if iteration is None or iteration.state != IterationState.REFINING:
        return
    experiment = await Experiments(session).find(iteration.experiment_id, is_locked=True)
    if experiment is None:
        return
    cost_nanos, tokens = await _spent(session, experiment, iteration)
    await iterations.change(
        iteration_id,
        {
            "refinement": {
                "unchanged": list(proposed.unchanged),
                "failures": list(proposed.failures),
            },
            "refine_cost_nanos": cost_nanos,
            "refine_tokens": tokens,
        },
    )
    rows: Sequence[Suggestion] = ()
    if proposed.suggestions and proposed.ground is not None:
        rows = _rows(experiment, iteration, proposed.suggestions, proposed.ground)
        await Suggestions(session).add_all(rows)
    moved = await _go_on(session, experiment, iteration, proposed, rows)
    if moved is not None:
        await publish_iteration(session, experiment, moved)


async def _spent(
    session: AsyncSession, experiment: Experiment, iteration: Iteration
) -> tuple[int, int]:
    """By the ledger, which also knows of what a process spent that did not live to tell."""
    if iteration.run_id is None:
        return 0, 0
    return await budgets.sum_up_run(
        session, project_id=experiment.project_id, run_id=iteration.run_id, purpose=PURPOSE
    )


async def _go_on(
    session: AsyncSession,
    experiment: Experiment,
    iteration: Iteration,
    proposed: Proposed,
    suggestions: Sequence[Suggestion],
) -> Iteration | None:
    settings = await projects.get_settings(session, project_id=experiment.project_id)
    if suggestions:
        moved = await move(session, iteration, IterationState.REVIEWING)
        if settings.require_review_approval:
            await tell_of_review(session, experiment, iteration, suggestions)
        else:
            jobs.request(session, auto_review_job(iteration.id, experiment.project_id))
        return moved
    if proposed.failures and not proposed.unchanged:
        problem = "budget" if proposed.is_budget else "refining_failed"
        message = f"{FAILED} {' '.join(proposed.failures)}"
        moved = await move(
            session, iteration, IterationState.REVIEWING, problem=problem, message=message
        )
        if moved is not None:
            await tell_of_failure(session, experiment, moved)
        return moved
    stop = await find_end(session, experiment, has_suggestion=False)
    if stop is None:
        moved = await move(
            session,
            iteration,
            IterationState.REVIEWING,
            problem="no_suggestion",
            message=NO_CHANGE,
        )
        if moved is not None:
            await tell_of_no_change(session, experiment, moved)
        return moved
    moved = await move(session, iteration, IterationState.COMPLETED)
    if moved is not None:
        await end(session, experiment.id, reason=stop.reason, message=stop.message)
        await tell_of_end(session, experiment, stop.message)
    return moved


def _rows(
    experiment: Experiment,
    iteration: Iteration,
    suggestions: Sequence[refined.Suggestion],
    ground: Groundwork,
) -> list[Suggestion]:
    now = clock.now()
    situation = ground.situation
    metrics = metrics_of(iteration)
    exemplars = [describe_exemplar(each, ground) for each in situation.exemplars]
    return [
        Suggestion(
            id=ids.new_id(),
            project_id=experiment.project_id,
            experiment_id=experiment.id,
            iteration_id=iteration.id,
            number=number,
            origin=each.origin,
            state=SuggestionState.PENDING,
            base_version_id=ground.version.id,
            is_repaired=each.is_repaired,
            text_name=each.text_name,
            created_at=now,
            note=each.note,
            diff=each.diff,
            text=each.prompt.text,
            targets=describe_targets(each.targets, situation.criteria, metrics),
            exemplars=exemplars,
            violations=[asdict(violation) for violation in each.exceeded],
        )
        for number, each in enumerate(suggestions, start=1)
    ]
