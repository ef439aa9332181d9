"""`edison mcp` over stdio, with the client of the SDK."""

import asyncio
import json
import sys
from pathlib import Path

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from sqlalchemy import func, select

from edison.cli.server_lock import find_server
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.settings import load_settings
from edison.workspace.accounts.models import AccessToken, User
from tests.mcp.conftest import call
from tests.support.commands import run


async def test_it_serves_the_data_directory_and_leaves_no_token(tmp_path: Path) -> None:
    settings = load_settings(data_dir=tmp_path)
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "edison.cli.main", "--data-dir", str(tmp_path), "mcp"],
    )
    async with Client(stdio_client(command)) as client:
        assert await call(client, "list_projects") == {"projects": []}
        assert find_server(settings) is not None
    assert find_server(settings) is None
    database = Database(open_engine(settings.resolved_database_url, pooled=False))
    async with database.read() as session:
        assert await session.scalar(select(func.count()).select_from(AccessToken)) == 0
        assert await session.scalar(select(User.email)) == "owner@localhost"
    await database.close()


def test_a_server_needs_a_token(tmp_path: Path) -> None:
    ended = run("--data-dir", tmp_path, "mcp", "--server", "http://127.0.0.1:1")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "Set EDISON_TOKEN to a personal access token of the server." in ended.stderr


async def test_a_wrong_project_is_named_with_the_nearest_one(tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps({"prompts": ["Hi"], "providers": ["echo"], "tests": [{"vars": {}}]})
    )
    made = await asyncio.to_thread(run, "--data-dir", tmp_path, "eval", "-c", config)
    assert made.returncode == 0, made.stderr
    wrong = await asyncio.to_thread(run, "--data-dir", tmp_path, "mcp", "--project", "evalution")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert " ".join(wrong.stderr.split()) == (
        "Error: There is no project “evalution”, or you are not a member of it. "
        "Did you mean “evaluations”?"
    )
