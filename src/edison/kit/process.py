"""Start time of this process; together with the process id it identifies the process."""

import os
from datetime import datetime
from functools import cache

from edison.kit import clock


def started_at() -> datetime:
    return _started_at(os.getpid())


@cache
def _started_at(pid: int) -> datetime:
    """Cached by process id, since a forked process inherits the cache."""
    return clock.now()
