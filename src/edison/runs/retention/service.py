"""Old runs are archived, and later deleted, as the project's settings say.

A run is archived `archive_days` after it ended, and deleted `retention_days` after it ended, but
not within a week of being archived. Runs that a person keeps, and runs that are evidence of an
experiment, an optimization, an A/B test or a monitor's baseline, stay. Nothing happens before an
admin has confirmed it once. Sums of ledger entries stay, so that spending still adds up.
"""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock
from edison.kit.errors import Conflict
from edison.kit.hook import Hook
from edison.runs.read import service as runs
from edison.runs.retention.repository import OldRuns
from edison.runs.retention.schemas import RetentionPart, RetentionRead
from edison.runs.retention.types import DueRuns, OldRun, sort_old_runs
from edison.workspace.audit import service as audit
from edison.workspace.budgets import service as budgets
from edison.workspace.projects.models import ProjectSettings

find_evidence: Hook[[AsyncSession, UUID], Collection[UUID]] = Hook(
    "Before old runs of a project are archived or deleted: ids of runs that must stay."
)

ARCHIVED_FOR = timedelta(days=7)


async def preview(session: AsyncSession, *, project_id: UUID) -> RetentionRead:
    settings = await OldRuns(session).get_settings(project_id)
    due = await _find_due(session, settings)
    return RetentionRead(
        archive_days=settings.archive_days,
        retention_days=settings.retention_days,
        confirmed_at=settings.retention_confirmed_at,
        to_archive=RetentionPart.of(due.to_archive),
        to_delete=RetentionPart.of(due.to_delete),
        kept_runs=due.kept,
        evidence_runs=due.evidence,
    )


async def confirm(session: AsyncSession, *, project_id: UUID) -> RetentionRead:
    """Raises Conflict when it is confirmed already, or runs are kept forever."""
    settings = await OldRuns(session).get_settings(project_id)
    if settings.retention_days == 0:
        raise Conflict("This project keeps its runs forever. Set a number of days first.")
    if settings.retention_confirmed_at is not None:
        raise Conflict("It is confirmed already.")
    settings.retention_confirmed_at = clock.now()
    audit.record(
        session,
        "retention.confirmed",
        entity=("settings", project_id),
        project_id=project_id,
        after={
            "archive_days": settings.archive_days,
            "retention_days": settings.retention_days,
        },
    )
    await session.flush()
    return await preview(session, project_id=project_id)


async def apply_all(database: Database) -> None:
    async with database.read() as session:
        project_ids = await OldRuns(session).list_confirmed_projects()
    for project_id in project_ids:
        await apply(database, project_id=project_id)


async def apply(database: Database, *, project_id: UUID) -> None:
    """Archives and deletes what is due. May be interrupted: the next time continues."""
    async with database.read() as session:
        settings = await OldRuns(session).get_settings(project_id)
        due = await _find_due(session, settings)
    if settings.retention_confirmed_at is None:
        return
    if due.to_archive:
        async with database.write() as session:
            archived = await OldRuns(session).archive(
                [run.id for run in due.to_archive], now=clock.now()
            )
            _record(session, project_id, "retention.archived", archived, due.to_archive)
    deleted = [run for run in due.to_delete if await _delete(database, project_id, run)]
    if deleted:
        async with database.write() as session:
            _record(session, project_id, "retention.deleted", len(deleted), deleted)


async def _delete(database: Database, project_id: UUID, run: OldRun) -> bool:
    """False if the run was kept or restored in the meantime.

    One transaction for each run: deleting a large one takes seconds, during which SQLite has no
    other writer.
    """
    async with database.write() as session:
        if not await OldRuns(session).is_due(run.id, archived_before=clock.now() - ARCHIVED_FOR):
            return False
        await runs.delete_run(session, project_id=project_id, run_id=run.id)
        await budgets.sum_up_calls(session, run_id=run.id)
        return True


async def _find_due(session: AsyncSession, settings: ProjectSettings) -> DueRuns:
    """Nothing when the project keeps its runs forever."""
    if settings.retention_days == 0:
        return DueRuns()
    now = clock.now()
    archived_until = now - timedelta(days=min(settings.archive_days, settings.retention_days))
    old = await OldRuns(session).list_ended_before(settings.project_id, archived_until)
    found = await find_evidence.fire(session, settings.project_id)
    return sort_old_runs(
        old,
        evidence={run_id for run_ids in found for run_id in run_ids},
        deleted_until=now - timedelta(days=settings.retention_days),
        archived_until=now - ARCHIVED_FOR,
    )


def _record(
    session: AsyncSession, project_id: UUID, action: str, count: int, runs: Collection[OldRun]
) -> None:
    audit.record(
        session,
        action,
        entity=("settings", project_id),
        project_id=project_id,
        after={"runs": count, "names": [run.name for run in runs][:20]},
    )
