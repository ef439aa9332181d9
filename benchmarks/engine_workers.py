"""Runs on PostgreSQL with several workers, also with a part of a core each, and the time to take
over from a killed worker.

`EDISON_BENCH_PG_URL` selects a server; by default the tests' server is started, which runs without
fsync.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import UUID

from sqlalchemy import func, select

from benchmarks.engine import CELLS, DELAY_SECONDS
from benchmarks.engine_installation import CONCURRENCY, Installation, installed
from benchmarks.figures import Figure
from benchmarks.limited_cores import limited
from benchmarks.model_server import running_model
from edison.db.session import Database
from edison.jobs.models import WorkerProcess
from edison.kit import ids
from edison.runs.store.models import RunChunk
from edison.settings import Settings
from tests.support.postgres import create_database, drop_database, running_server

WORKERS = (1, 2, 4)
CORES_OF_A_WORKER = 0.25
# Enough that each worker takes part: its first cells take a second of a core.
WARM_UP_CELLS_OF_WORKER = 800
LIMITED_CELLS = 12_000
LEAST_SHARE_OF_LINEAR = 0.75
TAKE_OVER_SECONDS = 30
LONG_CELLS = 20_000
LOOK_SECONDS = 0.05


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, _postgres(Path(folder)) as server_url:
        figures = [each for workers in WORKERS for each in _throughput(server_url, workers)]
        return [*figures, *_scaling(server_url), *_take_over(server_url)]


def _throughput(server_url: str, workers: int) -> Iterator[Figure]:
    with ExitStack() as stack:
        slow = stack.enter_context(running_model(DELAY_SECONDS))
        quick = stack.enter_context(running_model(0))
        edison = stack.enter_context(_on_postgres(server_url, workers))
        slow_id, quick_id = edison.add_model("slow", slow), edison.add_model("quick", quick)
        edison.run([quick_id], WARM_UP_CELLS_OF_WORKER * workers)
        waiting, busy = edison.run([slow_id], CELLS), edison.run([quick_id], CELLS)
    ideal = CELLS * DELAY_SECONDS / CONCURRENCY
    whom = "1 worker" if workers == 1 else f"{workers} workers"
    yield Figure(
        name=f"PostgreSQL, {whom}, {DELAY_SECONDS * 1000:.0f} ms model",
        value=f"{waiting.seconds:.2f} s, {waiting.cpu_microseconds:,.0f} µs CPU a cell",
        ratio=f"{waiting.seconds / ideal:.2f} x ideal",
    )
    yield Figure(
        name=f"PostgreSQL, {whom}, 0 ms model",
        value=f"{busy.cells_per_second:,.0f} cells/s, {busy.cpu_microseconds:,.0f} µs CPU a cell",
    )


def _scaling(server_url: str) -> Iterator[Figure]:
    """Calls per second by workers that have no core of their own to share, as on a machine with
    many cores.
    """
    least, most = WORKERS[0], WORKERS[-1]
    try:
        rates = {workers: _limited_rate(server_url, workers) for workers in WORKERS}
    except OSError as error:
        yield Figure(name="PostgreSQL, workers with a part of a core", value=f"unknown: {error}")
        return
    gain = rates[most] / rates[least]
    yield Figure(
        name=f"PostgreSQL, {least} to {most} workers of {CORES_OF_A_WORKER} cores, "
        f"{DELAY_SECONDS * 1000:.0f} ms model",
        value=", ".join(f"{rate:,.0f}" for rate in rates.values()) + " cells/s",
        ratio=f"{gain:.1f} x one worker",
        target=f">= {LEAST_SHARE_OF_LINEAR * most / least:.1f} x",
        is_met=gain >= LEAST_SHARE_OF_LINEAR * most / least,
    )


def _limited_rate(server_url: str, workers: int) -> float:
    with (
        running_model(DELAY_SECONDS) as url,
        _on_postgres(server_url, workers) as edison,
    ):
        asyncio.run(_all_started(edison))
        with limited([each.pid for each in edison.workers], CORES_OF_A_WORKER):
            model_id = edison.add_model("slow", url)
            edison.run([model_id], WARM_UP_CELLS_OF_WORKER * workers)
            return edison.run([model_id], LIMITED_CELLS).cells_per_second


async def _all_started(edison: Installation) -> None:
    count = select(func.count()).where(WorkerProcess.pid.in_([each.pid for each in edison.workers]))
    async with edison.database() as database:
        while True:
            async with database.read() as session:
                if await session.scalar(count) == len(edison.workers):
                    return
            await asyncio.sleep(LOOK_SECONDS)


def _take_over(server_url: str) -> Iterator[Figure]:
    with (
        running_model(DELAY_SECONDS) as url,
        _on_postgres(server_url, workers=2) as edison,
    ):
        model_id = edison.add_model("slow", url)
        run_id = edison.start_run([model_id], LONG_CELLS)
        seconds = asyncio.run(_kill_one(edison, UUID(run_id)))
    yield Figure(
        name="From kill -9 of a worker until its chunks are free",
        value=f"{seconds:.1f} s",
        target=f"< {TAKE_OVER_SECONDS} s",
        is_met=seconds < TAKE_OVER_SECONDS,
    )


async def _kill_one(edison: Installation, run_id: UUID) -> float:
    """Seconds from killing a busy worker until it holds no claims."""
    victim = edison.workers.pop()
    async with edison.database() as database:
        await _until(database, run_id, victim.pid, has_chunks=True)
        victim.kill()
        victim.wait()
        killed_at = time.perf_counter()
        await _until(database, run_id, victim.pid, has_chunks=False)
        return time.perf_counter() - killed_at


async def _until(database: Database, run_id: UUID, pid: int, *, has_chunks: bool) -> None:
    wanted = (
        select(RunChunk.number)
        .join(WorkerProcess, WorkerProcess.id == RunChunk.process_id)
        .where(RunChunk.run_id == run_id, WorkerProcess.pid == pid)
    )
    while True:
        async with database.read() as session:
            if ((await session.execute(wanted)).first() is not None) == has_chunks:
                return
        await asyncio.sleep(LOOK_SECONDS)


@contextmanager
def _on_postgres(server_url: str, workers: int) -> Iterator[Installation]:
    name = f"bench_{ids.new_id().hex}"
    url = asyncio.run(create_database(server_url, name))
    try:
        with installed(_for_sqlalchemy(url), workers=workers) as edison:
            yield edison
    finally:
        asyncio.run(drop_database(server_url, name))


def _for_sqlalchemy(url: str) -> str:
    return Settings.model_validate({"database_url": url}).resolved_database_url


@contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    if given := os.environ.get("EDISON_BENCH_PG_URL"):
        yield given.rstrip("/")
        return
    with running_server(folder) as url:
        yield url
