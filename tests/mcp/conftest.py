"""The desk of runs behind a real server, and the MCP client of the SDK."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from edison.workspace.projects.models import Role
from tests.factories.projects import make_member
from tests.slices.runs.conftest import Desk, desk, server, settings, working
from tests.support.server import serving

__all__ = ["desk", "server", "settings", "working"]


@asynccontextmanager
async def connected(url: str, token: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        yield client


async def token_of(desk: Desk, *, role: Role = Role.EDITOR, scope: str = "write") -> str:
    member = await make_member(desk.app, desk.dataset.project, role)
    made = await member.browser.post("/api/v1/auth/tokens", json={"name": "mcp", "scope": scope})
    return str(made.json()["token"])


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """What the tool returned."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Why the tool refused."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    (content,) = result.content
    return str(content.text).removeprefix(f"Error executing tool {tool}: ")


@pytest.fixture
async def url(desk: Desk) -> AsyncIterator[str]:
    async with serving(desk.app) as url:
        yield url
