"""What `edison eval` says while a provider holds it up."""

import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI

from edison.cli.eval_progress import WaitLines, describe
from edison.evals.waits import EvalWait
from edison.kit import clock
from edison.workspace.projects.models import Role
from tests.factories.models import make_credential, make_model
from tests.factories.projects import make_member, make_project
from tests.fake_providers import scripted_server
from tests.fake_providers.scripted_server import Answer, ScriptedServer
from tests.support.commands import Running, running
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import serving
from tests.support.working import working_beside

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
FAILING = Answer(status=500, body={"error": {"message": "Broken."}})
LIMITED = Answer(
    status=429, body={"error": {"message": "Slow down."}}, headers={"Retry-After": "90"}
)


def breaker(seconds: float, service: str = "OpenAI main") -> EvalWait:
    sentence = f"{service} failed 5 times in a row; trying again in {seconds:.0f} s"
    until = NOON + timedelta(seconds=seconds)
    return EvalWait(reason="breaker", sentence=sentence, until=until)


def local(moment: datetime) -> str:
    return moment.astimezone().strftime("%H:%M:%S")


def test_a_wait_is_told_with_the_time_of_day_at_which_it_ends() -> None:
    told = f"Until {local(NOON + timedelta(seconds=60))}: OpenAI main failed 5 times in a row; "
    assert describe(breaker(60)) == told + "trying again in 60 s."
    open_end = EvalWait(reason="concurrency", sentence="Waiting for a free slot", until=None)
    assert describe(open_end) == "Waiting for a free slot."


def test_a_log_has_one_line_for_each_long_wait(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = NOON
    monkeypatch.setattr(clock, "now", lambda: now)
    lines = WaitLines(is_quiet=False)

    def told(*waits: EvalWait) -> list[str]:
        lines.show(3, 8, waits)
        return [line.partition(": ")[2] for line in capfd.readouterr().err.splitlines()]

    first, second = breaker(60), breaker(45, "Mistral")
    assert told(breaker(4)) == []
    assert told(first) == [f"{first.sentence}."]
    assert told(breaker(59)) == []
    assert told(first, second) == [f"{second.sentence}."]
    now = NOON + timedelta(seconds=61)
    assert told(breaker(121)) == [f"{breaker(121).sentence}."]
    WaitLines(is_quiet=True).show(3, 8, [first])
    assert capfd.readouterr().err == ""


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedServer]:
    async with scripted_server.running() as server:
        yield server


def written(folder: Path, *providers: object) -> Path:
    tests = [{"vars": {"word": word}} for word in "abcdefgh"]
    file = folder / "config.json"
    document = {"prompts": ["Say {{word}}"], "providers": providers, "tests": tests}
    file.write_text(json.dumps(document))
    return file


async def line_of(command: Running) -> str:
    """The first line on standard error. The command is interrupted after it."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while "\n" not in command.output(2):  # noqa: ASYNC110 - another process prints it
            await asyncio.sleep(0.05)
    command.send_signal(signal.SIGINT)
    ended = await asyncio.to_thread(command.wait)
    assert ended.returncode == 130, ended.stderr
    assert ended.stdout == ""
    return ended.stderr.partition("\n")[0]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (FAILING, r"Until [\d:]{8}: .+ failed 5 times in a row; trying again in (59|60) s\."),
        (LIMITED, r"Until [\d:]{8}: Waiting for .+'s rate limit, (89|90) s\."),
    ],
)
async def test_a_provider_that_is_down_is_named_on_standard_error(
    reply: Answer, told: str, provider: ScriptedServer, tmp_path: Path
) -> None:
    provider.script(reply)
    target = {"id": "openai:chat:m", "config": {"apiBaseUrl": provider.url, "apiKey": "k"}}
    arguments = ("--data-dir", tmp_path / "data", "eval", "-c", written(tmp_path, target))
    with running(*arguments, "--json") as command:
        line = await line_of(command)
    assert re.fullmatch(rf"0 of 8 answered\. {told}", line), line


async def test_a_server_says_what_it_waits_for(
    app: FastAPI, provider: ScriptedServer, tmp_path: Path
) -> None:
    provider.script(FAILING)
    project = await make_project(app)
    settings = {"base_url": provider.url}
    main = await make_credential(
        app, project.id, "openai_compatible", label="main", settings=settings
    )
    await make_model(app, main, "m")
    editor = await make_member(app, project, Role.EDITOR)
    made = await editor.browser.post("/api/v1/auth/tokens", json={"name": "ci", "scope": "write"})
    config = written(tmp_path, "edison:m")
    async with serving(app) as url, working_beside(app):
        arguments = ("eval", "-c", config, "--server", url, "--json")
        with running(*arguments, EDISON_TOKEN=made.json()["token"]) as command:
            line = await line_of(command)
    told = r"Until [\d:]{8}: .+ \(main\) failed 5 times in a row; trying again in (59|60) s\."
    assert re.fullmatch(rf"0 of 8 answered\. {told}", line), line
