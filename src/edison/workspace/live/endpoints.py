"""Endpoint that streams a project's events."""

from fastapi import Response

from edison.api.routing import api_router
from edison.api.streams.sse import StartAfter
from edison.workspace.live.access import CurrentLive
from edison.workspace.live.service import ProjectLog
from edison.workspace.projects.access import StreamViewer

router = api_router("/projects/{project}", tag="events")


@router.get(
    "/events",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def stream_project_events(
    member: StreamViewer, live: CurrentLive, start: StartAfter
) -> Response:
    """Streams changes in the project as server-sent events, from now on or after
    `Last-Event-ID`.
    """
    project_log = ProjectLog(live.database, member.project_id)
    return live.stream_events(project_log, member, after=start)
