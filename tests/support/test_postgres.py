"""The shared PostgreSQL server: one for all users, stopped with the last, also without root."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import asyncpg
import pytest

from tests.support import postgres

HOLD = """
import sys
from pathlib import Path
from tests.support.postgres import running_server
with running_server(Path(sys.argv[1])) as url:
    print(url, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def own_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests start a server, so `EDISON_TEST_PG_URL` must not replace it."""
    monkeypatch.delenv("EDISON_TEST_PG_URL", raising=False)


def hold_server(shared_dir: Path) -> subprocess.Popen[str]:
    """Use the server from another process until its input is closed."""
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(shared_dir)],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


async def answers(url: str) -> bool:
    try:
        connection = await asyncpg.connect(postgres.database_url(url, "postgres"), timeout=5)
    except (OSError, asyncpg.PostgresError):
        return False
    await connection.close()
    return True


def wait_until_gone(shared_dir: Path, url: str) -> bool:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if not (shared_dir / "url").exists() and not asyncio.run(answers(url)):
            return True
        time.sleep(0.1)
    return False


async def copy_of_a_template(server_url: str) -> int:
    template = await postgres.create_database(server_url, "origin")
    connection = await asyncpg.connect(template)
    await connection.execute("CREATE TABLE thing AS SELECT 7 AS size")
    await connection.close()
    copy = await postgres.create_database(server_url, "copy", template="origin")
    connection = await asyncpg.connect(copy)
    size = await connection.fetchval("SELECT size FROM thing")
    await postgres.drop_database(server_url, "copy")
    await postgres.drop_database(server_url, "origin")
    return int(size)


@pytest.mark.usefixtures("own_server")
def test_databases_are_cloned_from_a_template(tmp_path: Path) -> None:
    with postgres.running_server(tmp_path) as url:
        assert asyncio.run(copy_of_a_template(url)) == 7


@pytest.mark.usefixtures("own_server")
def test_the_server_is_shared_and_stops_when_its_last_user_is_killed(tmp_path: Path) -> None:
    with hold_server(tmp_path) as first, hold_server(tmp_path) as second:
        assert first.stdout is not None
        assert second.stdout is not None
        url = first.stdout.readline().strip()
        assert second.stdout.readline().strip() == url
        first.kill()
        first.wait()
        assert asyncio.run(answers(url))
        second.kill()
    assert wait_until_gone(tmp_path, url)


@pytest.mark.usefixtures("own_server")
def test_the_wheel_serves_where_the_system_has_no_postgresql(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres.shutil, "which", lambda _program: None)
    monkeypatch.setattr(postgres, "SYSTEM_BINARIES", tmp_path / "none")
    assert postgres._find_binaries().parts[-3:] == postgres.WHEEL_BINARIES.parts
    assert os.access(postgres._find_binaries() / "initdb", os.X_OK)


def test_a_given_server_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDISON_TEST_PG_URL", "postgresql://someone@db:5432/")
    with postgres.running_server(tmp_path) as url:
        assert url == "postgresql://someone@db:5432"
    assert list(tmp_path.iterdir()) == []
