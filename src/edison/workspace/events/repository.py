"""Queries of events."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.upsert import insert
from edison.workspace.events.models import Event, EventStream

MOST_AT_ONCE = 100


class Events:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def take_number(self, stream: str) -> int:
        """The stream's next number. Locks the stream row until the transaction ends."""
        statement = insert(self._session, EventStream).values(key=stream, last_number=1)
        taken = await self._session.scalar(
            statement.on_conflict_do_update(
                index_elements=[EventStream.key],
                set_={"last_number": EventStream.last_number + 1},
            ).returning(EventStream.last_number)
        )
        return int(taken or 0)

    async def list_after(self, stream: str, number: int, *, upto: int) -> Sequence[Event]:
        """Oldest first, at most `MOST_AT_ONCE`."""
        found = await self._session.scalars(
            select(Event)
            .where(Event.stream == stream, Event.number > number, Event.number <= upto)
            .order_by(Event.number)
            .limit(MOST_AT_ONCE)
        )
        return found.all()

    async def get_range(self, stream: str) -> tuple[int, int]:
        """The number before the oldest stored event, and the last number given out."""
        # One statement, so both numbers come from the same snapshot.
        oldest = select(func.min(Event.number)).where(Event.stream == stream).scalar_subquery()
        row = (
            await self._session.execute(
                select(EventStream.last_number, oldest).where(EventStream.key == stream)
            )
        ).first()
        if row is None:
            return 0, 0
        last, first = row
        return (last if first is None else first - 1), last

    async def delete_before(self, moment: datetime) -> None:
        await self._session.execute(delete(Event).where(Event.created_at < moment))
