"""All SQL about who scores which item of a queue. Races are settled by one conditional update."""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, delete, exists, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from edison.db import upsert
from edison.kit import clock
from edison.kit.errors import NotFound
from edison.runs.scoring.models import (
    AnnotationItem,
    AnnotationQueue,
    AnnotationSeat,
    AnnotationSkip,
)
from edison.runs.scoring.repository.queues import is_free
from edison.runs.scoring.states import AnnotationQueueState
from edison.runs.store.models import Output, RunCase

# How long an item stays somebody's who does nothing.
LEASE = timedelta(minutes=10)


class Seats:
    """As one person sees a queue."""

    def __init__(self, session: AsyncSession, queue_id: UUID, user_id: UUID) -> None:
        self._session = session
        self._queue_id = queue_id
        self._user_id = user_id

    async def get_item(self, item_id: UUID) -> AnnotationItem:
        found = await self._session.scalar(
            select(AnnotationItem).where(
                AnnotationItem.id == item_id, AnnotationItem.queue_id == self._queue_id
            )
        )
        if found is None:
            raise NotFound("There is no such item in this queue.")
        return found

    async def read_item(self, item_id: UUID) -> tuple[Output, RunCase]:
        row = (
            await self._session.execute(
                select(Output, RunCase)
                .join(AnnotationItem, AnnotationItem.output_id == Output.id)
                .join(
                    RunCase,
                    (RunCase.run_id == Output.run_id) & (RunCase.position == Output.case_position),
                )
                .where(AnnotationItem.id == item_id)
            )
        ).one()
        return row[0], row[1]

    async def claim_next(self) -> tuple[UUID, datetime] | None:
        """The item that the person has already, for longer; or the next one that is free. With the
        moment until which it is theirs.
        """
        while True:
            mine = await self._renew()
            if mine is not None:
                return mine
            try:
                async with self._session.begin_nested():
                    return await self._take(None)
            except IntegrityError:
                # The same person in another window took a seat of the same item.
                continue

    async def claim(self, item_id: UUID) -> tuple[UUID, datetime] | None:
        """A seat of that item; None when there is none for the person."""
        return await self._take(item_id)

    async def _renew(self) -> tuple[UUID, datetime] | None:
        until = clock.now() + LEASE
        renewed = await self._session.scalar(
            update(AnnotationSeat)
            .where(
                AnnotationSeat.item_id.in_(
                    select(AnnotationItem.id).where(AnnotationItem.queue_id == self._queue_id)
                ),
                AnnotationSeat.user_id == self._user_id,
                AnnotationSeat.is_scored.is_(False),
            )
            .values(lease_until=until)
            .returning(AnnotationSeat.item_id)
            .execution_options(synchronize_session=False)
        )
        return None if renewed is None else (renewed, until)

    async def _take(self, item_id: UUID | None) -> tuple[UUID, datetime] | None:
        other = aliased(AnnotationSeat)
        free = (
            select(AnnotationSeat.id)
            .join(AnnotationItem, AnnotationItem.id == AnnotationSeat.item_id)
            .where(
                AnnotationItem.queue_id == self._queue_id,
                is_free(),
                ~exists().where(other.item_id == AnnotationItem.id, other.user_id == self._user_id),
                ~exists().where(
                    AnnotationSkip.item_id == AnnotationItem.id,
                    AnnotationSkip.user_id == self._user_id,
                ),
            )
            .order_by(AnnotationItem.position, AnnotationSeat.number)
            .limit(1)
            # Whoever asks at the same moment gets the seat behind it instead of waiting.
            .with_for_update(skip_locked=True, of=AnnotationSeat)
        )
        if item_id is not None:
            free = free.where(AnnotationItem.id == item_id)
        until = clock.now() + LEASE
        taken = await self._session.scalar(
            update(AnnotationSeat)
            .where(AnnotationSeat.id == free.scalar_subquery(), is_free(), self._is_open())
            .values(user_id=self._user_id, lease_until=until)
            .returning(AnnotationSeat.item_id)
            .execution_options(synchronize_session=False)
        )
        return None if taken is None else (taken, until)

    async def mark_scored(self, item_id: UUID) -> bool:
        """False when the seat is not the person's any more. One whose time ran out still is, for as
        long as nobody else took it: no work is lost without need.
        """
        marked = await self._session.scalar(
            update(AnnotationSeat)
            .where(*self._mine(item_id), AnnotationSeat.is_scored.is_(False), self._is_open())
            .values(is_scored=True, lease_until=None)
            .returning(AnnotationSeat.id)
            .execution_options(synchronize_session=False)
        )
        return marked is not None

    async def reopen_scored(self, item_id: UUID) -> datetime | None:
        """Have an item back that the person has scored; until when. None when they have not."""
        until = clock.now() + LEASE
        reopened = await self._session.scalar(
            update(AnnotationSeat)
            .where(*self._mine(item_id), AnnotationSeat.is_scored, self._is_open())
            .values(is_scored=False, lease_until=until)
            .returning(AnnotationSeat.id)
            .execution_options(synchronize_session=False)
        )
        return None if reopened is None else until

    async def release(self, item_id: UUID | None = None) -> bool:
        """Give back a claimed item, or whichever it is. False when there was none."""
        items = select(AnnotationItem.id).where(AnnotationItem.queue_id == self._queue_id)
        released = await self._session.scalar(
            update(AnnotationSeat)
            .where(
                AnnotationSeat.item_id == item_id
                if item_id is not None
                else AnnotationSeat.item_id.in_(items),
                AnnotationSeat.user_id == self._user_id,
                AnnotationSeat.is_scored.is_(False),
                self._is_open(),
            )
            .values(user_id=None, lease_until=None)
            .returning(AnnotationSeat.id)
            .execution_options(synchronize_session=False)
        )
        return released is not None

    async def skip(self, item_id: UUID, reason: str) -> None:
        await self._session.execute(
            upsert.insert(self._session, AnnotationSkip)
            .values(item_id=item_id, user_id=self._user_id, reason=reason, created_at=clock.now())
            .on_conflict_do_nothing()
        )

    async def unskip(self, item_id: UUID) -> bool:
        """False when they had not skipped it."""
        removed = await self._session.scalar(
            delete(AnnotationSkip)
            .where(AnnotationSkip.item_id == item_id, AnnotationSkip.user_id == self._user_id)
            .returning(AnnotationSkip.item_id)
            .execution_options(synchronize_session=False)
        )
        return removed is not None

    def _mine(self, item_id: UUID) -> tuple[ColumnElement[bool], ...]:
        return AnnotationSeat.item_id == item_id, AnnotationSeat.user_id == self._user_id

    def _is_open(self) -> ColumnElement[bool]:
        return exists().where(
            AnnotationQueue.id == self._queue_id, AnnotationQueue.state == AnnotationQueueState.OPEN
        )


class SeatsOfOutputs:
    """Seats in whichever queues ask about an output."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def free(self, output_ids: Collection[UUID], *, user_id: UUID | None = None) -> None:
        """Have outputs scored anew, by everybody or by one person."""
        items = select(AnnotationItem.id).where(AnnotationItem.output_id.in_(output_ids))
        seats = update(AnnotationSeat).where(AnnotationSeat.item_id.in_(items))
        if user_id is not None:
            seats = seats.where(AnnotationSeat.user_id == user_id, AnnotationSeat.is_scored)
        else:
            await self._session.execute(
                delete(AnnotationSkip)
                .where(AnnotationSkip.item_id.in_(items))
                .execution_options(synchronize_session=False)
            )
        await self._session.execute(
            seats.values(user_id=None, lease_until=None, is_scored=False).execution_options(
                synchronize_session=False
            )
        )
