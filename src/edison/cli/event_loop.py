"""What processes that stay have in common: the event loop, and when garbage is looked for."""

import asyncio
import gc
import sys
from collections.abc import Coroutine
from typing import Any

# Python looks for garbage after 700 new objects; a hundred calls under way have many times as many,
# none of them garbage, and looking at them again and again took a tenth of a run's processor time.
NEW_OBJECTS = 10_000
YOUNG_ROUNDS = 20
OLD_ROUNDS = 20


def tune_garbage_collection() -> None:
    """Call it when everything is loaded: what is there by now stays, and is never looked at."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, YOUNG_ROUNDS, OLD_ROUNDS)


def run(main: Coroutine[Any, Any, None]) -> None:
    """On the event loop that the server uses, too."""
    if sys.platform == "win32":
        asyncio.run(main)
        return
    import uvloop

    uvloop.run(main)
