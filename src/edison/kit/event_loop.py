"""The event loop of processes."""

import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Runs on the same event loop as the server (uvloop where available)."""
    if sys.platform == "win32":
        import asyncio

        return asyncio.run(main)
    import uvloop

    return uvloop.run(main)
