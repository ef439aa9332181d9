"""A killed backup leaves a complete file or none; a killed restore the old rows or the new ones."""

import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import insert, text

from edison.db import archive, backup, migrate
from edison.db.engine import open_engine
from edison.db.restore import restore
from edison.kit import clock, ids
from edison.workspace.projects.models import Project
from tests.support.empty_databases import Dialect, MakeDatabase
from tests.support.thorough import IS_THOROUGH, rounds
from tests.support.zygote import ZYGOTE, Child

ROWS = 1_000
KILLS = rounds(2, thorough=10)
WORD = "x" * 60


def _save(url: str, target: Path) -> None:
    asyncio.run(backup.save(url, target))


def _restore(url: str, source: Path) -> None:
    asyncio.run(restore(source, url, replace=True))


async def add_projects(url: str, *, name: str) -> None:
    engine = open_engine(url, pooled=False)
    now = clock.now()
    async with engine.begin() as connection:
        await connection.execute(
            insert(Project),
            [
                {
                    "id": ids.new_id(),
                    "slug": f"{name}-{number}",
                    "name": f"{name} {WORD}",
                    "created_at": now,
                    "updated_at": now,
                }
                for number in range(ROWS)
            ],
        )
    await engine.dispose()


async def count(url: str) -> dict[str, int]:
    """The number of projects, by the first word of their names; also checks that writing works."""
    engine = open_engine(url, pooled=False)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE projects SET archived_at = NULL"))
        names = (await connection.execute(text("SELECT name FROM projects"))).scalars().all()
    await engine.dispose()
    words = [name.split()[0] for name in names]
    return {word: words.count(word) for word in set(words)}


def make_filled(make_database: MakeDatabase, dialect: Dialect, folder: Path, name: str) -> str:
    url = make_database(dialect)
    asyncio.run(migrate.upgrade(url, backup_dir=folder))
    asyncio.run(add_projects(url, name=name))
    return url


def time_of(work: Callable[[str, Path], None], url: str, file: Path) -> float:
    """Duration in a separate process without a kill."""
    began = time.monotonic()
    child = Child(ZYGOTE.Process(target=work, args=(url, file), daemon=True))
    assert child.wait() == 0
    return time.monotonic() - began


def kill_during(
    work: Callable[[str, Path], None], url: str, file: Path, *, after_seconds: float
) -> None:
    child = Child(ZYGOTE.Process(target=work, args=(url, file), daemon=True))
    time.sleep(after_seconds)
    child.kill()


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_killed_backup_leaves_a_whole_file_or_none(
    dialect: Dialect, make_database: MakeDatabase, tmp_path: Path
) -> None:
    url = make_filled(make_database, dialect, tmp_path, "old")
    whole = tmp_path / "whole.edison.zip"
    usual_seconds = time_of(_save, url, whole)
    for number in range(KILLS):
        target = tmp_path / f"{number}.edison.zip"
        kill_during(_save, url, target, after_seconds=random.uniform(0, usual_seconds))  # noqa: S311 - dice
        if target.exists():
            with archive.open_archive(target):
                pass
        target.unlink(missing_ok=True)
        # Leftovers do not block the next attempt.
        asyncio.run(backup.save(url, target))
    assert asyncio.run(count(url)) == {"old": ROWS}


@pytest.mark.skipif(not IS_THOROUGH, reason="makes the schema again and again")
@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_killed_restore_leaves_the_old_rows_or_the_new_ones(
    dialect: Dialect, make_database: MakeDatabase, tmp_path: Path
) -> None:
    saved = tmp_path / "new.edison.zip"
    asyncio.run(backup.save(make_filled(make_database, dialect, tmp_path, "new"), saved))
    usual_seconds = time_of(
        _restore, make_filled(make_database, dialect, tmp_path, "practice"), saved
    )
    url = make_filled(make_database, dialect, tmp_path, "old")
    for _ in range(KILLS):
        kill_during(_restore, url, saved, after_seconds=random.uniform(0, usual_seconds))  # noqa: S311 - dice
        assert asyncio.run(count(url)) in ({"old": ROWS}, {"new": ROWS})
    _restore(url, saved)
    assert asyncio.run(count(url)) == {"new": ROWS}
