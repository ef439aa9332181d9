"""Dispatch queue of one credential: rate limiter, circuit breaker and one fair queue.

Calls wait instead of failing, so that a run survives an outage. Each call reports why it waits:

- the service named a time (`Retry-After`): the whole queue pauses until then;
- the circuit breaker is open or half open: until it closes;
- all slots are taken: until one is free. Those that get the next slots are called up before, to
  prepare (see `look_ahead`).

Waiting during an outage is bounded: a call whose next chance lies beyond its patience fails with
the failure that caused the wait. An outage starts with a pause or an open breaker and ends with the
next success, so waiting in a long queue that moves costs no patience.

When several processes share a credential, `allow` sets this process's slots, and `on_change` fires
when the queue could use more slots or can release one.
"""

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.outcome import CallFailed, Completion, Outcome
from edison.pipeline.generate.path.circuit_breaker import (
    BreakerState,
    CircuitBreaker,
    ServiceHealth,
    health_of,
    is_overload,
)
from edison.pipeline.generate.path.concurrency_limiter import ConcurrencyLimiter
from edison.pipeline.generate.path.fair_queue import (
    NO_GROUP,
    CallGroup,
    FairQueue,
    QueuedCall,
    Slot,
)
from edison.pipeline.generate.path.look_ahead import LookAhead
from edison.pipeline.generate.path.ports import Waiting

LONGEST_PAUSE_SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchState:
    """Snapshot of a dispatch queue for the interface and metrics. `size` is the current number of
    slots, `most` their upper bound in this process. `seconds_left`: until the next call may be
    sent.
    """

    under_way: int
    waiting: int
    size: int
    most: int
    breaker: BreakerState
    seconds_left: float


