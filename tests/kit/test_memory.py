"""Memory settings of a process."""

import gc
import platform
import subprocess
import sys

import pytest

from edison.kit.memory import NEW_OBJECTS_OF_RUN, collected_rarely, collecting_nothing

ALLOCATES_IN_THREADS = """
import threading
from edison.kit.memory import prepare_process
{prepare}
both = threading.Barrier(2)

def allocate():
    for _ in range(100):
        kept = [bytearray(100_000) for _ in range(10)]
    both.wait()

threads = [threading.Thread(target=allocate) for _ in range(2)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
import ctypes
ctypes.CDLL(None).malloc_stats()
"""


def test_the_last_to_leave_restores_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edison.kit.memory._runs", 0)
    normal = gc.get_threshold()
    with collected_rarely():
        with collected_rarely():
            assert gc.get_threshold() == (NEW_OBJECTS_OF_RUN, *normal[1:])
        assert gc.get_threshold()[0] == NEW_OBJECTS_OF_RUN
    assert gc.get_threshold() == normal


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="Others have no such heaps.")
@pytest.mark.parametrize(("prepare", "has_more"), [("", True), ("prepare_process()", False)])
def test_threads_share_one_heap(prepare: str, has_more: bool) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ALLOCATES_IN_THREADS.format(prepare=prepare)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("Arena 1:" in ended.stderr) is has_more


def test_nothing_is_collected_while_modules_are_loaded() -> None:
    before = gc.get_freeze_count()
    with collecting_nothing():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() > before
