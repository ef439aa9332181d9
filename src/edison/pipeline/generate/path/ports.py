"""Ports of the call path: answer cache, ledger, observer.

The call path knows neither databases nor metrics; its callers pass these in.
"""

from dataclasses import dataclass
from typing import Protocol

from edison.pipeline.generate.outcome import Completion, Outcome, Usage


class AnswerCache(Protocol):
    """Answers by the digest of everything that shapes them."""

    async def find(self, key: str) -> Completion | None: ...

    def save(self, key: str, completion: Completion) -> None:
        """Have it kept; nobody waits for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """An attempt about to be made. `attempt` counts from 1. `worst_case_nanos` is None while no
    price is known. `leaves_at_once`: it has its slot, so its request goes out next.
    """

    provider: str
    model: str
    attempt: int
    worst_case_nanos: int | None
    price_version: str | None
    leaves_at_once: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptCost:
    """What an attempt came to. `failure` is a FailureReason, `cancelled`, or None after an answer.
    `cost_nanos` is None only when no price is known; what a provider did not say is estimated.
    `has_left`: a request may have gone out; without, the reservation is released.
    """

    cost_nanos: int | None
    usage: Usage | None
    failure: str | None
    has_left: bool = True


class Reservation(Protocol):
    """Money set aside for one attempt. Settled exactly once, however the attempt ends."""

    async def confirm(self) -> None:
        """Right before the call leaves. Returns once it is on record that it does; raises when it
        is not this caller's to make any more.
        """

    def charge(self, cost: AttemptCost) -> None:
        """Have it written down; nobody waits for that."""


class Ledger(Protocol):
    async def reserve(self, intent: Intent) -> Reservation:
        """Raises Exhausted when a budget does not allow the worst case. Whoever is cancelled here
        has nothing to settle: the ledger gives back by itself what was still set aside.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Why a call is not on its way yet. `sentence` is for the person who waits, such as "Waiting
    for OpenAI's rate limit, 12 s".
    """

    reason: str
    seconds: float | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptReport:
    """One finished attempt that left, for metrics and traces. `outcome` is None when it was
    cancelled, or broken by a bug. Times are seconds since the epoch.
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
