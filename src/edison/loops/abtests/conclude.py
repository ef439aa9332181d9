"""Ends A/B tests: stores looks and decisions, failures and the lack of money."""

import asyncio
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import EdisonError, Invalid
from edison.loops.abtests.evidence import (
    PairedScores,
    plan_of,
    read_result,
    scores_of_answers,
    scores_of_batches,
)
from edison.loops.abtests.models import AbTest
from edison.loops.abtests.repository import AbAnswers, AbTests
from edison.loops.abtests.states import AbMode, AbTestState
from edison.loops.abtests.transitions import move
from edison.pipeline.aggregate.ab_test import AbPlan, AbResult, decide
from edison.workspace.resources import service as resources

NO_SCORES = "no_scores"


async def read_scores(session: AsyncSession, test: AbTest) -> PairedScores:
    tests = AbTests(session)
    if test.mode == AbMode.RECORDED:
        return scores_of_answers(await AbAnswers(tests).list_scores(test.id))
    return scores_of_batches(await tests.list_batches(test.id))


async def look_at(
    scores: PairedScores, plan: AbPlan, *, has_money: bool = True, is_stopped: bool = False
) -> AbResult:
    """In a thread: the test of a complete A/B test resamples."""
    return await asyncio.to_thread(
        decide,
        scores.first,
        scores.second,
        plan,
        has_money=has_money,
        is_stopped=is_stopped,
    )


async def store_look(session: AsyncSession, test: AbTest, result: AbResult) -> None:
    """Stores the look of a locked test, which ends if it is decided. Call it last."""
    stored = read_result(result).model_dump(mode="json")
    if result.stop is not None:
        await move(session, test, AbTestState(result.stop), result=stored)
    elif stored != test.result:
        await AbTests(session).set_result(test.id, stored)
        await resources.publish(session, test)


async def finish_sample(database: Database, test_id: UUID) -> None:
    """Ends a test whose dataset has no further cases, because some answers have no score: the pairs
    that there are count as the planned ones.
    """
    async with database.read() as session:
        test = await AbTests(session).find(test_id)
        if test is None:
            return
        scores = await read_scores(session, test)
    if not scores.count:
        message = "No case has a score for both answers."
        await fail(database, test_id, reason=NO_SCORES, message=message)
        return
    plan = AbPlan(pairs=scores.count, worthwhile=test.worthwhile)
    result = await look_at(scores, plan)
    async with database.write() as session:
        locked = await lock_running(session, test_id)
        if locked is not None:
            await store_look(session, locked, result)


async def run_out(database: Database, test_id: UUID, *, message: str) -> None:
    """Ends a test whose next answers cannot be paid for."""
    async with database.read() as session:
        test = await AbTests(session).find(test_id)
        if test is None:
            return
        scores = await read_scores(session, test)
    result = await look_at(scores, plan_of(test), has_money=False)
    if result.stop is None:
        return
    stored = read_result(result).model_dump(mode="json")
    async with database.write() as session:
        locked = await lock_running(session, test_id)
        if locked is not None:
            state = AbTestState(result.stop)
            await move(session, locked, state, result=stored, reason="budget", message=message)


async def fail(database: Database, test_id: UUID, *, reason: str, message: str) -> None:
    async with database.write() as session:
        await fail_locked(session, test_id, reason=reason, message=message)


async def fail_locked(session: AsyncSession, test_id: UUID, *, reason: str, message: str) -> None:
    test = await lock_running(session, test_id)
    if test is not None:
        await move(session, test, AbTestState.FAILED, reason=reason[:40], message=message)


async def lock_running(session: AsyncSession, test_id: UUID) -> AbTest | None:
    """None unless the test is running."""
    test = await AbTests(session).find(test_id, is_locked=True)
    return test if test is not None and test.state == AbTestState.RUNNING else None


def sentence_of(refused: EdisonError) -> str:
    """The message of a refusal; for several problems, all of their messages."""
    if isinstance(refused, Invalid):
        return " ".join(dict.fromkeys(each.message for each in refused.problems))
    return refused.message
