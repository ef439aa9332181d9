"""Migrations: from empty to the current models, with a backup, once, and never backwards."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from edison.app.tables import metadata
from edison.db import migrate
from edison.db.current_schema import is_current, newest_revision
from edison.db.engine import open_engine
from tests.support.empty_databases import Dialect, MakeDatabase
from tests.support.migrations import STEPS, write_revisions

UPGRADE = """
import asyncio, sys
from pathlib import Path
from edison.db import migrate
url, backups, scripts = sys.argv[1:]
script = migrate.revisions(scripts)
print("ready", flush=True)
sys.stdin.readline()
asyncio.run(migrate.upgrade(url, backup_dir=Path(backups), script=script))
"""


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, metadata))


def shape(connection: Connection) -> dict[str, Any]:
    """The schema as the database describes it, whatever the order of columns."""
    found = inspect(connection)

    def plain(value: Any) -> str:
        return repr({key: str(value[key]) for key in value} if isinstance(value, dict) else value)

    def described(items: list[Any]) -> list[str]:
        # Revisions give new columns a default, for the rows that exist.
        return sorted(
            repr(sorted((key, plain(item[key])) for key in item if key != "default"))
            for item in items
        )

    return {
        name: {
            "columns": described(found.get_columns(name)),
            "primary key": found.get_pk_constraint(name)["constrained_columns"],
            "foreign keys": described(found.get_foreign_keys(name)),
            "indexes": described(found.get_indexes(name)),
            "unique": described(found.get_unique_constraints(name)),
            "checks": described(found.get_check_constraints(name)),
        }
        for name in found.get_table_names()
    }


async def shape_after(url: str, *steps: str) -> dict[str, Any]:
    script = migrate.revisions()
    engine = open_engine(url, pooled=False, foreign_keys=False)
    for step in steps:
        async with migrate.changing_schema(engine) as connection:
            await connection.run_sync(migrate.apply, script, step)
    assert (await migrate.read_state(engine)).is_current
    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []
        found = await connection.run_sync(shape)
    await engine.dispose()
    return found


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_revisions_and_models_produce_the_same_schema(
    make_database: MakeDatabase, dialect: Dialect
) -> None:
    baseline = migrate.revisions().get_base()
    assert baseline is not None
    by_revisions = asyncio.run(shape_after(make_database(dialect), baseline, "head"))
    by_models = asyncio.run(shape_after(make_database(dialect), "head"))
    assert by_revisions == by_models


async def test_an_empty_or_current_database_needs_no_backup(empty_url: str, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    assert await migrate.upgrade(empty_url, backup_dir=backups) is None
    assert await migrate.upgrade(empty_url, backup_dir=backups) is None
    assert not backups.exists()


async def test_an_upgrade_saves_a_backup_first(empty_url: str, tmp_path: Path) -> None:
    await migrate.upgrade(empty_url, backup_dir=tmp_path)
    later = migrate.revisions(str(write_revisions(tmp_path / "later")))
    saved = await migrate.upgrade(empty_url, backup_dir=tmp_path / "backups", script=later)
    assert saved is not None
    assert saved.exists()
    engine = open_engine(empty_url, pooled=False)
    assert (await migrate.read_state(engine, later)).is_current
    await engine.dispose()


async def test_a_newer_database_is_refused_and_unchanged(empty_url: str, tmp_path: Path) -> None:
    later = migrate.revisions(str(write_revisions(tmp_path / "later")))
    await migrate.upgrade(empty_url, backup_dir=tmp_path, script=later)
    with pytest.raises(migrate.DatabaseIsNewer) as refusal:
        await migrate.upgrade(empty_url, backup_dir=tmp_path)
    assert "newer Edison" in refusal.value.message
    engine = open_engine(empty_url, pooled=False)
    assert (await migrate.read_state(engine, later)).is_current
    await engine.dispose()


async def test_a_database_older_than_the_baseline_is_refused_and_unchanged(
    empty_url: str, tmp_path: Path
) -> None:
    await migrate.upgrade(empty_url, backup_dir=tmp_path)
    engine = open_engine(empty_url, pooled=False)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '0007'"))
    with pytest.raises(migrate.DatabaseIsTooOld) as refusal:
        await migrate.upgrade(empty_url, backup_dir=tmp_path)
    assert "(schema 0007; this program upgrades from 0019)" in refusal.value.message
    async with engine.connect() as connection:
        left = await connection.scalar(text("SELECT version_num FROM alembic_version"))
    assert left == "0007"
    await engine.dispose()


async def test_reading_the_state_takes_no_write_lock(empty_url: str, tmp_path: Path) -> None:
    await migrate.upgrade(empty_url, backup_dir=tmp_path)
    engine = open_engine(empty_url)
    async with engine.begin() as writing:
        await writing.execute(text("UPDATE users SET name = 'x'"))
        async with asyncio.timeout(5):
            assert (await migrate.read_state(engine)).is_current
    await engine.dispose()


def test_the_newest_revision_is_known_without_reading_the_revisions() -> None:
    assert newest_revision() == migrate.revisions().get_current_head()


async def test_only_this_programs_schema_is_current(empty_url: str, tmp_path: Path) -> None:
    engine = open_engine(empty_url, pooled=False)
    assert not await is_current(engine)
    await migrate.upgrade(empty_url, backup_dir=tmp_path)
    assert await is_current(engine)
    later = migrate.revisions(str(write_revisions(tmp_path / "later")))
    await migrate.upgrade(empty_url, backup_dir=tmp_path, script=later)
    assert not await is_current(engine)
    await engine.dispose()


def test_two_processes_upgrade_at_once(empty_url: str, tmp_path: Path) -> None:
    asyncio.run(migrate.upgrade(empty_url, backup_dir=tmp_path))
    scripts = write_revisions(tmp_path / "later", sleep_seconds=0.1)
    arguments = [empty_url, str(tmp_path / "backups"), str(scripts)]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", UPGRADE, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
    steps = 0
    for process in processes:
        output, errors = process.communicate(timeout=30)
        assert process.returncode == 0, errors.decode()
        steps += output.count(b"step")
    assert steps == STEPS
    asyncio.run(_check_is_current(empty_url, scripts))


async def _check_is_current(url: str, scripts: Path) -> None:
    engine = open_engine(url, pooled=False)
    assert (await migrate.read_state(engine, migrate.revisions(str(scripts)))).is_current
    await engine.dispose()
