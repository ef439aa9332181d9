"""Things that go wrong with real providers, on demand and seeded."""

from dataclasses import dataclass
from enum import StrEnum

from edison.pipeline.generate.outcome import Billed, CallFailed, FailureReason
from edison.pipeline.generate.simulation import luck


class Fault(StrEnum):
    RATE_LIMIT = "rate_limit"
    TIMEOUT = "timeout"
    SERVER_ERROR = "server_error"
    MALFORMED = "malformed"
    CONTENT_FILTER = "content_filter"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRates:
    """Shares of calls. Together they may not exceed 1."""

    rates: tuple[tuple[Fault, float], ...]
    seed: int = 0

    def drawn(self, *call: object) -> Fault | None:
        """The fault of this call, if any. `call` has its number: a retry has luck of its own."""
        chance = luck.uniform("fault", self.seed, *call)
        for fault, rate in self.rates:
            if chance < rate:
                return fault
            chance -= rate
        return None


def failure(fault: Fault, request_id: str) -> CallFailed:
    reason, message, is_retryable, wait = _FAILURES[fault]
    return CallFailed(
        reason=reason,
        message=message,
        is_retryable=is_retryable,
        retry_after_seconds=wait,
        request_id=request_id,
        billed=_BILLED.get(fault, Billed.UNKNOWN),
    )


_BILLED = {
    Fault.RATE_LIMIT: Billed.NOTHING,
    Fault.SERVER_ERROR: Billed.NOTHING,
    Fault.CONTENT_FILTER: Billed.PROMPT,
}


_FAILURES: dict[Fault, tuple[FailureReason, str, bool, float | None]] = {
    Fault.RATE_LIMIT: (
        FailureReason.RATE_LIMIT,
        "The simulated provider got too many requests; it asks to wait a second.",
        True,
        1.0,
    ),
    Fault.TIMEOUT: (
        FailureReason.TIMEOUT,
        "The simulated model did not answer in time. Raise the timeout or try again.",
        True,
        None,
    ),
    Fault.SERVER_ERROR: (
        FailureReason.PROVIDER,
        "The simulated provider had an internal error. Try again.",
        True,
        None,
    ),
    Fault.MALFORMED: (
        FailureReason.MALFORMED_RESPONSE,
        "The simulated provider answered with something that is not a completion.",
        True,
        None,
    ),
    Fault.CONTENT_FILTER: (
        FailureReason.CONTENT_FILTER,
        "The simulated provider's content filter refused the prompt. Change its wording.",
        False,
        None,
    ),
    Fault.TRUNCATED: (
        FailureReason.NETWORK,
        "The connection to the simulated provider broke off in mid-answer. Try again.",
        True,
        None,
    ),
}
