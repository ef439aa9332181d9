"""Aggregates an iteration when its runs have finished: stores metrics, tests the leading version on
held-out cases, prunes weak variants, applies the stop rules.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.experiments.drafts.configure import kept_configurations, pruned_keys, read_config
from edison.loops.experiments.events import publish_iteration
from edison.loops.experiments.iterations.best import measured_rows
from edison.loops.experiments.iterations.early_stop import with_sampling
from edison.loops.experiments.iterations.gate import Tested, check_leader
from edison.loops.experiments.iterations.measure import gather
from edison.loops.experiments.iterations.stop import complete, find_end
from edison.loops.experiments.iterations.transitions import move
from edison.loops.experiments.models import Experiment, Iteration
from edison.loops.experiments.notifications import notify_failed, notify_finished
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.schemas.iterations import IterationMetrics
from edison.loops.experiments.states import IterationState
from edison.pipeline.refine.prune import WeakVariant, find_weak_variants
from edison.runs.read import service as runs
from edison.runs.read.schemas import RunDetail
from edison.runs.results import service as results
from edison.workspace.budgets import service as budgets

# Purposes of ledger entries.
_PURPOSES = ("answer", "judge")
ANSWERS_FAILED = "answers_failed"
UNANSWERED = "No model answered, so there was nothing to judge."
UNJUDGED = (
    "No answer could be judged. The answers are there to look at; see that the judges can be "
    "reached, and start another iteration."
)


async def sum_up(database: Database, iteration_id: UUID) -> None:
    async with database.read() as session:
        iteration = await Iterations(session).find(iteration_id)
        if iteration is None or iteration.state != IterationState.AGGREGATING:
            return
        experiment = await Experiments(session).find(iteration.experiment_id)
        if experiment is None or iteration.run_id is None:
            return
        rows = await Iterations(session).list_of([experiment.id])
        run = await _get_run(session, experiment, iteration.run_id)
        tokens = await _count_tokens(session, experiment, iteration)
        holdout = (
            None
            if iteration.holdout_run_id is None
            else await _get_run(session, experiment, iteration.holdout_run_id)
        )
    earlier = [
        each for each, _ in rows if each.number < iteration.number and each.metrics is not None
    ]
    config = read_config(iteration.config)
    keys = [each.key for each in kept_configurations(config, pruned_keys(experiment))]
    metrics = await gather(
        database,
        project_id=experiment.project_id,
        runs=(run, holdout),
        keys=keys,
        earlier=earlier,
        tokens=tokens,
    )
    if config.limits.is_adaptive:
        metrics = with_sampling(metrics, iteration)
    weak: Sequence[WeakVariant] = ()
    # Skipped after an early stop: the fixed-sample test is not valid after interim looks.
    if config.limits.prunes_weak_variants and iteration.sampling is None:
        digest = await results.digest_run(database, project_id=experiment.project_id, run_id=run.id)
        weak = find_weak_variants(digest.summary, iteration=iteration.number)
    tested = await check_leader(
        database, experiment, iteration, [*measured_rows(earlier), (iteration, metrics)]
    )
    async with database.write() as session:
        await _store(session, iteration_id, Measurements(metrics=metrics, weak=weak, tested=tested))


async def _get_run(session: AsyncSession, experiment: Experiment, run_id: UUID) -> RunDetail:
    return await runs.get_run(session, project_id=experiment.project_id, run_id=run_id)


async def _count_tokens(
    session: AsyncSession, experiment: Experiment, iteration: Iteration
) -> tuple[int, int]:
    """Tokens of answers and of judging, from the ledger. Cached answers count as zero."""
    counted = dict.fromkeys(_PURPOSES, 0)
    run_ids = [each for each in (iteration.run_id, iteration.holdout_run_id) if each is not None]
    for run_id in run_ids:
        for purpose in _PURPOSES:
            _, tokens = await budgets.sum_run(
                session, project_id=experiment.project_id, run_id=run_id, purpose=purpose
            )
            counted[purpose] += tokens
    return counted["answer"], counted["judge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurements:
    """`tested` is the version that the gate tested: this iteration's, or an earlier one's."""

    metrics: IterationMetrics
    weak: Sequence[WeakVariant]
    tested: Tested | None


async def _store(session: AsyncSession, iteration_id: UUID, measured: Measurements) -> None:
    iterations, experiments = Iterations(session), Experiments(session)
    iteration = await iterations.find(iteration_id, is_locked=True)
    if iteration is None or iteration.state != IterationState.AGGREGATING:
        return
    experiment = await experiments.find(iteration.experiment_id, is_locked=True)
    if experiment is None:
        return
    stored = {iteration_id: measured.metrics}
    if measured.tested is not None:
        stored[measured.tested.iteration_id] = measured.tested.metrics
    for changed_id, metrics in stored.items():
        await iterations.change(changed_id, {"metrics": metrics.model_dump(mode="json")})
    if measured.weak:
        pruned = [*experiment.pruned, *_pruned(iteration, measured.metrics, measured.weak)]
        await experiments.change(experiment.id, {"pruned": pruned})
    moved = await _continue(session, experiment, iteration, measured.metrics)
    if moved is not None:
        await publish_iteration(session, experiment, moved)


async def _continue(
    session: AsyncSession,
    experiment: Experiment,
    iteration: Iteration,
    metrics: IterationMetrics,
) -> Iteration | None:
    if metrics.is_unjudged:
        if metrics.failed == metrics.answers:
            state, problem, message = IterationState.FAILED, ANSWERS_FAILED, UNANSWERED
        else:
            state, problem, message = IterationState.COMPLETED, "judging_failed", UNJUDGED
        moved = await move(session, iteration, state, problem=problem, message=message)
        if moved is not None:
            await notify_failed(session, experiment, moved)
        return moved
    await notify_finished(session, experiment, iteration, metrics)
    stop = await find_end(session, experiment, has_suggestion=None)
    if stop is None:
        return await move(session, iteration, IterationState.REFINING)
    return await complete(session, experiment, iteration, stop)


def _pruned(
    iteration: Iteration, metrics: IterationMetrics, weak: Sequence[WeakVariant]
) -> list[dict[str, Any]]:
    """Weak variants as stored with the experiment; `each.variant` is a position in the run."""
    return [
        {
            "variant": metrics.variants[int(each.variant)].key,
            "label": metrics.variants[int(each.variant)].label,
            "iteration": iteration.number,
            "message": each.message,
        }
        for each in weak
    ]
