"""A project's changes as they happen."""

from fastapi import Response

from edison.api.routing import api_router
from edison.api.session import CurrentDatabase
from edison.api.sse import StartAfter, event_stream
from edison.workspace.live.access import CurrentAdmission
from edison.workspace.live.service import ProjectFeed
from edison.workspace.projects.access import Viewer

router = api_router("/projects/{project}", tag="events")


@router.get(
    "/events",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def stream_project_events(
    member: Viewer, database: CurrentDatabase, admission: CurrentAdmission, start: StartAfter
) -> Response:
    """Changes in the project as server-sent events, from now on or after `Last-Event-ID`."""
    feed = ProjectFeed(database, admission, member)
    return await event_stream(feed, wakeups=database.wakeups, channel=feed.channel, start=start)
