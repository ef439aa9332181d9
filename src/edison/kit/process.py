"""When this process began, which together with its number tells it from every other there was."""

import os
from datetime import datetime
from functools import cache

from edison.kit import clock


def started_at() -> datetime:
    return _started_at(os.getpid())


@cache
def _started_at(pid: int) -> datetime:
    """Asked for by number, since a process that was forked is another one."""
    return clock.now()
