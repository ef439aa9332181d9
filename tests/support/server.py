"""A real HTTP server, for tests of streams, signals and outages."""

import asyncio
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
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
from tests.support.patience import PATIENCE_SECONDS

REPOSITORY = Path(__file__).parents[2]


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
    process: subprocess.Popen[bytes]
    log: Path

    def stop(self) -> None:
        """Stops it as an operator would."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_SECONDS)


@contextmanager
def running_server(
    settings: Settings, *, overrides: Mapping[str, float] | None = None
) -> Iterator[RunningServer]:
    """Serve Edison from a process of its own, until the context is left.

    The database must have been migrated. `overrides` sets module constants in that process, named
    like `edison.db.engine:BUSY_TIMEOUT_SECONDS`.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    log = settings.data_dir / f"server-{time.monotonic_ns()}.log"
    with _listen() as listening, log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.server", str(listening.fileno())],
            cwd=REPOSITORY,
            env=os.environ | environment(settings) | {"OVERRIDES": json.dumps(overrides or {})},
            pass_fds=[listening.fileno()],
            stdout=output,
            stderr=output,
        )
        server = RunningServer(url=_url(listening), process=process, log=log)
        try:
            _wait_until_it_answers(server)
            yield server
        finally:
            process.kill()
            process.wait()


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
    while server.process.poll() is None and time.monotonic() < deadline:
        try:
            httpx.get(f"{server.url}/api/health", timeout=2)
        except httpx.HTTPError:
            continue
        return
    raise RuntimeError(f"The server did not start:\n{server.log.read_text()}")


def _main() -> None:
    import uvicorn

    for target, value in json.loads(os.environ.pop("OVERRIDES")).items():
        module, name = target.split(":")
        setattr(importlib.import_module(module), name, value)
    uvicorn.run(
        create_app(Settings()),
        fd=int(sys.argv[1]),
        log_level="warning",
        proxy_headers=False,
        http="edison.app.http_protocol:HttpProtocol",
    )


if __name__ == "__main__":
    _main()
