"""Long texts, which must not block the event loop: searched in a thread, or not compared at all."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from edison.pipeline.score.scorer import Flag, NotApplicable

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

# Characters that most searches get through in a few milliseconds.
LONG_TEXT = 4_000
# Limit for comparisons that take more than linear time: about a tenth of a second at this length.
LONGEST_TEXT = 50_000


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


def check_length(*texts: str) -> None:
    """Raises NotApplicable when comparing the texts would block the event loop."""
    if any(len(text) > LONGEST_TEXT for text in texts):
        raise NotApplicable(Flag.TOO_LONG, "A text is too long to be compared.")
