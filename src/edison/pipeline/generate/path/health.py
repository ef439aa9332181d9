"""What an outcome says about the service behind it, in the two ways a lane wants to know."""

from enum import StrEnum

from edison.pipeline.generate.outcome import CallFailed, FailureReason, Outcome

# The service was reached, understood the question and decided about it.
DECISIONS = frozenset(
    {
        FailureReason.INVALID_KEY,
        FailureReason.QUOTA,
        FailureReason.CONTENT_FILTER,
        FailureReason.MODEL_NOT_FOUND,
        FailureReason.CONTEXT_LENGTH,
    }
)


class Health(StrEnum):
    WORKS = "works"
    FAILS = "fails"
    UNKNOWN = "unknown"


def health_of(outcome: Outcome | None) -> Health:
    """A refusal (a wrong key, a filtered or overlong prompt, a parameter it does not take) shows
    that the service works. Server errors, timeouts, lost connections and rate limits show that it
    does not. A cancelled call and an unreadable answer show neither; nor does a rate limit that
    names its end, since the lane then waits exactly that long.
    """
    if outcome is None:
        return Health.UNKNOWN
    if not isinstance(outcome, CallFailed) or outcome.reason in DECISIONS:
        return Health.WORKS
    match outcome.reason:
        case FailureReason.MALFORMED_RESPONSE:
            return Health.UNKNOWN
        case FailureReason.RATE_LIMIT if outcome.retry_after_seconds is not None:
            return Health.UNKNOWN
        case FailureReason.PROVIDER if not outcome.is_retryable:
            return Health.WORKS
    return Health.FAILS


def is_overload(outcome: Outcome | None) -> bool:
    """The service asks for less: a rate limit, or a server error."""
    return isinstance(outcome, CallFailed) and (
        outcome.reason is FailureReason.RATE_LIMIT
        or (outcome.reason is FailureReason.PROVIDER and outcome.is_retryable)
    )
