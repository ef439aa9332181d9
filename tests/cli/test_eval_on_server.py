"""`edison eval --server`: the configuration is read here, the server runs it."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.runs.store.models import Run
from edison.workspace.projects.models import Role
from tests.factories.models import make_credential, make_model
from tests.factories.projects import make_member, make_project
from tests.support.commands import Ended, run, running
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import serving
from tests.support.working import working_beside

TESTS = [
    {"vars": {"word": word}, "assert": [{"type": "icontains", "value": value}]}
    for word, value in (("red", "say red"), ("blue", "say blue"), ("green", "yellow"))
]


class Server:
    def __init__(self, url: str, token: str, folder: Path) -> None:
        self.url, self._token, self._folder = url, token, folder

    def written(self, **config: Any) -> Path:
        file = self._folder / "config.json"
        content = {"prompts": ["Say {{word}}"], "providers": ["echo"], "tests": TESTS, **config}
        file.write_text(json.dumps(content, indent=1))
        return file

    async def evaluate(self, *flags: object, **config: Any) -> Ended:
        return await self.run("-c", self.written(**config), *flags)

    async def run(self, *flags: object) -> Ended:
        return await asyncio.to_thread(run, *self.arguments(*flags), **self.environment)

    def arguments(self, *flags: object) -> tuple[object, ...]:
        return ("--data-dir", self._folder / "unused", "eval", *flags, "--server", self.url)

    @property
    def environment(self) -> dict[str, str]:
        return {"EDISON_TOKEN": self._token, "COLUMNS": "100"}


@pytest.fixture
async def idle_server(app: FastAPI, tmp_path: Path) -> AsyncIterator[Server]:
    """It takes evaluations and has no worker."""
    project = await make_project(app)
    echo = await make_credential(app, project.id, "echo")
    await make_model(app, echo, "echo")
    await make_model(app, await make_credential(app, project.id, "sim"), "sim-small")
    editor = await make_member(app, project, Role.EDITOR)
    made = await editor.browser.post("/api/v1/auth/tokens", json={"name": "ci", "scope": "write"})
    async with serving(app) as url:
        yield Server(url, made.json()["token"], tmp_path)


@pytest.fixture
async def server(app: FastAPI, idle_server: Server) -> AsyncIterator[Server]:
    async with working_beside(app):
        yield idle_server


async def test_a_server_runs_it_with_the_same_results_and_exit_codes(
    server: Server, tmp_path: Path
) -> None:
    out = tmp_path / "out.json"
    ran = await server.evaluate("-o", out, "--tag", "branch=main")
    assert ran.returncode == 100, ran.stderr
    found = json.loads(out.read_text())
    assert found["results"]["stats"]["successes"] == 2
    assert [row["success"] for row in found["results"]["results"]] == [True, True, False]
    row = found["results"]["results"][2]
    assert row["response"]["output"] == "Say green"
    assert row["gradingResult"]["componentResults"][0]["assertion"] == {"type": "icontains"}
    assert found["edison"]["tags"] == {"branch": "main"}
    assert not (tmp_path / "unused").exists()

    identity = found["edison"]["evaluation"]
    again = await server.evaluate("--resume", identity)
    assert again.returncode == 100, again.stderr
    compared = await server.evaluate("--baseline", identity, "--fail-on", "regression")
    assert compared.returncode == 0, compared.stderr
    assert "no evidence of a difference" in " ".join(compared.stdout.split())


CODE = """\
prompts:
  - file://prompt.py:make
providers:
  - id: file://shout.py
  - exec:cat
tests:
  - vars: {word: hi}
    assert:
      - type: python
        value: "True"
"""


async def test_code_is_refused_with_file_and_line(server: Server, tmp_path: Path) -> None:
    (tmp_path / "shout.py").write_text("def call_api(prompt, options, context): return prompt")
    (tmp_path / "prompt.py").write_text("def make(context): return 'hi'")
    file = tmp_path / "code.yaml"
    file.write_text(CODE)
    refused = await server.run("-c", file)
    assert refused.returncode == 1
    told = [line.partition("code.yaml:")[2] for line in refused.stderr.splitlines()]
    assert [line for line in told if line] == [
        "2:5: prompt.py:make is code that runs only in the command.",
        "7:5: Python assertions run only in the command.",
        "4:5: file://shout.py is code that runs only in the command.",
        "5:5: exec:cat is code that runs only in the command.",
    ]


async def test_what_the_project_lacks_is_named(server: Server) -> None:
    missing = await server.evaluate(providers=["openai:gpt-4o-mini"])
    assert missing.returncode == 1
    told = " ".join(missing.stderr.split())
    assert "The project has no enabled model for openai:gpt-4o-mini." in told
    other = await server.evaluate("--project", "other")
    assert other.returncode == 1
    told = "There is no project “other”, or you are not a member of it."
    assert told in " ".join(other.stderr.split())


async def test_a_cost_limit_holds_on_the_server(server: Server, tmp_path: Path) -> None:
    provider = {"id": "sim:sim-small", "config": {"max_tokens": 50}}
    config = {"providers": [provider], "tests": [{"vars": {"word": each}} for each in range(40)]}
    out = tmp_path / "out.json"
    stopped = await server.evaluate("--max-cost", "0.0002", "-o", out, **config)
    assert stopped.returncode == 4, stopped.stderr
    found = json.loads(out.read_text())["edison"]
    assert 0 < found["answered"] < 40
    assert 0 < found["costUsd"] <= 0.0002
    finished = await server.evaluate("--resume", "--max-cost", "1", "-o", out, **config)
    assert finished.returncode == 0, finished.stderr
    again = json.loads(out.read_text())["edison"]
    assert (again["answered"], again["evaluation"]) == (40, found["evaluation"])


async def test_ctrl_c_pauses_the_runs_on_the_server(app: FastAPI, idle_server: Server) -> None:
    async def states() -> list[str]:
        async with app.state.database.read() as session:
            return [str(each) for each in await session.scalars(select(Run.state))]

    flags = idle_server.arguments("-c", idle_server.written())
    with running(*flags, **idle_server.environment) as command:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not await states():  # noqa: ASYNC110 - another process adds the run
                await asyncio.sleep(0.02)
        command.send_signal(signal.SIGINT)
        ended = await asyncio.to_thread(command.wait)
    assert ended.returncode == 130, ended.stderr
    assert "Resume with:" in ended.stderr
    assert await states() == ["paused"]
    async with working_beside(app):
        resumed = await idle_server.evaluate("--resume")
    assert resumed.returncode == 100, resumed.stderr
