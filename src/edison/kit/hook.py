"""Extension points: a module declares a hook where it fires, and layers above connect to it.

`app/hooks.py` connects every listener; `docs/architecture.md` has a table of all hooks.
"""

from collections.abc import Awaitable, Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Hook(Generic[P, R]):
    """`when` describes when the hook fires and in which transaction, for the table of hooks."""

    def __init__(self, when: str) -> None:
        self.when = when
        self.listeners: tuple[Callable[P, Awaitable[R]], ...] = ()

    def connect(self, *listeners: Callable[P, Awaitable[R]]) -> None:
        """Adds listeners behind earlier ones. Idempotent."""
        self.listeners = tuple(dict.fromkeys((*self.listeners, *listeners)))

    async def fire(self, *args: P.args, **kwargs: P.kwargs) -> list[R]:
        """Calls the listeners in order. An exception propagates, so that it rolls back the
        transaction in which the hook fires.
        """
        return [await listener(*args, **kwargs) for listener in self.listeners]

    async def first(self, *args: P.args, **kwargs: P.kwargs) -> R | None:
        """The first result that is not None; later listeners are not called."""
        for listener in self.listeners:
            result = await listener(*args, **kwargs)
            if result is not None:
                return result
        return None
