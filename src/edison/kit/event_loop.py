"""Event loop and garbage collection settings of processes."""

import gc
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

# Python's default is a collection after 700 new objects. A hundred concurrent calls hold many times
# as many live ones, and scanning them repeatedly took a tenth of a run's CPU time.
NEW_OBJECTS = 10_000
YOUNG_ROUNDS = 20
OLD_ROUNDS = 20


def collect_rarely() -> None:
    """Call before modules are loaded: a sixth of the time to load them went into collections, and
    what they create stays.
    """
    gc.set_threshold(NEW_OBJECTS, YOUNG_ROUNDS, OLD_ROUNDS)


def leave_existing_objects_alone() -> None:
    """They are never scanned again. Call after all modules are loaded, and when a command ends:
    Python's last collections took a second.
    """
    gc.freeze()


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Runs on the same event loop as the server (uvloop where available)."""
    if sys.platform == "win32":
        import asyncio

        return asyncio.run(main)
    import uvloop

    return uvloop.run(main)
