"""Endpoints for operators."""

from uuid import UUID

from fastapi import status

from edison.api.parameters import PageParams
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.workspace.operations import service
from edison.workspace.operations.access import CurrentBatchWriter, CurrentQueue
from edison.workspace.operations.schemas import DeadJobRead, OperationsRead
from edison.workspace.operations.service import ProcessState
from edison.workspace.projects.access import Admin, AdminWithoutTransaction

router = api_router("/projects/{project}/operations", tag="operations")


@router.get("")
async def read_operations(
    member: AdminWithoutTransaction,
    database: CurrentDatabase,
    queue: CurrentQueue,
    batch_writer: CurrentBatchWriter,
) -> OperationsRead:
    """Returns the job queue, the running processes, and the number of dead jobs."""
    standing = ProcessState(
        overview=await queue.overview(),
        worked_by=queue.worked_by,
        is_embedded=database.is_sqlite,
        trouble=batch_writer.trouble,
        silence_seconds=batch_writer.heartbeat.silence_seconds,
    )
    async with database.read() as session:
        return await service.read_operations(
            session, project_id=member.project_id, standing=standing
        )


@router.get("/dead-jobs")
async def list_dead_jobs(member: Admin, page: PageParams, session: Session) -> Page[DeadJobRead]:
    """Lists the project's jobs that used up their attempts, latest first."""
    found = await service.list_dead_jobs(session, project_id=member.project_id, page=page)
    items = [DeadJobRead.of(job) for job in found.items]
    return Page(items=items, next=found.next, total=found.total)


@router.post("/dead-jobs/{job_id}/retry", status_code=status.HTTP_204_NO_CONTENT)
async def retry_dead_job(job_id: UUID, member: Admin, session: Session) -> None:
    """Queues a dead job again, with a fresh number of attempts."""
    await service.retry_dead_job(session, project_id=member.project_id, job_id=job_id)


@router.delete("/dead-jobs/{job_id}", status_code=status.HTTP_204_NO_CONTENT)
async def discard_dead_job(job_id: UUID, member: Admin, session: Session) -> None:
    """Deletes a dead job without running it."""
    await service.discard_dead_job(session, project_id=member.project_id, job_id=job_id)
