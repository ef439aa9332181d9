"""A server killed while committing an import leaves all of its cases or none."""

import asyncio
import contextlib
import os
import random
import signal
import threading
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from edison.db import migrate
from edison.db.engine import open_engine
from edison.settings import Settings
from tests.support.empty_databases import Dialect, MakeDatabase
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import RunningServer, running_server
from tests.support.thorough import rounds

ROWS = 3_000
ROUNDS = rounds(2, thorough=4)
# From before the first row is checked until about when all are written.
KILLED_AFTER_SECONDS = (0.05, 1.5)
FILE = b"question,expected\n" + b"".join(
    f"Question number {number}?,Answer {number}\n".encode() for number in range(ROWS)
)
PERSON = {"email": "ada@example.org", "password": "Analytical-Engine-1843!"}


def sign_in(client: httpx.Client, how: str) -> str:
    """Signs in; returns the address of the project's datasets."""
    assert client.post(f"/api/v1/auth/{how}", json=PERSON).is_success
    client.headers["X-CSRF-Token"] = client.cookies["edison_csrf"]
    if how == "register":
        assert client.post("/api/v1/projects", json={"name": "Engine"}).status_code == 201
    return "/api/v1/projects/engine/datasets"


async def read_import_state(url: str) -> tuple[int, int, str]:
    """The number of cases, the dataset's own count, and the import's state."""
    engine = open_engine(url, pooled=False)
    async with engine.begin() as connection:
        cases = await connection.scalar(text("SELECT count(*) FROM cases"))
        counted = await connection.scalar(text("SELECT max(case_count) FROM datasets"))
        state = await connection.scalar(text("SELECT state FROM case_imports"))
    await engine.dispose()
    return cases, counted, state


def commit_and_kill(
    server: RunningServer, client: httpx.Client, address: str, after: float
) -> None:
    killer = threading.Timer(after, os.kill, (server.process.pid, signal.SIGKILL))
    killer.start()
    with contextlib.suppress(httpx.TransportError):
        client.post(f"{address}/commit", json={}, timeout=PATIENCE_SECONDS)
    killer.join()
    server.process.wait()


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_killed_commit_leaves_all_cases_or_none(
    dialect: Dialect, make_database: MakeDatabase, tmp_path: Path, signing_key: str
) -> None:
    url = make_database(dialect)
    asyncio.run(migrate.upgrade(url, backup_dir=tmp_path))
    settings = Settings(
        data_dir=tmp_path / "data",
        database_url=url,
        jwt_private_key=signing_key,
        login_attempts=1000,
    )
    with (
        running_server(settings) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE_SECONDS) as client,
    ):
        datasets = sign_in(client, "register")
        dataset = client.get(datasets).json()["items"][0]
        imports = f"{datasets}/{dataset['id']}/imports"
        uploaded = client.post(imports, content=FILE, timeout=PATIENCE_SECONDS)
        assert uploaded.status_code == 201
    address = f"{imports}/{uploaded.json()['id']}"
    chance = random.Random()  # noqa: S311 - any moment will do
    for _ in range(ROUNDS):
        with (
            running_server(settings) as server,
            httpx.Client(base_url=server.url, timeout=PATIENCE_SECONDS) as client,
        ):
            sign_in(client, "login")
            commit_and_kill(server, client, address, chance.uniform(*KILLED_AFTER_SECONDS))
        cases, counted, state = asyncio.run(read_import_state(url))
        assert (cases, counted, state) in [(0, 0, "pending"), (ROWS, ROWS, "committed")]
        if state == "committed":
            break
    with (
        running_server(settings) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE_SECONDS) as client,
    ):
        sign_in(client, "login")
        answer = client.post(f"{address}/commit", json={}, timeout=PATIENCE_SECONDS)
        assert answer.status_code == (200 if state == "pending" else 409)
    assert asyncio.run(read_import_state(url)) == (ROWS, ROWS, "committed")
