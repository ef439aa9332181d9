"""What the background tasks of the demo project share: their jobs, the owner, and whether work is
under way.
"""

from collections.abc import Awaitable, Callable
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs.job import Job, Priority
from edison.loops.monitors.models import Monitor, MonitorCheck
from edison.loops.monitors.states import ACTIVE
from edison.runs.store.models import Run
from edison.runs.store.states import RunState
from edison.workspace.projects.models import Project, ProjectMember, Role

_BUSY = (RunState.PENDING, RunState.EXECUTING, RunState.SCORING, RunState.AGGREGATING)


async def list_demo_jobs(
    session: AsyncSession, task: str, has_step: Callable[[UUID], Awaitable[bool]]
) -> list[Job]:
    """A job for each demo project with a step of the task left."""
    found = await session.scalars(select(Project.id).where(Project.is_demo))
    return [
        Job(
            task=task,
            key=f"{task}:{project_id}",
            payload={"project_id": str(project_id)},
            priority=Priority.BACKGROUND,
            project_id=project_id,
        )
        for project_id in found.all()
        if await has_step(project_id)
    ]


async def find_owner(session: AsyncSession, project_id: UUID) -> UUID | None:
    return await session.scalar(
        select(ProjectMember.user_id).where(
            ProjectMember.project_id == project_id, ProjectMember.role == Role.OWNER
        )
    )


async def is_busy(session: AsyncSession, project_id: UUID) -> bool:
    """Whether runs are under way, or a check, also one that has no run yet."""
    run = select(Run.id).where(Run.project_id == project_id, Run.state.in_(_BUSY))
    check = (
        select(MonitorCheck.id)
        .join(Monitor, Monitor.id == MonitorCheck.monitor_id)
        .where(Monitor.project_id == project_id, MonitorCheck.state.in_(ACTIVE))
    )
    found = [await session.scalar(each.limit(1)) for each in (run, check)]
    return any(each is not None for each in found)
