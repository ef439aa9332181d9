"""Generates suggestions from the weaknesses of the answers. One process at a time per iteration.

Refiner answers are cached, so that a process that takes over after a crash repeats the calls at no
cost. Refiners see training cases only, never holdout cases.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, field
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.jobs.batch_writer import BatchWriter
from edison.kit import clock, ids
from edison.kit.errors import Exhausted, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import CallContext, Gateway
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.loops.experiments.drafts.configure import read_config, refiner_of
from edison.loops.experiments.drafts.strategy import open_strategy
from edison.loops.experiments.events import publish_iteration
from edison.loops.experiments.iterations import trial
from edison.loops.experiments.iterations.measure import metrics_of
from edison.loops.experiments.iterations.refiner_input import (
    RefinerContext,
    build_refiner_context,
    describe_exemplar,
    describe_targets,
)
from edison.loops.experiments.iterations.stop import complete, find_end
from edison.loops.experiments.iterations.transitions import move
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.notifications import (
    notify_failed,
    notify_no_change,
)
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.repository.suggestions import Suggestions
from edison.loops.experiments.states import IterationState, SuggestionState
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.path.question import Answer, CacheMode, unsent
from edison.pipeline.refine import suggestion as refined
from edison.pipeline.refine.parts import changed_parts
from edison.pipeline.refine.suggestion import NoChange, Proposal, RefinementFailed
from edison.pipeline.render.prompt import RenderedPrompt
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.errors import NotPermitted
from edison.workspace.budgets.types import Permit

PURPOSE = "refine"
# Lifetime of cached refiner answers: long enough to recover from an outage.
ANSWERS_KEPT = timedelta(days=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """Results of the optimizer. `unchanged` are notes of refiners that proposed no change."""

    suggestions: Sequence[refined.SuggestedEdit] = ()
    unchanged: Sequence[str] = ()
    failures: Sequence[str] = ()
    is_budget: bool = False
    ground: RefinerContext | None = field(default=None)

    @classmethod
    def of(cls, proposals: Sequence[Proposal], ground: RefinerContext) -> "Proposed":
        return cls(
            suggestions=[each for each in proposals if isinstance(each, refined.SuggestedEdit)],
            unchanged=[each.note for each in proposals if isinstance(each, NoChange)],
            failures=[
                " ".join(each.reasons) for each in proposals if isinstance(each, RefinementFailed)
            ],
            ground=ground,
        )


async def refine(
    database: Database, gateway: Gateway, batch_writer: BatchWriter, iteration_id: UUID
) -> None:
    """Returns when suggestions or the reasons for their absence are stored, or immediately if
    another process holds the claim.
    """
    if batch_writer.heartbeat.beat == 0:
        # The iteration refers to the process's row, which the first heartbeat writes.
        await batch_writer.beat()
    process_id = batch_writer.heartbeat.id
    async with database.write() as session:
        iteration = await Iterations(session).claim(iteration_id, process_id=process_id)
    if iteration is None:
        return
    try:
        proposed = await _propose(database, gateway, iteration)
        await gateway.flush()
        async with database.write() as session:
            await store_proposals(session, iteration_id, proposed)
    except NotPermitted:
        return
    finally:
        async with database.write() as session:
            await Iterations(session).release(iteration_id, process_id=process_id)


async def _propose(database: Database, gateway: Gateway, iteration: Iteration) -> Proposed:
    context = await build_refiner_context(database, iteration)
    if isinstance(context, str):
        return Proposed(failures=(context,))
    config = read_config(iteration.config)
    try:
        optimizer = open_strategy(config.limits, refiner_id=refiner_of(config))
    except Invalid as invalid:
        # It was valid when it was confirmed, in another version of Edison.
        return Proposed(failures=tuple(each.message for each in invalid.problems))
    tools = _RefinerTools(database=database, gateway=gateway, iteration=iteration, ground=context)
    try:
        proposals = await optimizer.propose(context.refiner_input, tools)
    except Exhausted as exhausted:
        return Proposed(failures=(exhausted.message,), is_budget=True)
    return Proposed.of(proposals, context)


class _RefinerTools:
    """Lets optimizers call models on behalf of an iteration."""

    def __init__(
        self, *, database: Database, gateway: Gateway, iteration: Iteration, ground: RefinerContext
    ) -> None:
        self._database = database
        self._gateway = gateway
        self._ground = ground
        self._context = CallContext(
            purpose=PURPOSE,
            scope_ids=(iteration.experiment_id,),
            keep_for=ANSWERS_KEPT,
            # Refining again must not return the cached answers of the first attempt.
            cache=CacheMode.USE if iteration.refinement is None else CacheMode.BYPASS,
            run_id=iteration.run_id,
            permit=Permit(check=_list_refined, subject_id=iteration.id),
        )

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        model = await self._find(model_id)
        if model is None:
            return _gone()
        return await self._gateway.answer(model, prompt, parameters, context=self._context)

    async def _find(self, model_id: UUID) -> CallableModel | None:
        async with self._database.read() as session:
            try:
                return await models.get_callable(
                    session, project_id=self._ground.project_id, model_id=model_id
                )
            except NotFound:
                return None


async def _list_refined(session: AsyncSession, ids: Collection[UUID]) -> Collection[UUID]:
    return await Iterations(session).list_refined(ids)


def _gone() -> Answer:
    failure = CallFailed(
        reason=FailureReason.MODEL_NOT_FOUND,
        message="The refiner's model was removed from the project.",
        is_retryable=False,
    )
    return unsent(failure)


NO_CHANGE = "The refiner saw no need for a change. Edit the prompt yourself, or end the experiment."
FAILED = "No usable change was suggested. Edit the prompt yourself, or go on without a change."


async def store_proposals(session: AsyncSession, iteration_id: UUID, proposed: Proposed) -> None:
    """Stores the suggestions and begins their trial, or ends the experiment if a stop rule applies.
    Without suggestions, stores why.
    """
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
    moved = await _continue(session, experiment, iteration, proposed, rows)
    if moved is not None:
        await publish_iteration(session, experiment, moved)


async def _spent(
    session: AsyncSession, experiment: Experiment, iteration: Iteration
) -> tuple[int, int]:
    """Cost and tokens from the ledger, including calls of crashed processes."""
    if iteration.run_id is None:
        return 0, 0
    return await budgets.sum_run(
        session, project_id=experiment.project_id, run_id=iteration.run_id, purpose=PURPOSE
    )


async def _continue(
    session: AsyncSession,
    experiment: Experiment,
    iteration: Iteration,
    proposed: Proposed,
    suggestions: Sequence[Suggestion],
) -> Iteration | None:
    if suggestions:
        return await trial.begin(session, experiment, iteration, suggestions)
    if proposed.failures and not proposed.unchanged:
        problem = "budget" if proposed.is_budget else "refining_failed"
        message = f"{FAILED} {' '.join(proposed.failures)}"
        moved = await move(
            session, iteration, IterationState.REVIEWING, problem=problem, message=message
        )
        if moved is not None:
            await notify_failed(session, experiment, moved)
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
            await notify_no_change(session, experiment, moved)
        return moved
    return await complete(session, experiment, iteration, stop)


def _rows(
    experiment: Experiment,
    iteration: Iteration,
    suggestions: Sequence[refined.SuggestedEdit],
    ground: RefinerContext,
) -> list[Suggestion]:
    now = clock.now()
    refiner_input = ground.refiner_input
    metrics = metrics_of(iteration)
    exemplars = [describe_exemplar(each, ground) for each in refiner_input.exemplars]
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
            parts=changed_parts(refiner_input.prompt, each.prompt),
            targets=describe_targets(each.targets, refiner_input.criteria, metrics),
            exemplars=exemplars,
            violations=[asdict(violation) for violation in each.exceeded],
        )
        for number, each in enumerate(suggestions, start=1)
    ]
