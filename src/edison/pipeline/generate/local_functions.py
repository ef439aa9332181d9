"""Functions of this process that answer in place of a model: commands and Python
functions that an evaluation's configuration names.

Only the command line registers functions, where they have the rights of the person who starts it. A
server has none.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.outcome import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalAnswer:
    """A text, or the error that the function reports."""

    text: str | None = None
    error: str | None = None
    usage: Usage | None = None


LocalFunction = Callable[[str], Awaitable[LocalAnswer]]

_functions: dict[str, LocalFunction] = {}


@contextmanager
def local_functions(functions: Mapping[str, LocalFunction]) -> Iterator[None]:
    """Registers functions by model name while the block runs."""
    _functions.update(functions)
    try:
        yield
    finally:
        for name in functions:
            _functions.pop(name, None)


def find_function(name: str) -> LocalFunction | None:
    return _functions.get(name)
