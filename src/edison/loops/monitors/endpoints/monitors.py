"""Endpoints of monitors and their checks."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, Response, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router, raises
from edison.api.schema import CleanText, Page
from edison.api.session import CurrentDatabase, Session
from edison.kit.errors import Exhausted
from edison.library.calls.access import CurrentGateway
from edison.loops.monitors import advice, control, draft, estimate, service, trend
from edison.loops.monitors.schemas.advice import MonitoredModels
from edison.loops.monitors.schemas.checks import CheckFilter, Days, MonitorCheckRead, TrendRead
from edison.loops.monitors.schemas.monitors import (
    BaselineRequest,
    DraftSource,
    MonitorChange,
    MonitorCopyRequest,
    MonitorDetail,
    MonitorDraft,
    MonitorEstimate,
    MonitorFilter,
    MonitorPlan,
    MonitorRequest,
    MonitorSummary,
    MuteRequest,
    ScheduleRead,
)
from edison.workspace.projects.access import (
    Editor,
    EditorWithoutTransaction,
    Viewer,
    ViewerWithoutTransaction,
)

router = api_router("/projects/{project}/monitors", tag="monitors")


@router.get("", response_model=Page[MonitorSummary])
async def list_monitors(
    member: Viewer,
    wanted: Annotated[MonitorFilter, read_into(MonitorFilter)],
    page: PageParams,
    session: Session,
) -> Slice[MonitorSummary]:
    """Returns the project's monitors with their last checks and open alerts."""
    return await service.list_monitors(
        session, project_id=member.project_id, wanted=wanted, page=page
    )


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_monitor(body: MonitorRequest, member: Editor, session: Session) -> MonitorDetail:
    """Creates a monitor, which checks from its next time on."""
    return await service.create_monitor(
        session, project_id=member.project_id, wanted=body, author_id=member.user_id
    )


@router.get("/schedule")
async def preview_schedule(
    member: Viewer,
    cron: Annotated[CleanText, Query(max_length=1000, examples=["0 9 * * 1-5"])],
) -> ScheduleRead:
    """Explains a schedule, with its next five times and the presets."""
    return estimate.preview_schedule(cron)


@router.get("/draft")
async def draft_monitor(
    member: Viewer, source: Annotated[DraftSource, read_into(DraftSource)], session: Session
) -> MonitorDraft:
    """Returns values for the form of a new monitor, from a run or a prompt."""
    return await draft.draft_monitor(session, project_id=member.project_id, source=source)


@router.post("/estimate")
async def estimate_monitor(
    body: MonitorPlan,
    member: EditorWithoutTransaction,
    database: CurrentDatabase,
    gateway: CurrentGateway,
    monitor_id: Annotated[
        UUID | None, Query(description="Its checks show how much scores vary")
    ] = None,
) -> MonitorEstimate:
    """Estimates the cost of checks, and what they can detect."""
    return await estimate.estimate_monitor(
        database,
        project_id=member.project_id,
        wanted=body,
        monitor_id=monitor_id,
        author_id=member.user_id,
        at_once=gateway.calls_per_credential,
    )


@router.get("/{monitor_id}")
async def get_monitor(monitor_id: UUID, member: Viewer, session: Session) -> MonitorDetail:
    """Returns a monitor with its configuration and baseline."""
    return await service.get_monitor(session, project_id=member.project_id, monitor_id=monitor_id)


@router.patch("/{monitor_id}")
async def change_monitor(
    monitor_id: UUID, body: MonitorChange, member: Editor, session: Session
) -> MonitorDetail:
    """Changes a monitor. Fields that are left out keep their values."""
    return await service.change_monitor(
        session,
        project_id=member.project_id,
        monitor_id=monitor_id,
        change=body,
        author_id=member.user_id,
    )


