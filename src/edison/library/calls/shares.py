"""This process's share of the concurrent calls that a lane allows: a credential, or a model that
limits its concurrency itself.

The limit holds for all processes together. Each process has a row with the number of its slots
and changes only that row, under a lock that serialises all changes: slots never exceed the limit.
Calls do not touch the database: the dispatch queue is as wide as the share. The share is updated

- before the first call, which takes the free slots,
- when more calls wait than ever before, or a call ended whose slot is owed to another process,
- when another process released slots or requests some, and
- every two seconds, as wake-ups may be lost.

A slot is released only after its call has ended. A dead process loses its row, and with it its
slots; long before that it stops sending calls, because it cannot be certain of its share. Idle
processes hold no row.
"""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from uuid import UUID

import structlog
from sqlalchemy.exc import IntegrityError

from edison.db import wakeups
from edison.db.outages import is_outage
from edison.db.session import Database
from edison.db.wakeups import Topic
from edison.jobs.heartbeat import Heartbeat
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.fair_share import NOTHING, Allocation, SlotClaim, allocate
from edison.library.calls.repository import LaneShares
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue

log = structlog.get_logger(__name__)

LOOK_SECONDS = 2.0
# Used while calls wait and none is in flight.
STARVING_SECONDS = 0.25
# Minimum time between two updates.
REST_SECONDS = 0.02
# How long a process may hold slots while other processes have none.
TURN_SECONDS = 2.0
CLOSE_SECONDS = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """Calls that share slots: all calls of a credential, or those of one of its models."""

    credential_id: UUID
    model_id: UUID | None = None

    @property
    def id(self) -> UUID:
        return self.model_id or self.credential_id

    @property
    def is_model(self) -> bool:
        return self.model_id is not None


