"""Processes that get no more than a part of a core each, so that a machine of few cores shows how
work scales over many. Needs root and control groups.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
PERIOD_MICROSECONDS = 20_000


@contextmanager
def limited(process_ids: Iterable[int], cores: float) -> Iterator[None]:
    """Raises `OSError` where control groups are not available."""
    with ExitStack() as stack:
        for process_id in process_ids:
            stack.enter_context(_limited(process_id, round(cores * PERIOD_MICROSECONDS)))
        yield


@contextmanager
def _limited(process_id: int, microseconds: int) -> Iterator[None]:
    is_first_version = (GROUPS / "cpu").is_dir()
    parent = GROUPS / "cpu" if is_first_version else GROUPS
    group = parent / f"edison-bench-{os.getpid()}-{process_id}"
    group.mkdir()
    try:
        if is_first_version:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_MICROSECONDS))
            (group / "cpu.cfs_quota_us").write_text(str(microseconds))
        else:
            (group / "cpu.max").write_text(f"{microseconds} {PERIOD_MICROSECONDS}")
        (group / "cgroup.procs").write_text(str(process_id))
        yield
    finally:
        # A group with a process cannot be removed.
        (parent / "cgroup.procs").write_text(str(process_id))
        group.rmdir()
