"""Event loop and garbage collection settings of long-running processes."""

import asyncio
import gc
import sys
from collections.abc import Coroutine
from typing import Any

# Python's default is a collection after 700 new objects. A hundred concurrent calls hold many times
# as many live ones, and scanning them repeatedly took a tenth of a run's CPU time.
NEW_OBJECTS = 10_000
YOUNG_ROUNDS = 20
OLD_ROUNDS = 20


def tune_garbage_collection() -> None:
    """Call after all modules are loaded: existing objects are frozen and never scanned again."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, YOUNG_ROUNDS, OLD_ROUNDS)


def run(main: Coroutine[Any, Any, None]) -> None:
    """Runs on the same event loop as the server (uvloop where available)."""
    if sys.platform == "win32":
        asyncio.run(main)
        return
    import uvloop

    uvloop.run(main)
