"""Publish events to streams and read them in order."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.streams.event_log import LARGEST_CURSOR, Cursor, CursorRange, StreamedEvent
from edison.db import wakeups
from edison.db.wakeups import Topic
from edison.kit import clock
from edison.workspace.events import repository
from edison.workspace.events.models import Event
from edison.workspace.events.repository import Events

# Page size of `read_after`.
MOST_AT_ONCE = repository.MOST_AT_ONCE
# Changed when a user loses access.
ACCESS_TOPIC = Topic("access")


def access_changed(session: AsyncSession) -> None:
    """Re-check the readers of all open streams, in all processes, after the commit.

    Call it wherever access ends: a membership or role, a session, a token, an account, a project.
    Without the call, streams end up to a second later.
    """
    wakeups.topic_changed(session, ACCESS_TOPIC)


def project_stream(project_id: UUID) -> Topic:
    """The stream that every member of the project may read."""
    return Topic(f"project:{project_id}")


async def publish(
    session: AsyncSession, *, stream: Topic, kind: str, data: Mapping[str, Any]
) -> Cursor:
    """Append an event to a stream and wake its readers after the commit.

    Returns the event's number. Locks the stream row until the transaction ends, so publish last,
    and to several streams in sorted order. `data` holds ids rather than contents, because readers
    of the stream may have fewer permissions.
    """
    number = await Events(session).take_number(stream)
    session.add(
        Event(stream=stream, number=number, kind=kind, data=dict(data), created_at=clock.now())
    )
    wakeups.topic_changed(session, stream)
    return number


async def read_after(
    session: AsyncSession, stream: Topic, cursor: Cursor, *, upto: Cursor = LARGEST_CURSOR
) -> Sequence[StreamedEvent]:
    """The next events in order, at most `MOST_AT_ONCE`; empty when there are none."""
    return [
        StreamedEvent(number=event.number, kind=event.kind, data=event.data)
        for event in await Events(session).list_after(stream, cursor, upto=upto)
    ]


async def get_range(session: AsyncSession, stream: Topic) -> CursorRange:
    oldest, newest = await Events(session).get_range(stream)
    return CursorRange(oldest=oldest, newest=newest)


async def delete_before(session: AsyncSession, moment: datetime) -> None:
    """Delete old events. Numbering continues; readers that were away longer must start over."""
    await Events(session).delete_before(moment)
