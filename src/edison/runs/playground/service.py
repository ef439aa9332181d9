"""Playground runs: one prompt on several models, interactive."""

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
    """Raises Invalid with all problems, RunAlreadyActive when the user has an active playground run
    in this project, or BudgetExhausted. Cached answers do not expire, so unchanged columns cost
    nothing.
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
    """Like `start_run`, within the caller's transaction, for automatic runs. Takes no lock."""
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
    """Validates and estimates the request. Calls no model and writes nothing."""
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
