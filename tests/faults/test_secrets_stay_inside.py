"""Planted secrets never leave the process: not in responses, logs, files or metrics.

Edison runs in a separate process that logs everything, and its providers repeat every request
header in every kind of failure.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from edison.db import migrate
from edison.settings import Settings
from edison.workspace.accounts.cookies import CSRF_COOKIE, CSRF_HEADER
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import running_server

PLANTED = "PLANTED"
PASSWORD = f"{PLANTED}-engine-1843!aA"
IN_VARIABLE = f"sk-{PLANTED}-of-the-environment"
PROVIDERS = {
    "openai_compatible": "base_url",
    "openai": "base_url",
    "anthropic": "base_url",
    "azure": "endpoint",
    "ollama": "base_url",
}
MODELS = {
    "object": "list",
    "data": [{"id": "gpt-x", "object": "model", "created": 1, "owned_by": "me", "type": "model"}],
    "models": [{"name": "gpt-x", "model": "gpt-x"}],
    "has_more": False,
}
# Which failure a question asks for. Retried failures are interleaved with a success, so that the
# circuit breaker does not make this test wait.
FAILURES = ("500", "400", "429", "404", "broken stream", "html", "error in 200", "garbage", "401")


class EchoServer:
    """A server that repeats its requests; `received_headers` are the headers of every request."""

    def __init__(self) -> None:
        self.url = ""
        self.received_headers: list[str] = []

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if request.method == "GET":
            return web.json_response(MODELS, headers={"X-Echo": str(dict(request.headers))})
        wanted = json.loads(await request.read())["messages"][-1]["content"]
        wanted = wanted if isinstance(wanted, str) else wanted[-1]["text"]
        echo = str(dict(request.headers))
        self.received_headers.append(echo)
        error = {"error": {"message": echo, "type": echo, "code": echo, "param": echo}}
        if wanted.isdigit():
            return web.json_response(error, status=int(wanted), headers={"X-Echo": echo})
        if wanted == "html":
            return web.Response(text=f"<html>{echo}", content_type="text/html")
        if wanted == "error in 200":
            return web.json_response(error)
        if wanted == "garbage":
            return web.Response(text=f"{{{echo}", content_type="application/json")
        return web.Response(text=f"data: {{{echo}\n\n", content_type="text/event-stream")


@pytest.fixture
async def indiscreet() -> AsyncIterator[EchoServer]:
    indiscreet = EchoServer()
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", indiscreet.handle)
    server = TestServer(application)
    await server.start_server(shutdown_timeout=0)
    indiscreet.url = str(server.make_url("/")).rstrip("/")
    yield indiscreet
    await server.close()


class Listener(httpx.AsyncClient):
    """Records everything the server sends."""

    def __init__(self, url: str) -> None:
        super().__init__(base_url=url, timeout=PATIENCE_SECONDS)
        self.heard: list[str] = []

    async def request(self, method: str, url: Any, **options: Any) -> httpx.Response:
        headers = {CSRF_HEADER: csrf} if (csrf := self.cookies.get(CSRF_COOKIE)) else {}
        response = await super().request(method, url, **options | {"headers": headers})
        # The cookies are the caller's own.
        said = [f"{name}: {value}" for name, value in response.headers.items()]
        self.heard += [line for line in said if not line.startswith("set-cookie")]
        self.heard.append(response.text)
        return response


async def try_everything(
    listener: Listener, url: str, provider: str, where: dict[str, str], secret: dict[str, str]
) -> None:
    name = f"{provider} by {next(iter(secret))}"
    credential = await listener.post(
        f"{url}/credentials",
        json={
            "provider": provider,
            "label": name,
            "settings": where,
            "secrets": {"api_key": secret},
        },
    )
    assert credential.status_code == 201, credential.text
    model = await listener.post(
        f"{url}/models",
        json={
            "credential_id": credential.json()["id"],
            "provider_model": "gpt-x",
            "display_name": name,
        },
    )
    assert model.status_code == 201, model.text
    for failure in FAILURES:
        tried = await listener.post(
            f"{url}/models/{model.json()['id']}/try", json={"prompt": failure}
        )
        assert "event: failed" in tried.text, (name, failure, tried.text)


def planted_files(folder: Path) -> list[Path]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert folder / "data" / "edison.db" in files
    return [file for file in files if PLANTED.encode() in without_names(file.read_bytes())]


def without_names(content: bytes) -> bytes:
    """The name of a variable is not secret."""
    return content.replace(b"PLANTED_VARIABLE", b"")


async def test_no_planted_secret_leaves_the_process(
    tmp_path: Path, indiscreet: EchoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED_VARIABLE", IN_VARIABLE)
    folder = tmp_path / "data"
    folder.mkdir()
    await migrate.upgrade(f"sqlite+aiosqlite:///{folder}/edison.db", backup_dir=tmp_path)
    settings = Settings(
        data_dir=folder,
        log_level="debug",
        requests_per_minute=100_000,
        credential_variables="PLANTED_VARIABLE=127.0.0.1",
    )
    with running_server(settings) as server:
        async with Listener(server.url) as listener:
            await listener.post(
                "/api/v1/auth/register", json={"email": "ada@example.org", "password": PASSWORD}
            )
            project = await listener.post("/api/v1/projects", json={"name": "Mine"})
            url = f"/api/v1/projects/{project.json()['slug']}"
            by_value = [
                (provider, address, {"value": f"sk-{PLANTED}-{provider}-0123456789"})
                for provider, address in PROVIDERS.items()
            ]
            by_name = ("openai_compatible", "base_url", {"env": "PLANTED_VARIABLE"})
            await asyncio.gather(
                *(
                    try_everything(listener, url, provider, {address: indiscreet.url}, secret)
                    for provider, address, secret in [*by_value, by_name]
                )
            )
            for bad in ("line\nbreak", "ü", " "):
                await listener.post(
                    f"{url}/credentials",
                    json={
                        "provider": "openai",
                        "label": "bad",
                        "secrets": {"api_key": {"value": f"sk-{PLANTED}{bad}x"}},
                        "settings": {"base_url": indiscreet.url},
                    },
                )
            for path in ("/credentials", "/models", "/ledger?limit=100", "/audit?limit=100"):
                assert (await listener.get(url + path)).status_code == 200
            for path in (f"{url}/audit/export?format=csv", "/metrics", "/api/openapi.json"):
                assert (await listener.get(path)).status_code == 200
        server.stop()
        log = server.log.read_text()
    assert log.count("/try") >= len(FAILURES)
    assert all(PLANTED in received_headers for received_headers in indiscreet.received_headers)
    heard = "\n".join(listener.heard)
    assert PLANTED.encode() not in without_names(heard.encode())
    assert PLANTED.encode() not in without_names(log.encode())
    assert planted_files(tmp_path) == []
