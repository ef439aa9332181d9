"""Moves A/B tests from state to state, and the job that drives them."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.job import Job
from edison.kit import clock
from edison.loops.abtests.models import AbTest
from edison.loops.abtests.notifications import notify_ended
from edison.loops.abtests.repository import AbTests
from edison.loops.abtests.states import NEXT, OVER, AbTestState
from edison.workspace.resources import service as resources

# The origin of a test's runs.
ORIGIN = "ab_test"
DRIVE = "drive_ab_test"


async def move(
    session: AsyncSession, test: AbTest, state: AbTestState, **values: Any
) -> AbTest | None:
    """Returns the test in its new state; None if its current state does not allow the transition.
    Records the end, publishes and notifies: call it last.
    """
    if state not in NEXT[AbTestState(test.state)]:
        return None
    if state in OVER:
        values["ended_at"] = clock.now()
    moved = await AbTests(session).change_state(test.id, AbTestState(test.state), state, values)
    if moved is None:
        return None
    if state in OVER:
        await notify_ended(session, moved)
        result = moved.result or {}
        after = {"state": state, "recommendation": result.get("recommendation")}
        await resources.note(session, moved, "ended", after=after)
    return moved


def drive_job(test_id: UUID, project_id: UUID) -> Job:
    return Job(
        task=DRIVE,
        key=f"{DRIVE}:{test_id}",
        payload={"test_id": str(test_id)},
        project_id=project_id,
    )
