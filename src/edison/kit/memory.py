"""Memory of a process: when garbage is collected, and what is returned to the system."""

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Python's default is a collection after 700 new objects. A hundred concurrent calls hold many times
# as many live ones, and scanning them repeatedly took a tenth of a run's CPU time.
NEW_OBJECTS = 10_000
YOUNG_ROUNDS = 20
OLD_ROUNDS = 20
# A run creates thousands of short-lived objects a second, none of them cyclic.
NEW_OBJECTS_OF_RUN = 20_000

# Of malloc.h.
_M_ARENA_MAX = -8

_runs = 0
_normal: tuple[int, int, int] = gc.get_threshold()


def prepare_process() -> None:
    """Call before modules are loaded and threads started: a sixth of the time to load modules went
    into collections, and what they create stays.
    """
    gc.set_threshold(NEW_OBJECTS, YOUNG_ROUNDS, OLD_ROUNDS)
    _use_one_heap()


@contextmanager
def collecting_nothing() -> Iterator[None]:
    """For loading modules: what they create stays, and scanning it takes a tenth of the time to
    load them all.
    """
    gc.disable()
    try:
        yield
    finally:
        leave_existing_objects_alone()
        gc.enable()


def leave_existing_objects_alone() -> None:
    """They are never scanned again. Call after all modules are loaded, and when a command ends:
    Python's last collections took a second.
    """
    gc.freeze()


@contextmanager
def collected_rarely() -> Iterator[None]:
    """May be entered many times at once: the last to leave restores the normal state."""
    global _runs, _normal  # noqa: PLW0603 - the collector is process-wide
    if _runs == 0:
        _normal = gc.get_threshold()
        gc.set_threshold(NEW_OBJECTS_OF_RUN, *_normal[1:])
    _runs += 1
    try:
        yield
    finally:
        _runs -= 1
        if _runs == 0:
            gc.set_threshold(*_normal)


def return_freed_memory() -> None:
    """Call after much was freed at once: glibc keeps it while anything above it is in use."""
    _call_glibc("malloc_trim", 0)


def _use_one_heap() -> None:
    """glibc gives threads heaps of their own, and each keeps what is freed in it. Python's lock
    lets one thread allocate at a time anyway.
    """
    _call_glibc("mallopt", _M_ARENA_MAX, 1)


def _call_glibc(name: str, *arguments: int) -> None:
    """Does nothing on systems with another C library."""
    if sys.platform == "linux" and (function := getattr(ctypes.CDLL(None), name, None)):
        function(*arguments)
