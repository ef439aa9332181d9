"""Actions on an A/B test: start, stop, record answers, estimate."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.jobs import job as jobs
from edison.kit import clock, ids
from edison.loops.abtests import service, view
from edison.loops.abtests.conclude import look_at, read_scores
from edison.loops.abtests.configure import validate
from edison.loops.abtests.errors import NotRecorded, WrongAbTestState
from edison.loops.abtests.evidence import plan_of, read_result
from edison.loops.abtests.models import AbTest
from edison.loops.abtests.repository import AbAnswers, AbTests
from edison.loops.abtests.schemas import (
    AbAnswerFilter,
    AbAnswerRead,
    AbTestConfig,
    AbTestDetail,
    AbTestEstimate,
    RecordedAnswer,
    RecordedAnswersRead,
)
from edison.loops.abtests.score import freeze
from edison.loops.abtests.states import AbMode, AbTestState, AnswerState
from edison.loops.abtests.transitions import drive_job, move
from edison.runs.plan import service as run_plans
from edison.runs.read import service as runs
from edison.runs.store.states import OVER as RUN_OVER
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.types import Need
from edison.workspace.resources import service as resources

_SAME = "Duplicate it to test again."
_START = "Start it first."


async def start_test(
    session: AsyncSession, *, project_id: UUID, test_id: UUID, author_id: UUID
) -> AbTestDetail:
    """Fixes the plan and the scorers, and queues the first step. Raises Invalid when it cannot run,
    BudgetExhausted, Archived and WrongAbTestState.
    """
    tests = AbTests(session)
    test = await resources.lock_active(tests, project_id, test_id)
    if test.state != AbTestState.DRAFT:
        raise WrongAbTestState(AbTestState(test.state), advice=_SAME)
    config = await service.read_config(session, test)
    valid = await validate(session, project_id=project_id, wanted=config, author_id=author_id)
    if test.mode == AbMode.SAMPLED:
        need = Need(real_nanos=None if valid.is_simulated else 0)
        await budgets.check_open(session, project_id=project_id, scope_ids=(test_id,), need=need)
    scoring = await run_plans.plan_scoring(
        session, project_id=project_id, requests=config.scorers, author_id=author_id
    )
    moved = await move(
        session,
        test,
        AbTestState.RUNNING,
        started_at=clock.now(),
        config=test.config | freeze(scoring),
    )
    if moved is None:
        raise WrongAbTestState(AbTestState(test.state), advice=_SAME)
    jobs.request(session, drive_job(test_id, project_id))
    await resources.note(session, moved, "started")
    return await service.get_test(session, project_id=project_id, test_id=test_id)


async def stop_test(
    session: AsyncSession, *, project_id: UUID, test_id: UUID, note: str, author_id: UUID
) -> AbTestDetail:
    """Ends the test with the evidence so far, and cancels the run of an unfinished batch, which
    does not count. Raises WrongAbTestState.
    """
    tests = AbTests(session)
    test = await tests.get(project_id, test_id, to_change=True)
    if test.state != AbTestState.RUNNING:
        raise WrongAbTestState(AbTestState(test.state), advice="There is nothing to stop.")
    await _cancel_run(session, test)
    result = await look_at(await read_scores(session, test), plan_of(test), is_stopped=True)
    await move(
        session,
        test,
        AbTestState(result.stop or AbTestState.STOPPED),
        result=read_result(result).model_dump(mode="json"),
        note=note or None,
        stopped_by_id=author_id,
    )
    return await service.get_test(session, project_id=project_id, test_id=test_id)


async def _cancel_run(session: AsyncSession, test: AbTest) -> None:
    tests = AbTests(session)
    batches = await tests.list_batches(test.id)
    run_ids = [each.run_id for each in batches if each.ended_at is None and each.run_id is not None]
    for run in (await tests.find_runs(run_ids)).values():
        if run.state not in RUN_OVER:
            await runs.cancel_run(session, project_id=test.project_id, run_id=run.id)


async def record_answers(
    session: AsyncSession, *, project_id: UUID, test_id: UUID, answers: Sequence[RecordedAnswer]
) -> RecordedAnswersRead:
    """Idempotent for answers with an id. Raises NotRecorded and WrongAbTestState."""
    tests = AbTests(session)
    test = await tests.get(project_id, test_id, to_change=True)
    if test.mode != AbMode.RECORDED:
        raise NotRecorded
    if test.state != AbTestState.RUNNING:
        advice = _START if test.state == AbTestState.DRAFT else "It takes no more answers."
        raise WrongAbTestState(AbTestState(test.state), advice=advice, path="state")
    recorded = AbAnswers(tests)
    known = await recorded.find_recorded(test_id, [each.id for each in answers if each.id])
    new = [each for each in answers if each.id is None or each.id not in known]
    if new:
        first = await tests.add_answer_numbers(test_id, len(new))
        await recorded.add(
            [_row(test_id, number, each) for number, each in enumerate(new, start=first)]
        )
        jobs.request(session, drive_job(test_id, project_id))
    pending = await recorded.count_pending(test_id)
    if new:
        await resources.note(session, test, "answers_recorded", after={"answers": len(new)})
    return RecordedAnswersRead(
        recorded=len(new),
        repeated=len(answers) - len(new),
        pending=pending,
        state=AbTestState(test.state),
    )


def _row(test_id: UUID, number: int, answer: RecordedAnswer) -> dict[str, Any]:
    return {
        "id": ids.new_id(),
        "test_id": test_id,
        "number": number,
        "external_id": answer.id,
        "arm": answer.arm,
        "state": AnswerState.PENDING if answer.score is None else AnswerState.SCORED,
        "inputs": answer.inputs,
        "expected": answer.expected,
        "answer": answer.answer,
        "score": answer.score,
        "cost_nanos": 0,
        "created_at": clock.now(),
    }


async def list_answers(
    session: AsyncSession,
    *,
    project_id: UUID,
    test_id: UUID,
    wanted: AbAnswerFilter,
    page: PageRequest,
) -> Slice[AbAnswerRead]:
    tests = AbTests(session)
    test = await tests.get(project_id, test_id)
    found = await AbAnswers(tests).page_of(test.id, wanted=wanted, page=page)
    return found.with_items([view.read_answer(each) for each in found.items])


async def estimate_test(
    database: Database, *, project_id: UUID, wanted: AbTestConfig, author_id: UUID, at_once: int
) -> AbTestEstimate:
    """Calls no model and writes nothing."""
    async with database.read() as session:
        valid = await validate(session, project_id=project_id, wanted=wanted, author_id=author_id)
    if valid.survey is None:
        return AbTestEstimate(run=None, fits_budget=None)
    estimate = await run_plans.compute_estimate(valid.survey, at_once=at_once)
    high, budget = estimate.cost.high_usd, wanted.budget_usd
    fits = None if high is None or budget is None else high <= budget
    return AbTestEstimate(run=estimate, fits_budget=fits)
