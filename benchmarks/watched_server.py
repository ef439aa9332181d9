"""`python -m benchmarks.watched_server <file> …`: the `edison` command, with a server that notes in
the file how long its event loop is blocked.
"""

import asyncio
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from edison.cli.main import main

if TYPE_CHECKING:
    import uvicorn

PAUSE_SECONDS = 0.001
NOTED_SECONDS = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Stall:
    """`at` is the time at its end. `cpu_seconds` is the CPU time of the loop's own thread."""

    at: float
    seconds: float
    cpu_seconds: float


def program(file: Path) -> list[str]:
    return [sys.executable, "-m", "benchmarks.watched_server", str(file)]


def read_stalls(file: Path, *, since: float) -> list[Stall]:
    rows = [line.split() for line in file.read_text().splitlines()]
    found = [Stall(at=float(a), seconds=float(b), cpu_seconds=float(c)) for a, b, c in rows]
    return [each for each in found if each.at >= since]


async def _watch(file: Path) -> None:
    with file.open("a", buffering=1) as written:
        while True:
            started, cpu = time.perf_counter(), time.thread_time()
            await asyncio.sleep(PAUSE_SECONDS)
            waited = time.perf_counter() - started - PAUSE_SECONDS
            if waited >= NOTED_SECONDS:
                used = time.thread_time() - cpu
                written.write(f"{time.time():.6f} {waited:.6f} {used:.6f}\n")


def _serve_watched(file: Path) -> None:
    import uvicorn

    start = uvicorn.Server.startup
    watching: list[asyncio.Task[None]] = []

    async def startup(server: "uvicorn.Server", sockets: list[socket.socket] | None = None) -> None:
        await start(server, sockets)
        watching.append(asyncio.create_task(_watch(file)))

    uvicorn.Server.startup = startup  # type: ignore[assignment,method-assign] # where its event loop runs
    sys.argv = ["edison", *sys.argv[2:]]
    main()


if __name__ == "__main__":
    _serve_watched(Path(sys.argv[1]))
