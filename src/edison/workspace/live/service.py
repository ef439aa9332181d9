"""Event streams for project members, with the project's events as a topic."""

from collections.abc import Callable
from uuid import UUID

from edison.api.event_stream import EventStream, Streams, no_extras
from edison.api.sse import Extent
from edison.api.stream_limits import StreamLimits
from edison.api.tails import Batch, Tails, Topic
from edison.db.session import Database
from edison.workspace.events import service as events
from edison.workspace.live.watch import AccessWatch, MemberReader
from edison.workspace.projects.access import Member


class Live:
    """The open streams of one process. Bound to one event loop."""

    def __init__(self, database: Database, limits: StreamLimits) -> None:
        self.database = database
        self._watch = AccessWatch(database)
        self._streams = Streams(tails=Tails(database.wakeups), limits=limits)

    def reader(self, member: Member) -> MemberReader:
        return MemberReader(self._watch, member)

    def stream(
        self,
        topic: Topic,
        member: Member,
        *,
        start: int | None,
        extras: Callable[[], bytes] = no_extras,
    ) -> EventStream:
        """Streams the topic's events until the member loses access."""
        return EventStream(
            topic, self.reader(member), streams=self._streams, start=start, extras=extras
        )

    async def close(self) -> None:
        """Waits for running queries. Call after the wake-ups are closed."""
        await self._streams.tails.close()
        await self._watch.close()


class ProjectTopic:
    def __init__(self, database: Database, project_id: UUID) -> None:
        self._database = database
        self.key = self.channel = events.project_stream(project_id)

    async def get_extent(self) -> Extent:
        async with self._database.read_briefly() as session:
            return await events.get_extent(session, self.channel)

    async def read(self, after: int, upto: int) -> Batch:
        async with self._database.read_briefly() as session:
            found = await events.read_after(session, self.channel, after, upto=upto)
        return Batch(events=found, has_more=len(found) == events.MOST_AT_ONCE)

    def has_extras(self) -> bool:
        return False
