"""All SQL about seats. Concurrent claims are resolved by conditional updates."""

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

# How long an item stays claimed without activity.
LEASE = timedelta(minutes=10)


class Seats:
    """The seats of a queue for one user."""

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
        """Renews the user's claimed item, or claims the next free one. Returns the item and the end
        of the lease.
        """
        while True:
            mine = await self._renew()
            if mine is not None:
                return mine
            try:
                async with self._session.begin_nested():
                    # Concurrent requests take different seats. If all free ones are locked,
                    # another request may yet give its seat back.
                    return await self._take(None, waits=False) or await self._take(None, waits=True)
            except IntegrityError:
                # The same user claimed a seat of this item in another window.
                continue

    async def claim(self, item_id: UUID) -> tuple[UUID, datetime] | None:
        """Claims a seat of this item; None if there is none for the user."""
        return await self._take(item_id, waits=True)

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

    async def _take(self, item_id: UUID | None, *, waits: bool) -> tuple[UUID, datetime] | None:
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
            .with_for_update(skip_locked=not waits, of=AnnotationSeat)
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
        """False if the user no longer holds the seat. An expired lease is accepted until another
        user claims the seat, so that no work is lost.
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
        """Claims a scored item again and returns the end of the lease; None if the user has not
        scored it.
        """
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
        """Releases the claimed item, or any claimed item of the queue. False if there was none."""
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
        """False if the user had not skipped it."""
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
    """Seats of an output in all queues."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def free(self, output_ids: Collection[UUID], *, user_id: UUID | None = None) -> None:
        """Frees the seats, so that the outputs are scored again, by all people or by one."""
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
