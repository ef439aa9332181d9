"""A real HTTP server, for tests of streams, signals and outages."""

import asyncio
import importlib
import json
import os
import socket
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from pydantic import SecretStr

from edison.app.main import create_app
from edison.settings import Settings
from tests.support.commands import connect_streams, set_environment
from tests.support.patience import PATIENCE_SECONDS
from tests.support.zygote import ZYGOTE, Child


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncIterator[str]:
    """Serve an application whose lifespan has begun, on this event loop; yields its URL."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            is_ready.set()

    is_ready = asyncio.Event()
    listening = _listen()
    options: dict[str, Any] = {
        "lifespan": "off",
        "log_config": None,
        "timeout_graceful_shutdown": 1,
    }
    server = Server(uvicorn.Config(app, **options))
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        await is_ready.wait()
        yield _url(listening)
    finally:
        server.should_exit = True
        await task
        listening.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningServer:
    url: str
    process: Child
    log: Path

    def stop(self) -> None:
        """Stops it as an operator would."""
        self.process.stop()


@contextmanager
def running_server(
    settings: Settings, *, overrides: Mapping[str, Any] | None = None
) -> Iterator[RunningServer]:
    """Serve Edison from a process of its own, until the context is left.

    The database must have been migrated. `overrides` sets module constants in that process, named
    like `edison.db.engine:BUSY_TIMEOUT_SECONDS`.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    log = settings.data_dir / f"server-{time.monotonic_ns()}.log"
    with _listen() as listening:
        given = dict(os.environ) | environment(settings)
        arguments = (listening, given, dict(overrides or {}), log)
        process = Child(ZYGOTE.Process(target=_serve, args=arguments))
        server = RunningServer(url=_url(listening), process=process, log=log)
        try:
            _wait_until_it_answers(server)
            yield server
        finally:
            process.kill()


def _listen() -> socket.socket:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(128)
    return listening


def _url(listening: socket.socket) -> str:
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


def environment(settings: Settings) -> dict[str, str]:
    given = {}
    for name in settings.model_fields_set:
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            value = value.get_secret_value()
        if value is not None:
            given[f"EDISON_{name.upper()}"] = (
                json.dumps(value) if isinstance(value, tuple) else str(value)
            )
    return given


def _wait_until_it_answers(server: RunningServer) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while server.process.is_running and time.monotonic() < deadline:
        try:
            httpx.get(f"{server.url}/api/health", timeout=2)
        except httpx.HTTPError:
            continue
        return
    raise RuntimeError(f"The server did not start:\n{server.log.read_text()}")


def _serve(
    listening: socket.socket, given: dict[str, str], overrides: dict[str, Any], log: Path
) -> None:
    import uvicorn

    connect_streams({1: log, 2: log})
    set_environment(given)
    for target, value in overrides.items():
        module, name = target.split(":")
        setattr(importlib.import_module(module), name, value)
    uvicorn.run(
        create_app(Settings()),
        fd=listening.fileno(),
        log_level="warning",
        proxy_headers=False,
        http="edison.app.http_protocol:HttpProtocol",
        ws="none",
    )
