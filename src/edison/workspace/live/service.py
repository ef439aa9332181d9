"""A project's events, for as long as one member may read them."""

from collections.abc import Sequence

from edison.api.sse import Extent, StreamedEvent
from edison.db.session import Database
from edison.workspace.events import service as events
from edison.workspace.live.access import Admission
from edison.workspace.projects.access import Member
from edison.workspace.projects.models import Role


class ProjectFeed:
    """One member's view of the project's stream."""

    def __init__(self, database: Database, admission: Admission, member: Member) -> None:
        self._database = database
        self._admission = admission
        self._member = member
        self.channel = events.project_stream(member.project_id)

    async def get_extent(self) -> Extent:
        async with self._database.read() as session:
            return await events.get_extent(session, self.channel)

    async def fetch(self, after: int) -> Sequence[StreamedEvent]:
        async with self._database.read() as session:
            return await events.read_after(session, self.channel, after)

    async def still_allowed(self) -> bool:
        return await self._admission.still_has_role(self._member, Role.VIEWER)
