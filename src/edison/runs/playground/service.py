"""Runs of the playground: one prompt, several models side by side, by somebody who watches."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.schema import ErrorDetail
from edison.db.session import Database
from edison.jobs.job import Priority
from edison.kit.errors import Invalid
from edison.runs.plan import service as run_plans
from edison.runs.plan import types
from edison.runs.plan import types as snapshot
from edison.runs.playground.requests import name_fields, run_request
from edison.runs.playground.schemas import PlaygroundCheck, PlaygroundRequest
from edison.runs.read import service as runs

ORIGIN = "playground"


async def start_run(
    database: Database,
    *,
    project_id: UUID,
    user_id: UUID,
    wanted: PlaygroundRequest,
    at_once: int,
) -> UUID:
    """Raises Invalid with everything that is wrong, AlreadyRunning when the person has an active
    run of the playground in this project, or BudgetExhausted. Answers are kept until they are
    evicted, so that a column which did not change costs nothing.
    """
    context = _asker(
        project_id,
        user_id,
        priority=Priority.INTERACTIVE,
        lock_name=types.personal_lock(ORIGIN, project_id, user_id),
    )
    try:
        return await run_plans.start_run(
            database, context=context, wanted=run_request(wanted), at_once=at_once
        )
    except Invalid as invalid:
        raise Invalid(*name_fields(invalid.problems, wanted)) from invalid


async def add_run(
    session: AsyncSession,
    *,
    project_id: UUID,
    user_id: UUID,
    wanted: PlaygroundRequest,
    priority: Priority,
) -> UUID:
    """The same within a transaction, for runs that nobody started: they stand in nobody's way."""
    context = _asker(project_id, user_id, priority=priority, lock_name=None)
    return await run_plans.add_run(session, context=context, wanted=run_request(wanted))


def _asker(
    project_id: UUID, user_id: UUID, *, priority: Priority, lock_name: str | None
) -> snapshot.RunContext:
    return snapshot.RunContext(
        project_id=project_id,
        origin=ORIGIN,
        author_id=user_id,
        priority=priority,
        lock_name=lock_name,
        keep_for=None,
    )


async def check_run(
    database: Database,
    *,
    project_id: UUID,
    user_id: UUID,
    wanted: PlaygroundRequest,
    at_once: int,
) -> PlaygroundCheck:
    """What would become of the request. Nothing is asked, and nothing is written."""
    async with database.read() as session:
        running_id = await runs.find_active(
            session, lock_name=types.personal_lock(ORIGIN, project_id, user_id)
        )
    try:
        estimate = await run_plans.estimate_run(
            database,
            project_id=project_id,
            wanted=run_request(wanted),
            author_id=user_id,
            at_once=at_once,
        )
    except Invalid as invalid:
        problems = [
            ErrorDetail(field=each.field, message=each.message, code=each.code)
            for each in name_fields(invalid.problems, wanted)
        ]
        return PlaygroundCheck(problems=problems, estimate=None, running_id=running_id)
    return PlaygroundCheck(problems=[], estimate=estimate, running_id=running_id)
