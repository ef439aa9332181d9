"""Whether a failed attempt is tried again, and after how long. Pure: luck is handed in."""

from dataclasses import dataclass, replace

from edison.pipeline.generate.outcome import CallFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Waits double from the first to the longest, each spread by `jitter` so that calls which
    failed together do not come back together.

    A provider that names a time is never asked again before it. One that names a longer time than
    `longest_retry_after_seconds` gets no second attempt: nobody waits that long for a cell.
    """

    attempts: int = 3
    first_delay_seconds: float = 1
    longest_delay_seconds: float = 30
    jitter: float = 0.25
    longest_retry_after_seconds: float = 120

    def next_step(self, attempt: int, failure: CallFailed, *, luck: float) -> float | CallFailed:
        """Seconds until the attempt after this one, or the failure in which the call ends.

        `attempt` counts from 1; `luck` is drawn evenly from 0 to 1.
        """
        if not failure.is_retryable or attempt >= self.attempts:
            return failure
        asked_for = failure.retry_after_seconds
        if asked_for is not None and asked_for > self.longest_retry_after_seconds:
            return self._too_long(failure, asked_for)
        doubled = self.first_delay_seconds * 2.0 ** min(attempt - 1, 64)
        spread = 1 + self.jitter * (2 * luck - 1)
        return max(min(doubled, self.longest_delay_seconds) * spread, asked_for or 0)

    def _too_long(self, failure: CallFailed, asked_for: float) -> CallFailed:
        return replace(
            failure,
            message=(
                f"{failure.message} Edison did not try again, since the provider asks to wait "
                f"{asked_for:.0f} s and Edison waits at most "
                f"{self.longest_retry_after_seconds:.0f} s."
            ),
        )
