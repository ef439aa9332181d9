"""Batches of a sampled A/B test: the next cases begin as one run, and are measured when it ends."""

from uuid import UUID

from edison.db.session import Database
from edison.jobs.job import Priority
from edison.kit import clock, ids
from edison.kit.errors import Conflict, Exhausted, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.abtests import conclude
from edison.loops.abtests.configure import (
    arm_choice,
    draw_cases,
    read_scorers,
    rename_problems,
    run_request,
)
from edison.loops.abtests.evidence import (
    has_come_to_nothing,
    plan_of,
    scores_of_batches,
    stored_scores,
)
from edison.loops.abtests.models import AbBatch, AbTest
from edison.loops.abtests.repository import AbTests
from edison.loops.abtests.states import AbArmName
from edison.loops.abtests.transitions import ORIGIN
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import RunEstimate, RunRequest
from edison.runs.plan.types import RunContext
from edison.runs.read import service as runs
from edison.runs.results import service as results
from edison.runs.store.models import Run
from edison.runs.store.states import RunState
from edison.workspace.budgets.errors import BudgetExhausted
from edison.workspace.resources import service as resources


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPlan:
    number: int
    case_ids: list[UUID]
    request: RunRequest
    estimate: RunEstimate


async def begin(database: Database, test_id: UUID, *, at_once: int) -> None:
    """Begins the next batch of a running test without an unfinished one; ends the test if it cannot
    go on. Run and batch are stored in one transaction.
    """
    try:
        plan = await _plan(database, test_id, at_once=at_once)
        if plan is None:
            await conclude.finish_sample(database, test_id)
            return
        await _start(database, test_id, plan)
    except BudgetExhausted as exhausted:
        await conclude.run_out(database, test_id, message=exhausted.message)
    except Invalid as invalid:
        message = conclude.sentence_of(rename_problems(invalid))
        await conclude.fail(database, test_id, reason="cannot_start", message=message)
    except (Conflict, Exhausted, NotFound) as refused:
        await conclude.fail(database, test_id, reason="cannot_start", message=refused.message)


async def _plan(database: Database, test_id: UUID, *, at_once: int) -> BatchPlan | None:
    """None when the dataset has no further cases. Counting tokens takes long, so it happens between
    transactions.
    """
    async with database.read() as session:
        tests = AbTests(session)
        test = await tests.find(test_id)
        if test is None:
            raise NotFound("The A/B test was deleted.")
        if test.dataset_id is None:
            raise NotFound("The dataset of this A/B test was deleted.")
        batches = await tests.list_batches(test_id)
        arms = await tests.list_arms([test_id])
        left = test.pairs - scores_of_batches(batches).count
        case_ids = draw_cases(
            await tests.list_case_ids(test.dataset_id),
            seed=test.seed,
            used=[UUID(each) for batch in batches for each in batch.case_ids],
            count=min(test.batch_pairs, left),
        )
        if not case_ids:
            return None
        number = len(batches) + 1
        request = run_request(
            arms=[arm_choice(arms[test_id, arm]) for arm in AbArmName],
            dataset_id=test.dataset_id,
            scorers=read_scorers(test),
            cases={"case_ids": case_ids},
            name=f"{test.name} #{number}",
        )
        survey = await run_plans.read_estimate_input(
            session,
            project_id=test.project_id,
            wanted=request,
            author_id=test.author_id,
            scope_ids=(test_id,),
        )
    estimate = await run_plans.compute_estimate(survey, at_once=at_once)
    return BatchPlan(number=number, case_ids=case_ids, request=request, estimate=estimate)


async def _start(database: Database, test_id: UUID, plan: BatchPlan) -> None:
    async with database.write() as session:
        test = await conclude.lock_running(session, test_id)
        tests = AbTests(session)
        if test is None or len(await tests.list_batches(test_id)) + 1 != plan.number:
            return
        context = RunContext(
            project_id=test.project_id,
            origin=ORIGIN,
            author_id=test.author_id,
            priority=Priority.BACKGROUND,
            scope_ids=(test_id,),
        )
        run_id = await run_plans.add_run(
            session, context=context, wanted=plan.request, estimate=plan.estimate
        )
        await tests.add_batch(
            AbBatch(
                id=ids.new_id(),
                test_id=test_id,
                number=plan.number,
                run_id=run_id,
                case_ids=[str(each) for each in plan.case_ids],
                created_at=clock.now(),
            )
        )
        await resources.publish(session, test)


async def follow(database: Database, test: AbTest, batch: AbBatch) -> None:
    """Measures the batch if its run has ended, and looks at the test. A run that waits for money is
    cancelled, and ends the test.
    """
    async with database.read() as session:
        run = None
        if batch.run_id is not None:
            run = (await AbTests(session).find_runs([batch.run_id])).get(batch.run_id)
    if run is None:
        message = f"The run of batch {batch.number} was deleted."
        await conclude.fail(database, test.id, reason="run_deleted", message=message)
        return
    match RunState(run.state):
        case RunState.COMPLETED:
            await _measure(database, test, batch, run.id)
        case RunState.CANCELLED:
            message = f"The run of batch {batch.number} was cancelled."
            await conclude.fail(database, test.id, reason="run_cancelled", message=message)
        case RunState.FAILED:
            await _cancel(database, test, run)
            message = run.message or f"The run of batch {batch.number} failed."
            reason = run.reason or "run_failed"
            await conclude.fail(database, test.id, reason=reason, message=message)
        case RunState.PAUSED if run.reason == "budget":
            await _cancel(database, test, run)
            message = run.message or "A budget was used up."
            await conclude.run_out(database, test.id, message=message)
        case _:
            return


async def _cancel(database: Database, test: AbTest, run: Run) -> None:
    async with database.write() as session:
        await runs.cancel_run(session, project_id=test.project_id, run_id=run.id)


async def _measure(database: Database, test: AbTest, batch: AbBatch, run_id: UUID) -> None:
    """Reads the results and decides without a transaction; stores them once."""
    digest = await results.digest_run(database, project_id=test.project_id, run_id=run_id)
    measures = {}
    for at, arm in enumerate(AbArmName):
        usage = digest.usage[at]
        seconds = usage.averages.seconds
        measures[arm.value] = {
            "scores": stored_scores(digest.composites[:, at]),
            "answers": usage.answers,
            "failed": usage.failed,
            "priced": usage.answers - usage.unpriced,
            "nanos": usage.answer_nanos,
            "timed": seconds.count,
            "seconds": seconds.mean * seconds.count,
        }
    async with database.read() as session:
        batches = await AbTests(session).list_batches(test.id)
    batch.measures = measures
    measured = [*(each for each in batches if each.number < batch.number), batch]
    scores = scores_of_batches(measured)
    result = await conclude.look_at(scores, plan_of(test))
    async with database.write() as session:
        locked = await conclude.lock_running(session, test.id)
        if locked is None or not await AbTests(session).end_batch(batch.id, measures):
            return
        if has_come_to_nothing(measured):
            message = f"No case of batch {batch.number} has a score for both answers."
            await conclude.fail_locked(session, test.id, reason=conclude.NO_SCORES, message=message)
            return
        await conclude.store_look(session, locked, result)