@router.delete("/{monitor_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_monitor(monitor_id: UUID, member: Editor, session: Session) -> Response:
    """Deletes a monitor with its checks and alerts. Its runs are kept."""
    await service.delete_monitor(session, project_id=member.project_id, monitor_id=monitor_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post("/{monitor_id}/duplicate", status_code=status.HTTP_201_CREATED)
async def duplicate_monitor(
    monitor_id: UUID, body: MonitorCopyRequest, member: Editor, session: Session
) -> MonitorDetail:
    """Creates a paused copy."""
    return await service.duplicate_monitor(
        session,
        project_id=member.project_id,
        monitor_id=monitor_id,
        name=body.name,
        author_id=member.user_id,
    )


@router.post("/{monitor_id}/archive")
async def archive_monitor(monitor_id: UUID, member: Editor, session: Session) -> MonitorDetail:
    """Archives a monitor, which stops its checks."""
    return await service.set_archived(
        session, project_id=member.project_id, monitor_id=monitor_id, is_archived=True
    )


@router.post("/{monitor_id}/unarchive")
async def unarchive_monitor(monitor_id: UUID, member: Editor, session: Session) -> MonitorDetail:
    """Restores an archived monitor. It stays paused."""
    return await service.set_archived(
        session, project_id=member.project_id, monitor_id=monitor_id, is_archived=False
    )


@router.post(
    "/{monitor_id}/run", status_code=status.HTTP_201_CREATED, openapi_extra=raises(Exhausted)
)
async def run_monitor(monitor_id: UUID, member: Editor, session: Session) -> MonitorCheckRead:
    """Starts a check now, also of a paused monitor."""
    return await control.run_now(
        session,
        project_id=member.project_id,
        monitor_id=monitor_id,
        author_id=member.user_id,
    )


@router.post("/{monitor_id}/pause")
async def pause_monitor(monitor_id: UUID, member: Editor, session: Session) -> MonitorDetail:
    """Pauses a monitor. A check in progress is finished."""
    return await control.pause_monitor(session, project_id=member.project_id, monitor_id=monitor_id)


@router.post("/{monitor_id}/resume")
async def resume_monitor(monitor_id: UUID, member: Editor, session: Session) -> MonitorDetail:
    """Resumes a paused monitor at its next time."""
    return await control.resume_monitor(
        session, project_id=member.project_id, monitor_id=monitor_id
    )


@router.post("/{monitor_id}/mute")
async def mute_monitor(
    monitor_id: UUID, body: MuteRequest, member: Editor, session: Session
) -> MonitorDetail:
    """Sends no notifications about a monitor until the given time."""
    return await control.mute_monitor(
        session, project_id=member.project_id, monitor_id=monitor_id, wanted=body
    )


@router.post("/{monitor_id}/baseline")
async def set_monitor_baseline(
    monitor_id: UUID, body: BaselineRequest, member: Editor, session: Session
) -> MonitorDetail:
    """Pins a check as the baseline, or accepts the current level as the new normal."""
    return await control.set_baseline(
        session,
        project_id=member.project_id,
        monitor_id=monitor_id,
        wanted=body,
        author_id=member.user_id,
    )


@router.get("/{monitor_id}/checks", response_model=Page[MonitorCheckRead])
async def list_monitor_checks(
    monitor_id: UUID,
    member: Viewer,
    wanted: Annotated[CheckFilter, read_into(CheckFilter)],
    page: PageParams,
    session: Session,
) -> Slice[MonitorCheckRead]:
    """Returns the checks of a monitor, latest first."""
    return await control.list_checks(
        session,
        project_id=member.project_id,
        monitor_id=monitor_id,
        wanted=wanted,
        page=page,
    )


@router.get("/{monitor_id}/checks/{check_id}")
async def get_monitor_check(
    monitor_id: UUID, check_id: UUID, member: Viewer, session: Session
) -> MonitorCheckRead:
    """Returns a check with its figures."""
    return await control.get_check(
        session, project_id=member.project_id, monitor_id=monitor_id, check_id=check_id
    )


@router.get("/{monitor_id}/trend")
async def get_monitor_trend(
    monitor_id: UUID,
    member: Viewer,
    session: Session,
    days: Annotated[Days, Query(description="The last days")] = "30",
) -> TrendRead:
    """Returns the scores over time, with markers for changes and alerts."""
    return await trend.get_trend(
        session, project_id=member.project_id, monitor_id=monitor_id, days=days
    )


@router.get("/{monitor_id}/models")
async def compare_monitored_models(
    monitor_id: UUID, member: ViewerWithoutTransaction, database: CurrentDatabase
) -> MonitoredModels:
    """Compares the models of a monitor over its last checks."""
    return await advice.compare_monitored_models(
        database, project_id=member.project_id, monitor_id=monitor_id
    )
