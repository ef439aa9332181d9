"""Drives a running A/B test: reads its rows, takes the next step, and repeats.

Steps are idempotent: each stores its result in one transaction, conditional on the state it started
from. Any process can resume after a crash, and nothing is repeated.
"""

from uuid import UUID

from edison.db.session import Database
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import Gateway
from edison.loops.abtests import batches, score
from edison.loops.abtests.models import AbTest
from edison.loops.abtests.repository import AbTests
from edison.loops.abtests.states import AbMode, AbTestState

# Steps of one job. The sweep continues tests with more to do.
MOST_STEPS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class AbTestTools:
    database: Database
    gateway: Gateway


async def drive(tools: AbTestTools, test_id: UUID) -> None:
    """Returns when the test waits for a run or for answers, or is over."""
    for _ in range(MOST_STEPS):
        async with tools.database.read() as session:
            test = await AbTests(session).find(test_id)
        if test is None or test.state != AbTestState.RUNNING:
            return
        is_recorded = test.mode == AbMode.RECORDED
        step = _take_recorded_step if is_recorded else _take_sampled_step
        if not await step(tools, test):
            return


async def _take_recorded_step(tools: AbTestTools, test: AbTest) -> bool:
    has_scored = await score.score_pending(tools.database, tools.gateway, test)
    await score.look_at_answers(tools.database, test.id)
    return has_scored


async def _take_sampled_step(tools: AbTestTools, test: AbTest) -> bool:
    """False while the run of the last batch is in progress."""
    async with tools.database.read() as session:
        found = await AbTests(session).list_batches(test.id)
    if not found or found[-1].ended_at is not None:
        await batches.begin(tools.database, test.id, at_once=tools.gateway.calls_per_credential)
        return True
    await batches.follow(tools.database, test, found[-1])
    async with tools.database.read() as session:
        following = await AbTests(session).list_batches(test.id)
    return following[-1].ended_at is not None
