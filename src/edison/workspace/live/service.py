"""Streams for project members, and the log of a project's events."""

from collections.abc import AsyncGenerator
from uuid import UUID

from starlette.responses import Response

from edison.api.streams.event_log import Cursor, CursorRange, EventLog, EventPage
from edison.api.streams.limits import StreamLimits
from edison.api.streams.response import Piece, stream_answer, stream_events
from edison.api.streams.stream import Streams
from edison.db.session import Database
from edison.db.wakeups import Topic
from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.events import service as events
from edison.workspace.live.watch import AccessWatch, MemberReader
from edison.workspace.projects.access import Member


class Live:
    """The open streams of one process. Bound to one event loop."""

    def __init__(self, database: Database, limits: StreamLimits) -> None:
        self.database = database
        self._watch = AccessWatch(database)
        self._streams = Streams(database.wakeups, limits)

    def stream_events(
        self, event_log: EventLog, member: Member, *, after: Cursor | None
    ) -> Response:
        """Streams the log until the member loses access."""
        reader = MemberReader(self._watch, member)
        return stream_events(self._streams, event_log, reader, after=after)

    def stream_answer(self, pieces: AsyncGenerator[Piece], member: Member) -> Response:
        """Streams one answer; cancels it when the member leaves or loses access."""
        return stream_answer(self._streams, pieces, MemberReader(self._watch, member))

    async def close(self) -> None:
        """Waits for running queries. Call after the wake-ups are closed."""
        await self._streams.close()
        await self._watch.close()


@dataclass(frozen=True, slots=True)
class ProjectLog(EventLog):
    database: Database
    project_id: UUID

    @property
    def topic(self) -> Topic:
        return events.project_stream(self.project_id)

    async def get_range(self) -> CursorRange:
        async with self.database.read_inline() as session:
            return await events.get_range(session, self.topic)

    async def read(self, after: Cursor, upto: Cursor) -> EventPage:
        async with self.database.read_inline() as session:
            found = await events.read_after(session, self.topic, after, upto=upto)
        return EventPage(events=found, has_more=len(found) == events.MOST_AT_ONCE)