class Share:
    """One lane's share, and the dispatch queue whose width follows it. The lane's limit is read
    with each update, so that a changed limit holds in all processes within two seconds.
    """

    def __init__(
        self,
        database: Database,
        heartbeat: Heartbeat,
        *,
        lane: Lane,
        dispatch: DispatchQueue,
    ) -> None:
        self.lane = lane
        self.dispatch = dispatch
        self._database = database
        self._heartbeat = heartbeat
        self._default_limit = dispatch.limit
        self._topic = Topic(f"dispatch:{lane.id}")
        self._ending = ExitStack()
        self._news = self._ending.enter_context(database.wakeups.subscribe(self._topic))
        self._keeper: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._is_claimed = False
        self._claim = NOTHING
        self._turn_began_at: float | None = None
        self._callers = 0
        self._peak_before = 0
        self._peak_since = 0.0
        dispatch.allow(0)
        dispatch.on_change = self._on_change

    async def ready(self) -> None:
        """Call before a call, and `done` after it. The dispatch queue then has slots, unless other
        processes hold all of them.
        """
        self._callers += 1
        if self._is_claimed:
            return
        async with self._lock:
            if not self._is_claimed:
                try:
                    await self._look()
                finally:
                    self._begin_keeping()

    def done(self) -> None:
        self._callers -= 1

    def suspend(self) -> None:
        """The process was replaced, so it no longer owns its slots."""
        self._claim = NOTHING
        self.dispatch.allow(0)
        self._news.wake()

    async def close(self) -> None:
        """Keeps the row; it is deleted when the process deregisters."""
        self._news.close()
        if self._keeper is not None:
            # Not cancelled at once: opening a connection must not be interrupted.
            await asyncio.wait([self._keeper], timeout=CLOSE_SECONDS)
            self._keeper.cancel()
            await asyncio.wait([self._keeper])
        self._ending.close()

    def _on_change(self) -> None:
        dispatch, claim = self.dispatch, self._claim
        is_owed = dispatch.most < claim.slots and dispatch.under_way < claim.slots
        if is_owed or (claim.wanted < dispatch.limit and claim.wanted < dispatch.demand):
            self._news.wake()
            if not self._is_claimed:
                self._begin_keeping()

    @property
    def _is_starving(self) -> bool:
        state = self.dispatch.state
        return state.waiting > 0 and not state.under_way and not state.seconds_left

    def _begin_keeping(self) -> None:
        self._is_claimed = True
        if self._keeper is None or self._keeper.done():
            self._keeper = asyncio.create_task(self._keep(), name="dispatch share")

    async def _keep(self) -> None:
        while self._is_claimed:
            await self._news.wait(STARVING_SECONDS if self._is_starving else LOOK_SECONDS)
            if self._news.is_closed:
                return
            async with self._lock:
                await self._look()
            await asyncio.sleep(REST_SECONDS)

    async def _look(self) -> None:
        try:
            await self._renew(await self._heartbeat.wait_until_registered())
        except Exception as failure:  # boundary: the next update may succeed
            if isinstance(failure, IntegrityError):
                # The process's row was deleted; the heartbeat will find out and replace it.
                self.dispatch.allow(0)
            elif not is_outage(failure):
                log.exception("credential share not renewed", lane_id=str(self.lane.id))

    async def _renew(self, process_id: UUID) -> None:
        async with self._database.write() as session:
            shares = LaneShares(session, self.lane.id, is_model=self.lane.is_model)
            limits = await shares.lock()
            if limits is None:
                # The credential or model was deleted, so no other process starts calling with it:
                # drain the queue.
                self._is_claimed = False
                self.dispatch.allow(self.dispatch.limit)
                return
            self.dispatch.resize(limits.concurrency or self._default_limit)
            claims = dict(await shares.list_claims())
            own = claims.pop(process_id, NOTHING)
            part = self._part(own, list(claims.values()))
            # Narrow the queue before the commit, so no call uses a slot that another process then
            # owns.
            self.dispatch.allow(min(part.width, self.dispatch.most))
            if part.claim != own:
                await shares.save(process_id, part.claim)
                if claims and (part.is_short or part.claim.slots < own.slots):
                    wakeups.topic_changed(session, self._topic)
        if process_id != self._heartbeat.id:
            # Replaced in the meantime; `suspend` has reset the share.
            return
        self._claim = part.claim
        # A call may have arrived while the last slot was being released.
        self._is_claimed = part.claim != NOTHING or self.dispatch.demand > 0
        self.dispatch.allow(part.width)

    def _part(self, own: SlotClaim, others: Sequence[SlotClaim]) -> Allocation:
        now = self.dispatch.clock()
        began = self._turn_began_at
        part = allocate(
            own,
            others,
            limit=self.dispatch.limit,
            wanted=self._wanted(now),
            under_way=self.dispatch.under_way,
            had_its_turn=began is not None and now - began >= TURN_SECONDS,
        )
        if not part.width:
            self._turn_began_at = None
        elif began is None:
            self._turn_began_at = now
        return part

    def _wanted(self, now: float) -> int:
        """Peak demand of the last seconds, as the momentary demand fluctuates; at least one while
        any caller is between `ready` and `done`.
        """
        if now - self._peak_since >= LOOK_SECONDS:
            self._peak_before, self._peak_since = self.dispatch.peak, now
            self.dispatch.forget_peak()
        wanted = max(self._peak_before, self.dispatch.peak, min(self._callers, 1))
        return min(wanted, self.dispatch.limit)


class Shares:
    """The shares of all lanes that this process uses. `limit` holds where nothing else is set."""

    def __init__(self, database: Database, heartbeat: Heartbeat, *, limit: int) -> None:
        self._database = database
        self._heartbeat = heartbeat
        self._limit = limit
        self._by_lane: dict[UUID, Share] = {}
        heartbeat.on_replaced.append(self._suspend)

    def of(self, lane: Lane, *, service: str, limit: int | None = None) -> Share:
        """`service` is the display name of the credential, `limit` the default of its provider."""
        share = self._by_lane.get(lane.id)
        if share is None:
            dispatch = DispatchQueue(
                service=service,
                concurrency=limit or self._limit,
                is_entitled=lambda: self._heartbeat.is_certain,
            )
            share = self._by_lane[lane.id] = Share(
                self._database, self._heartbeat, lane=lane, dispatch=dispatch
            )
        return share

    def renew(self, credential_id: UUID, *, service: str) -> None:
        """Reset the queues of a credential that was changed."""
        for share in self._by_lane.values():
            if share.lane.credential_id == credential_id:
                share.dispatch.renew(service)

    async def close(self) -> None:
        self._heartbeat.on_replaced.remove(self._suspend)
        await asyncio.gather(*(share.close() for share in self._by_lane.values()))

    def _suspend(self) -> None:
        for share in self._by_lane.values():
            share.suspend()
