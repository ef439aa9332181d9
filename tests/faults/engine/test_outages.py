"""The database is stopped or locked during a run, or its disk is full: everything waits, reports
why, and continues by itself; no paid answer is lost.
"""

import asyncio
import contextlib
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from edison.db import migrate
from tests.faults.engine.evidence import (
    Snapshot,
    find_incompleteness,
    find_losses,
    find_repetitions,
    find_wrong_money,
    find_wrong_sums,
    take_snapshot,
)
from tests.faults.engine.installation import Install, Installation
from tests.faults.engine.process import Pace
from tests.support import postgres
from tests.support.patience import PATIENCE_SECONDS
from tests.support.stoppable_postgres import StoppablePostgres, stoppable_postgres
from tests.support.thorough import rounds

CASES = rounds(40, thorough=100)
LOCKED_SECONDS = rounds(2, thorough=20)
AWAY_SECONDS = rounds(1, thorough=15)
RESTARTS = rounds(1, thorough=5)
# Room for a log of SQLite that has grown as far as it may: what is freed is not the log's.
DISK_MEGABYTES = 32
# Shorter than usual, so that a held lock counts as an outage.
HURRIED = Pace(busy_seconds=0.5)


def begin(installation: Installation) -> str:
    """A run in progress."""
    installation.provider.turn(least_seconds=0.05, most_seconds=0.2)
    installation.add_budget("100")
    run_id = installation.start_run(cases=CASES)
    installation.until(run_id, lambda run: run["done_count"] >= CASES // 4)
    return run_id


def find_problems(installation: Installation, run_id: str, before: list[Snapshot]) -> list[str]:
    run = installation.finish(run_id, patience_seconds=60)
    end = take_snapshot(installation)
    return [
        *find_incompleteness(run),
        *find_losses(before, end),
        *find_wrong_sums(installation, run_id),
        *find_wrong_money(installation, end.record),
    ]


def until_not_ready(installation: Installation, reason: str) -> None:
    """Waits until Edison reports that it is not ready, and why."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (told := _readiness(installation)) != {"ready": False, "reason": reason}:
        assert time.monotonic() < deadline, told
        time.sleep(0.1)


def until_ready(installation: Installation) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (told := _readiness(installation)) != {"ready": True, "reason": None}:
        assert time.monotonic() < deadline, told
        time.sleep(0.1)


def _readiness(installation: Installation) -> object:
    return installation.client.get("/api/readiness").json()


@pytest.fixture
def own_postgres() -> Iterator[StoppablePostgres]:
    with stoppable_postgres() as server:
        yield server


@pytest.mark.everyday
def test_postgresql_is_restarted_in_the_middle_of_a_run(
    own_postgres: StoppablePostgres, install: Install, tmp_path: Path
) -> None:
    made = asyncio.run(postgres.create_database(own_postgres.url, "edison"))
    url = made.replace("postgresql:", "postgresql+asyncpg:")
    asyncio.run(migrate.upgrade(url, backup_dir=tmp_path))
    installation = install("postgresql", url=url)
    run_id = begin(installation)
    before = []
    for _ in range(RESTARTS):
        own_postgres.crash()
        until_not_ready(installation, "The database does not answer.")
        time.sleep(AWAY_SECONDS)
        own_postgres.start()
        before.append(take_snapshot(installation))
        until_ready(installation)

    assert find_problems(installation, run_id, before) == []


@contextlib.contextmanager
def locked(installation: Installation) -> Iterator[None]:
    file = installation.database_url.partition(":///")[2]
    with closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


def lock_for_a_while(installation: Installation) -> list[str]:
    """Returns the problems found."""
    run_id = begin(installation)
    with locked(installation):
        until_not_ready(installation, "The database is locked.")
        time.sleep(LOCKED_SECONDS)
        before = take_snapshot(installation)
    problems = find_problems(installation, run_id, [before])
    return problems + find_repetitions(installation.provider.record())


def test_sqlite_is_locked_in_the_middle_of_a_run(install: Install) -> None:
    installation = install("sqlite", pace=HURRIED)

    assert lock_for_a_while(installation) == []
    until_ready(installation)


def test_a_batch_writer_that_gives_up_is_detected(install: Install) -> None:
    """The mutant drops items that cannot be written at once."""
    installation = install("sqlite", pace=HURRIED, twin="gives_up_when_the_database_is_away")
    with pytest.raises(AssertionError):
        assert lock_for_a_while(installation) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m", "tmpfs", str(folder)]
    if os.geteuid() or not shutil.which("mount"):
        pytest.skip("Only root can mount a small disk.")
    if subprocess.run(["mount", *options], check=False, capture_output=True).returncode:
        pytest.skip("This machine does not let root mount a small disk.")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_the_disk_is_full_in_the_middle_of_a_run(
    small_disk: Path, sqlite_template: Path, install: Install
) -> None:
    file = small_disk / "edison.db"
    shutil.copy(sqlite_template, file)
    installation = install("sqlite", url=f"sqlite+aiosqlite:///{file}")
    run_id = begin(installation)
    filler = small_disk / "filler"
    fill(filler)
    until_not_ready(installation, "The disk is full.")
    before = take_snapshot(installation)
    filler.unlink()

    assert find_problems(installation, run_id, [before]) == []
    assert find_repetitions(installation.provider.record()) == []
    until_ready(installation)


def fill(filler: Path) -> None:
    with filler.open("ab", buffering=0) as rest, contextlib.suppress(OSError):
        while True:
            rest.write(bytes(4096))