class DispatchQueue:
    def __init__(
        self,
        *,
        service: str,
        concurrency: int = 8,
        breaker: CircuitBreaker | None = None,
        patience_seconds: float = 180,
        clock: Callable[[], float] = time.monotonic,
        is_entitled: Callable[[], bool] | None = None,
    ) -> None:
        """While `is_entitled` returns False, no slot is given out."""
        self.service = service
        self._limiter = ConcurrencyLimiter(concurrency)
        self._breaker = breaker or CircuitBreaker(clock=clock)
        self._patience_seconds = patience_seconds
        self.clock = clock
        self._queue = FairQueue[QueuedCall]()
        # Called up, in the order in which they get the next slots.
        self._next: dict[QueuedCall, None] = {}
        self.look_ahead = LookAhead()
        self._paused_until = 0.0
        self._trouble_since: float | None = None
        self._last_failure: CallFailed | None = None
        self._timer: asyncio.TimerHandle | None = None
        # The trouble that queued calls were told of. None: they wait for a slot.
        self._told: tuple[str, float] | None = None
        self._is_entitled = is_entitled
        self._peak = 0
        self.on_change: Callable[[], None] | None = None

    @property
    def limit(self) -> int:
        """Max concurrent calls of the credential, over all processes."""
        return self._limiter.limit

    @property
    def most(self) -> int:
        """Max concurrent calls of the credential in this process."""
        return self._limiter.most

    @property
    def under_way(self) -> int:
        return self._limiter.under_way

    @property
    def waiting(self) -> int:
        return len(self._next) + self._queue.size

    @property
    def demand(self) -> int:
        return self._limiter.under_way + self.waiting

    @property
    def wanted(self) -> int:
        """How many calls should be under way or wait, so that no slot is idle."""
        return self._limiter.limit + self._ahead

    @property
    def wanted_here(self) -> int:
        """The same for the slots that this process has."""
        return self._limiter.most + self._ahead

    @property
    def peak(self) -> int:
        """Highest demand since the last `forget_peak`."""
        return self._peak

    @property
    def state(self) -> DispatchState:
        return DispatchState(
            under_way=self._limiter.under_way,
            waiting=self.waiting,
            size=self._limiter.size,
            most=self._limiter.most,
            breaker=self._breaker.state,
            seconds_left=self._seconds_left(),
        )

    def try_enter(self) -> Slot | None:
        """Returns a slot if one is free and no call is queued."""
        return None if self.waiting else self._grab()

    def join(self, call_group: CallGroup = NO_GROUP) -> QueuedCall:
        """Adds a call to the queue. A caller that stops waiting before the end must call
        `abandon`.
        """
        waiter = QueuedCall(call_group, self.clock(), self._why())
        if (failure := self._given_up(waiter)) is not None:
            waiter.end(failure)
            return waiter
        self._queue.add(call_group, waiter)
        self._move_up()
        if self.waiting:
            self._peak = max(self._peak, self.demand)
            if self.on_change is not None:
                self.on_change()
        return waiter

    def abandon(self, waiter: QueuedCall) -> None:
        """Removes the call from the queue and frees its slot if it already has one."""
        if waiter in self._next:
            del self._next[waiter]
        else:
            self._queue.discard(waiter.call_group, waiter)
        if waiter.slot is not None:
            self.leave(waiter.slot, None)

    def allow(self, slots: int) -> None:
        """Sets the max concurrent calls. Calls beyond a lower number finish normally."""
        self._limiter.allow(slots)
        if self.waiting:
            self._move_up()

    def resize(self, limit: int) -> None:
        """Sets the max concurrent calls over all processes; `allow` sets those of this one."""
        self._limiter.resize(limit)

    def forget_peak(self) -> None:
        self._peak = self.demand

    def renew(self, service: str) -> None:
        """Discards everything learned about the service, because the credential has changed."""
        self.service = service
        self._limiter.forget()
        self._breaker.reset()
        self._paused_until = 0.0
        self._trouble_since = None
        if self.waiting:
            self._move_up()

    def leave(self, slot: Slot, outcome: Outcome | None) -> None:
        """Frees the slot and updates rate limiter and breaker. `outcome` is None when the call was
        cancelled.
        """
        self._limiter.release(
            slot.taken,
            is_overload=is_overload(outcome),
            is_success=isinstance(outcome, Completion),
        )
        health = health_of(outcome)
        self._breaker.leave(slot.passed, health)
        if isinstance(outcome, CallFailed) and (
            health is ServiceHealth.FAILS or is_overload(outcome)
        ):
            self._worry(outcome)
        elif (
            self._trouble_since is not None
            and health is ServiceHealth.WORKS
            and not self._seconds_left()
        ):
            self._trouble_since = None
        if self.waiting:
            self._move_up()
        if self.on_change is not None and self._limiter.under_way >= self._limiter.most:
            self.on_change()

    def _worry(self, failure: CallFailed) -> None:
        self._last_failure = failure
        now = self.clock()
        if failure.retry_after_seconds is not None and is_overload(failure):
            pause = min(failure.retry_after_seconds, LONGEST_PAUSE_SECONDS)
            self._paused_until = max(self._paused_until, now + pause)
        if self._trouble_since is None and self._seconds_left() > 0:
            self._trouble_since = now
        failures: dict[QueuedCall, CallFailed] = {}

        def is_hopeless(waiter: QueuedCall) -> bool:
            given_up = self._given_up(waiter)
            if given_up is not None:
                failures[waiter] = given_up
            return given_up is not None

        for waiter in list(self._next):
            if is_hopeless(waiter):
                del self._next[waiter]
        self._queue.drop_while(is_hopeless)
        # After all have left the queue: who hears of an end may join with another call.
        for waiter, given_up in failures.items():
            waiter.end(given_up)

    def _given_up(self, waiter: QueuedCall) -> CallFailed | None:
        """Returns the failure to end with if the next chance lies beyond the call's patience."""
        if self._trouble_since is None or self._last_failure is None:
            return None
        left = self._seconds_left()
        if left == 0:
            return None
        waited = self.clock() - max(waiter.joined_at, self._trouble_since)
        if waited + left <= self._patience_seconds:
            return None
        failure = self._last_failure
        return replace(
            failure,
            message=(
                f"{failure.message} Edison gave up after waiting {waited:.0f} s for "
                f"{self.service} to recover."
            ),
            usage=None,
            is_unsent=True,
        )

    def _grab(self) -> Slot | None:
        if not self._has_room() or self._paused_seconds() > 0:
            return None
        passed = self._breaker.enter()
        if passed is None:
            return None
        taken = self._limiter.take()
        self._peak = max(self._peak, self._limiter.under_way)
        return Slot(taken, passed)

    def _has_room(self) -> bool:
        return self._limiter.has_room and (self._is_entitled is None or self._is_entitled())

    @property
    def _is_trouble_free(self) -> bool:
        return not self._paused_until and self._breaker.is_closed

    @property
    def _ahead(self) -> int:
        """How many waiting calls should be called up."""
        return self.look_ahead.size(self._limiter.under_way) if self._is_trouble_free else 0

    def _move_up(self) -> None:
        while self.waiting:
            slot = self._grab()
            if slot is None:
                break
            self._take().end(slot)
        if not self.waiting:
            return
        ahead = self._ahead
        while len(self._next) < ahead and self._queue.size:
            waiter = self._queue.take()
            self._next[waiter] = None
            waiter.call_up()
        if self._limiter.under_way and self._told is None and self._is_trouble_free:
            # The usual case: the next call that ends gives its slot on.
            return
        paused, broken = self._paused_seconds(), self._breaker.seconds_left
        self._arm(max(paused, broken))
        self._explain(is_paused=paused > broken)

    def _take(self) -> QueuedCall:
        if not self._next:
            return self._queue.take()
        waiter = next(iter(self._next))
        del self._next[waiter]
        return waiter

    def _arm(self, left: float) -> None:
        """Starts the queue's single timer, unless a call in progress or `allow` will advance the
        queue. `left`: seconds until the next call may be sent.
        """
        is_stranded = not self._limiter.under_way and self._has_room()
        if self._timer is None and (left > 0 or is_stranded):
            self._timer = asyncio.get_running_loop().call_later(left, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self._move_up()

    def _seconds_left(self) -> float:
        return max(self._paused_seconds(), self._breaker.seconds_left)

    def _paused_seconds(self) -> float:
        if not self._paused_until:
            return 0.0
        left = self._paused_until - self.clock()
        if left <= 0:
            self._paused_until = left = 0.0
        return left

    def _explain(self, *, is_paused: bool) -> None:
        """Sends the reason to wait to all queued calls, if it has changed."""
        news: tuple[str, float] | None = None
        if is_paused:
            news = ("rate_limit", self._paused_until)
        elif not self._breaker.is_closed:
            news = (self._breaker.state, self._breaker.open_until)
        if news == self._told:
            return
        self._told = news
        why = self._why()
        for waiter in (*self._next, *self._queue):
            waiter.tell(why)

    def _why(self) -> Waiting:
        left = self._breaker.seconds_left
        if self._paused_seconds() > left:
            return rate_limited(self.service, self._paused_seconds())
        state = self._breaker.state
        if state is BreakerState.CLOSED:
            return _no_free_slot(self.service, self._limiter.under_way)
        failed = f"{self.service} failed {self._breaker.failures_to_open} times in a row"
        if state is BreakerState.OPEN:
            sentence = f"{failed}; trying again in {math.ceil(left)} s"
            return Waiting(reason="breaker", seconds=left, sentence=sentence)
        sentence = f"{failed}; one call at a time is trying it"
        return Waiting(reason="breaker", seconds=None, sentence=sentence)


# In a busy queue, most calls wait for the same slots.
@lru_cache(maxsize=64)
def _no_free_slot(service: str, calls: int) -> Waiting:
    free = f"Waiting for a free slot of {service}"
    if not calls:
        sentence = f"{free}, other processes use them all"
    else:
        under_way = "1 call is in progress" if calls == 1 else f"{calls} calls are in progress"
        sentence = f"{free}, {under_way}"
    return Waiting(reason="concurrency", seconds=None, sentence=sentence)


def rate_limited(service: str, seconds: float) -> Waiting:
    sentence = f"Waiting for {service}'s rate limit, {math.ceil(seconds)} s"
    return Waiting(reason="rate_limit", seconds=seconds, sentence=sentence)
