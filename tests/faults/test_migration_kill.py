"""A killed upgrade leaves the old schema or the new one, and can be run again."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from edison.db import migrate
from edison.db.engine import open_engine
from tests.support.empty_databases import Dialect, MakeDatabase
from tests.support.migrations import ADDITIONS, STEPS, write_revisions

# Loads the program once and forks for each upgrade, as starting is slow.
NURSERY = """
import asyncio, os, sys
from pathlib import Path
from edison.app import tables
from edison.db import migrate
url, backups, scripts = sys.argv[1:]
while sys.stdin.readline():
    if child := os.fork():
        # Unreaped until the kill is reported, so that one who came first can still be killed.
        sys.stdin.readline()
        os.waitpid(child, 0)
        print("ended", flush=True)
        continue
    script = migrate.revisions(scripts)
    print(os.getpid(), flush=True)
    asyncio.run(migrate.upgrade(url, backup_dir=Path(backups), script=script))
    print("done", flush=True)
    os._exit(0)
"""
STEP_SECONDS = 0.1
# While connecting and saving the backup, between steps, and about to commit.
KILLED_AFTER_STEPS = (0, 0, 1, 3, 6, 9, STEPS)

Schema = tuple[frozenset[str], frozenset[str], frozenset[str | None]]


def read_schema(connection: Connection) -> Schema:
    inspector = inspect(connection)
    return (
        frozenset(inspector.get_table_names()),
        frozenset(column["name"] for column in inspector.get_columns("users")),
        frozenset(index["name"] for index in inspector.get_indexes("users")),
    )


async def look(url: str) -> tuple[Schema, str | None, str | None]:
    """The schema, its revision, and Ada's name; also checks that writing works."""
    engine = open_engine(url, pooled=False)
    async with engine.begin() as connection:
        schema = await connection.run_sync(read_schema)
        revision = await connection.scalar(text("SELECT version_num FROM alembic_version"))
        await connection.execute(text("UPDATE users SET is_local_owner = NOT is_local_owner"))
        name = await connection.scalar(text("SELECT name FROM users"))
    await engine.dispose()
    return schema, revision, name


async def add_ada(url: str) -> None:
    engine = open_engine(url, pooled=False)
    async with engine.begin() as connection:
        await connection.execute(
            text(
                "INSERT INTO users (id, email, email_skeleton, name, is_local_owner, created_at, "
                "updated_at) VALUES ('0190a0a0a0a07000800000000000a0a0', 'ada@example.org', "
                "'ada@example.org', 'Ada', :no, '2026-01-01 00:00:00', '2026-01-01 00:00:00')"
            ),
            {"no": False},
        )
    await engine.dispose()


class UpgradeProcess:
    """Starts upgrades in separate processes and kills them."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", NURSERY, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def kill_one(self, *, steps: int, seconds: float) -> bool:
        """Kills an upgrade some time after a step; True if it had finished before."""
        assert self._process.stdout is not None
        self._say_next()
        upgrade = int(self._process.stdout.readline())
        for _ in range(steps):
            assert self._process.stdout.readline() == "step\n"
        time.sleep(seconds)
        os.kill(upgrade, signal.SIGKILL)
        self._say_next()
        rest = list(iter(self._process.stdout.readline, "ended\n"))
        return "done\n" in rest

    def _say_next(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def close(self) -> None:
        self._process.communicate()


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_killed_upgrade_leaves_the_old_or_the_new_schema(
    dialect: Dialect, make_database: MakeDatabase, tmp_path: Path
) -> None:
    url = make_database(dialect)
    asyncio.run(migrate.upgrade(url, backup_dir=tmp_path))
    asyncio.run(add_ada(url))
    old, old_revision, _ = asyncio.run(look(url))
    scripts = write_revisions(tmp_path / "later", sleep_seconds=STEP_SECONDS)
    chance = random.Random()  # noqa: S311 - any moment will do
    with closing(UpgradeProcess(url, str(tmp_path / "backups"), str(scripts))) as nursery:
        for steps in KILLED_AFTER_STEPS:
            seconds = chance.uniform(0, 1.5 * STEP_SECONDS)
            is_done = nursery.kill_one(steps=steps, seconds=seconds)
            schema, revision, name = asyncio.run(look(url))
            assert name == "Ada"
            if revision == old_revision:
                assert not is_done
                assert schema == old
            else:
                assert revision == ADDITIONS[-1]
                break
    # In every case, running it again completes it.
    script = migrate.revisions(str(scripts))
    asyncio.run(migrate.upgrade(url, backup_dir=tmp_path / "backups", script=script))
    schema, revision, name = asyncio.run(look(url))
    assert revision == ADDITIONS[-1]
    assert name == "Ada"
    assert schema == (
        old[0] | set(ADDITIONS),
        old[1] | set(ADDITIONS),
        old[2] | {f"ix_users_{addition}" for addition in ADDITIONS},
    )
