"""Less garbage collection while a process works at full speed.

A run creates thousands of short-lived objects a second. None of them are cyclic, but each few
hundred make the collector look through the young ones, and now and then through all objects of the
process.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Net new objects before the collector looks at the young ones.
YOUNG_OBJECTS = 20_000

_users = 0
_normal: tuple[int, int, int] = gc.get_threshold()


@contextmanager
def collected_rarely() -> Iterator[None]:
    """May be entered many times at once: the last to leave restores the normal state."""
    global _users, _normal  # noqa: PLW0603 - the collector is process-wide
    if _users == 0:
        _normal = gc.get_threshold()
        gc.set_threshold(YOUNG_OBJECTS, *_normal[1:])
    _users += 1
    try:
        yield
    finally:
        _users -= 1
        if _users == 0:
            gc.set_threshold(*_normal)
