"""Waits for engine processes, and finds them in the database."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.patience import PATIENCE_SECONDS

LOOK_SECONDS = 0.05


def until(look: Callable[[], Any], *, explain: Callable[[], str] = str) -> Any:
    """What `look` finds first. `explain` says what is known when it finds nothing."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (found := look()):
        assert time.monotonic() < deadline, explain()
        time.sleep(LOOK_SECONDS)
    return found


def engine_pids(database: Path, *, other_than: int | None = None) -> list[int]:
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT pid FROM worker_processes WHERE kind = 'worker'")
        return [pid for (pid,) in found if pid != other_than]
