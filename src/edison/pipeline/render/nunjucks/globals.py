"""Functions that every template can call."""

from collections.abc import Callable, Mapping
from typing import Any

from edison.pipeline.render.nunjucks.budget import TooMuchWork
from edison.pipeline.render.nunjucks.javascript import (
    UNDEFINED,
    is_true,
    normal,
    to_number,
    to_text,
)

_LARGEST_RANGE = 100_000


def _range(start: Any = UNDEFINED, stop: Any = UNDEFINED, step: Any = UNDEFINED) -> list[Any]:
    if stop is UNDEFINED:
        start, stop, step = 0, start, 1
    first, last = to_number(start), to_number(stop)
    width = to_number(step) if is_true(step) else 1
    made: list[Any] = []
    while (first < last) if width > 0 else (first > last):
        made.append(normal(first))
        first += width
        if len(made) > _LARGEST_RANGE:
            raise TooMuchWork
    return made


def _cycler(*items: Any) -> dict[str, Any]:
    state = {"index": -1}
    made: dict[str, Any] = {"current": None}

    def following() -> Any:
        state["index"] = (state["index"] + 1) % max(1, len(items))
        made["current"] = items[state["index"]] if items else UNDEFINED
        return made["current"]

    def reset() -> Any:
        state["index"] = -1
        made["current"] = None
        return UNDEFINED

    made.update(next=following, reset=reset)
    return made


def _joiner(separator: Any = UNDEFINED) -> Callable[[], str]:
    mark = to_text(separator) if is_true(separator) else ","
    used: list[bool] = []

    def join() -> str:
        if used:
            return mark
        used.append(True)
        return ""

    return join


GLOBALS: Mapping[str, Callable[..., Any]] = {
    "range": _range,
    "cycler": _cycler,
    "joiner": _joiner,
}
