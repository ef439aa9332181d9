"""What a process of `edison eval` loads, and what it sends to a collector before it ends."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fake_providers import openai, scripted_server
from tests.fake_providers.scripted_server import ScriptedServer
from tests.support.collector import attributes, collecting
from tests.support.commands import run

# Servers, other databases, mail, and what other providers need: slow to import.
UNUSED = (
    *("fastapi", "starlette", "uvicorn", "jwt", "mcp"),
    *("alembic", "asyncpg", "pgqueuer", "aiosmtplib", "email_validator", "opentelemetry"),
    *("openai", "anthropic", "google.genai", "boto3", "pydantic_ai", "genai_prices", "tiktoken"),
)
PROGRAM = f"""
import sys
from edison.cli.main import main
try:
    main()
except SystemExit as ended:
    print([name for name in {UNUSED!r} if name in sys.modules], ended.code)
"""


def write_config(folder: Path, server: ScriptedServer) -> Path:
    provider = {"id": "openai:chat:gpt-x", "config": {"apiBaseUrl": server.url, "apiKey": "k"}}
    tests = [{"vars": {"country": name}} for name in ("France", "Peru")]
    check = {"type": "contains", "value": "Paris", "metric": "capital"}
    document = {
        "prompts": ["The capital of {{country}}?"],
        "providers": [provider],
        "defaultTest": {"assert": [check]},
        "tests": tests,
    }
    path = folder / "edison.json"
    path.write_text(json.dumps(document))
    return path


async def test_it_loads_neither_servers_nor_vendors(tmp_path: Path) -> None:
    async with scripted_server.running() as server:
        server.script(openai.completion("Paris."))
        config = write_config(tmp_path, server)
        command = ["--data-dir", str(tmp_path / "data"), "eval", "-c", str(config)]
        # The first makes the database, for which it needs Alembic.
        assert (await asyncio.to_thread(run, *command)).returncode == 0
        environment = {name: value for name, value in os.environ.items() if "OTEL" not in name}
        ended = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", PROGRAM, *command],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        )
    assert ended.stdout.splitlines()[-1] == "[] 0"


@pytest.mark.parametrize("is_explained", [False, True])
async def test_spans_and_scores_have_arrived_when_it_ends(
    tmp_path: Path, is_explained: bool
) -> None:
    async with scripted_server.running() as server, collecting() as collector:
        server.script(openai.completion("Paris."))
        config = write_config(tmp_path, server)
        ended = await asyncio.to_thread(
            run,
            *("--data-dir", tmp_path / "data", "eval", "-c", config),
            EDISON_OTEL_ENDPOINT=collector.url,
            EDISON_OTEL_EXPLANATIONS=str(is_explained),
        )
        assert (ended.returncode, ended.stderr) == (0, "")
        assert collector.services == {"edison"}
        assert [span.name for span in collector.spans] == ["chat gpt-x"] * 2
        assert {event.event_name for event in collector.events} == {"gen_ai.evaluation.result"}
        found = [attributes(event) for event in collector.events]
        assert sorted(each["edison.case.position"] for each in found) == [0, 1]
        assert [each["gen_ai.evaluation.score.label"] for each in found] == ["pass"] * 2
        assert ["gen_ai.evaluation.explanation" in each for each in found] == [is_explained] * 2
        calls = {span.span_id for span in collector.spans}
        assert {event.span_id for event in collector.events} <= calls


async def test_an_unreachable_collector_costs_no_result(tmp_path: Path) -> None:
    async with scripted_server.running() as server:
        server.script(openai.completion("Paris."))
        ended = await asyncio.to_thread(
            run,
            *("--data-dir", tmp_path / "data", "eval", "-c", write_config(tmp_path, server)),
            EDISON_OTEL_ENDPOINT="http://127.0.0.1:9",
        )
    assert ended.returncode == 0
    assert "2 passed (100.0 %)" in ended.stdout
