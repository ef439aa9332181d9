"""Searches long texts in a thread, so that they do not block the event loop."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

# Characters that most searches get through in a few milliseconds.
LONG_TEXT = 4_000


async def search(
    length: int,
    function: Callable[Arguments, Result],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> Result:
    """Calls the function; in a thread if `length`, the characters it goes through, is long."""
    if length > LONG_TEXT:
        return await asyncio.to_thread(function, *args, **kwargs)
    return function(*args, **kwargs)
