"""Retry schedule of deliveries."""

import secrets
from datetime import timedelta

RETRY_SECONDS = (10, 60, 300, 1_800, 7_200, 43_200)
_JITTER = 0.1
# A destination without a success for this long is switched off.
MOST_FAILING = timedelta(days=3)


def retry_delay(attempts: int) -> timedelta | None:
    """Time from a failed attempt, counted from 1, to the next one; None after the last. The jitter
    of ten percent keeps many deliveries from repeating together.
    """
    if attempts > len(RETRY_SECONDS):
        return None
    jitter = 1 + _JITTER * (secrets.randbelow(2001) - 1000) / 1000
    return timedelta(seconds=RETRY_SECONDS[attempts - 1] * jitter)
