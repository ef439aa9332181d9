"""A time that passes while the database is away becomes one check once it is back."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from edison.db import migrate
from tests.faults.engine.installation import Install, Installation, Refused
from tests.faults.engine.process import Pace
from tests.faults.monitors.test_schedules import OVER, Watcher
from tests.support import postgres
from tests.support.stoppable_postgres import StoppablePostgres, stoppable_postgres
from tests.support.thorough import IS_THOROUGH

# Sweeps and jobs that failed for want of the database.
OUTAGE = ("database unavailable", "database is locked", "job failed")


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    file = tmp_path / "clock"
    file.write_text("0")
    return file


@pytest.fixture
def own_postgres() -> Iterator[StoppablePostgres]:
    with stoppable_postgres() as server:
        yield server


@contextmanager
def locked(installation: Installation) -> Iterator[None]:
    file = installation.database_url.partition(":///")[2]
    with closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def stopped(server: StoppablePostgres) -> Iterator[None]:
    server.crash()
    yield
    server.start()


def is_over(person: Watcher, monitor_id: str) -> bool:
    """False too while requests are still refused."""
    try:
        return any(each["state"] in OVER for each in person.checks(monitor_id))
    except Refused:
        return False


def miss_a_time(
    installation: Installation, clock: Path, away: AbstractContextManager[None]
) -> None:
    person = Watcher(installation)
    due = (datetime.now(UTC) + timedelta(hours=3)).replace(second=0, microsecond=0)
    rules = {"drop": {"kind": "off"}, "latency": {"is_on": False}}
    monitor_id = person.add(
        "Things", cron=f"{due.minute} {due.hour} * * *", cases={"limit": 1}, rules=rules
    )
    with away:
        before = len(installation.log)
        clock.write_text(str((due - datetime.now(UTC)).total_seconds() + 2))
        person.until(lambda: any(words in installation.log[before:] for words in OUTAGE))
    person.until(lambda: is_over(person, monitor_id))
    (check,) = person.checks(monitor_id)
    assert (check["state"], check["trigger"]) == ("done", "schedule")
    assert check["scheduled_for"] == due.isoformat().replace("+00:00", "Z")
    assert installation.provider.record().calls == 1


def test_a_time_passes_while_sqlite_is_locked(install: Install, clock: Path) -> None:
    installation = install("sqlite", pace=Pace(busy_seconds=0.2), clock_file=clock)
    miss_a_time(installation, clock, locked(installation))


@pytest.mark.skipif(not IS_THOROUGH, reason="starts a server of its own")
def test_a_time_passes_while_postgresql_is_stopped(
    own_postgres: StoppablePostgres, install: Install, clock: Path, tmp_path: Path
) -> None:
    made = asyncio.run(postgres.create_database(own_postgres.url, "edison"))
    url = made.replace("postgresql:", "postgresql+asyncpg:")
    asyncio.run(migrate.upgrade(url, backup_dir=tmp_path))
    installation = install("postgresql", url=url, workers=1, clock_file=clock)
    miss_a_time(installation, clock, stopped(own_postgres))
