"""Ports of the call path: answer cache, ledger, observer.

The call path depends on neither databases nor metrics; its callers pass these in.
"""

from collections.abc import Callable, Sequence
from typing import Protocol
from uuid import UUID

from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.outcome import Completion, Outcome, Usage


class AnswerCache(Protocol):
    """Answers by cache key."""

    async def find(self, key: str) -> Completion | None: ...

    def save(self, key: str, completion: Completion) -> None:
        """Stores the answer in the background."""


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """An attempt about to be made. `attempt` counts from 1. `worst_case_nanos` is None while no
    price is known. `leaves_at_once`: the attempt has its slot, so its request is sent next.
    `is_simulated`: its dollars are not real. `counted_tokens`: Edison's own count of the prompt.
    """

    provider: str
    model: str
    attempt: int
    worst_case_nanos: int | None
    price_version: str | None
    leaves_at_once: bool = False
    is_simulated: bool = False
    counted_tokens: int | None = None


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptCost:
    """Result of an attempt in money and tokens. `failure` is a FailureReason, `cancelled`, or None
    after an answer. `cost_nanos` is None only when no price is known; usage that the provider did
    not report is estimated. `has_left`: the request may have been sent; if False, the reservation
    is released.
    """

    cost_nanos: int | None
    usage: Usage | None
    failure: str | None
    has_left: bool = True


class Reservation(Protocol):
    """Money reserved for one attempt. Charged or released exactly once, however the attempt
    ends.
    """

    async def confirm(self) -> None:
        """Called right before the request is sent. Returns once the ledger entry records that it
        is; raises when the caller no longer owns the reservation.
        """

    def charge(self, cost: AttemptCost) -> None:
        """Charges or releases the reservation in the background."""


class Ledger(Protocol):
    async def reserve(self, intent: Intent) -> Reservation:
        """Raises Exhausted when a budget does not cover the worst case. If the caller is cancelled
        here, the ledger releases the reservation itself.
        """


# The id of each entry, with the reason if its reservation was refused.
Reserved = Sequence[tuple[UUID, BaseException | None]]
OnReserved = Callable[[Reserved], None]


class WaveLedger(Protocol):
    """A ledger for many attempts at a time."""

    def reserve(self, intent: Intent, on_reserved: OnReserved) -> UUID:
        """Reserves in the background for an attempt that has its slot or will have it soon. Returns
        the entry's id. Calls back when reservations are committed or refused, for all that were
        made together: the requests of committed ones may be sent then.
        """

    def confirm(self, entry_id: UUID, on_reserved: OnReserved) -> None:
        """Call it before a request that is sent later. Calls back when it may be sent, or may not,
        because the process was replaced: usually at once.
        """

    def charge(self, entry_id: UUID, cost: AttemptCost) -> None:
        """Charges or releases the reservation in the background."""

    def release(self, entry_id: UUID) -> None:
        """Releases the reservation of an attempt that was not sent, in the background."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Why a call has not been sent yet. `sentence` is shown to the user, such as "Waiting for
    OpenAI's rate limit, 12 s".
    """

    reason: str
    seconds: float | None
    sentence: str


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptReport:
    """A finished attempt that was sent, for metrics and traces. `outcome` is None when it was
    cancelled or broken by a bug. Times are seconds since the epoch.
    """

    provider: str
    model: str
    attempt: int
    outcome: Outcome | None
    cost_nanos: int | None
    started_at: float
    ended_at: float


class Observer(Protocol):
    def attempt_ended(self, report: AttemptReport) -> None: ...

    def answered_from_cache(self, *, provider: str, model: str) -> None: ...

    def waited(self, *, provider: str, reason: str, seconds: float) -> None: ...
