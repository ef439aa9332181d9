"""How often a task that raises is run again. What a provider answers is no such failure: tasks
handle that themselves, so what arrives here is a bug or a database that is away.
"""

from datetime import timedelta

MOST_ATTEMPTS = 4
LONGEST_DELAY = timedelta(minutes=1)


def delay_before(attempt: int) -> timedelta:
    """Pause before this attempt, which counts from 1."""
    return min(timedelta(seconds=2 ** (attempt - 2)), LONGEST_DELAY) if attempt > 1 else timedelta()
