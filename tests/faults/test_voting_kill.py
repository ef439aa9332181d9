"""A server killed during a voting round keeps every vote that it confirmed, once."""

import asyncio
import os
import signal
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import httpx
import pytest

from edison.db import migrate
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.settings import Settings
from tests.factories.voting import make_answered_run
from tests.support.empty_databases import Dialect, MakeDatabase
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import running_server

CASES = 12
CONFIRMED = 4
PERSON = {"email": "ada@example.org", "password": "Analytical-Engine-1843!"}
ROUNDS = "/api/v1/projects/engine/voting-rounds"


def sign_in(client: httpx.Client, how: str) -> None:
    assert client.post(f"/api/v1/auth/{how}", json=PERSON).is_success
    client.headers["X-CSRF-Token"] = client.cookies["edison_csrf"]


async def add_answers(url: str, project_id: UUID) -> UUID:
    database = Database(open_engine(url, pooled=False))
    app: Any = SimpleNamespace(state=SimpleNamespace(database=database))
    run = await make_answered_run(app, project_id, [None, None], cases=CASES)
    await database.engine.dispose()
    return run.id


def vote(client: httpx.Client, address: str, step: dict[str, Any]) -> dict[str, Any]:
    match = step["match"]
    body = {"choice": "first", "turn": match["turn"]}
    response = client.post(f"{address}/matches/{match['id']}/vote", json=body)
    assert response.status_code == 200, response.text
    return dict(response.json())


def vote_until_killed(client: httpx.Client, address: str, pid: int) -> int:
    """Kills the server while it handles a vote. Returns the number of confirmed votes, without
    pairs that came back.
    """
    step = client.post(f"{address}/next").json()
    confirmed = 0
    while confirmed < CONFIRMED:
        confirmed += step["match"]["turn"] == 1
        step = vote(client, address, step)
    killer = threading.Thread(target=os.kill, args=(pid, signal.SIGKILL))
    killer.start()
    try:
        while step["match"] is not None:
            turn = step["match"]["turn"]
            step = vote(client, address, step)
            confirmed += turn == 1
    except httpx.TransportError:
        pass
    killer.join()
    return confirmed


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_killed_server_keeps_confirmed_votes_and_the_round_goes_on(
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
        sign_in(client, "register")
        project = client.post("/api/v1/projects", json={"name": "Engine"}).json()
        run_id = asyncio.run(add_answers(url, UUID(project["id"])))
        wanted = {"run_id": str(run_id), "name": "A round", "matches": CASES}
        made = client.post(ROUNDS, json=wanted)
        assert made.status_code == 201, made.text
        address = f"{ROUNDS}/{made.json()['id']}"
        confirmed = vote_until_killed(client, address, server.process.pid)
        server.process.wait()
    with (
        running_server(settings) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE_SECONDS) as client,
    ):
        sign_in(client, "login")
        found = client.get(address).json()
        # The last vote may be stored although its response was lost.
        assert found["my_votes"] in (confirmed, confirmed + 1)
        step = client.post(f"{address}/next").json()
        while step["match"] is not None:
            step = vote(client, address, step)
        assert (step["round"]["vote_count"], step["round"]["seat_count"]) == (CASES, CASES)
        assert client.post(f"{address}/close").status_code == 200
        (voter,) = client.get(f"{address}/results").json()["voters"]
        assert voter["votes"] == CASES
