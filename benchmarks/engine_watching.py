"""Live streams of a run: delay until a cell is seen, and the cost of a thousand readers."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from uuid import UUID

import aiohttp
import orjson
from sqlalchemy import select

from benchmarks.engine_installation import Installation, installed
from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.model_server import running_model
from edison.runs.store.models import Output

CELLS = 2_000
WARM_UP_CELLS = 300
LISTENERS = 1_000
ENTERING_AT_ONCE = 10
DELAY_SECONDS = 0.05
LATENCY_SECONDS = 0.2
LONGEST_LINE_BYTES = 2**24
LATE_SECONDS = 1.0

# Wall-clock time at which each cell was seen.
Seen = dict[UUID, float]


def measure() -> list[Figure]:
    with ExitStack() as stack:
        url = stack.enter_context(running_model(DELAY_SECONDS))
        edison = stack.enter_context(installed())
        model_id = edison.add_model("slow", url)
        edison.run([model_id], WARM_UP_CELLS)
        return [
            *_latency(edison, model_id),
            *_crowd(edison, model_id),
        ]


def _latency(edison: Installation, model_id: str) -> Iterator[Figure]:
    run_id = edison.start_run([model_id], CELLS)
    seen, stored = asyncio.run(_watch_one(edison, run_id))
    samples = [seen[output_id] - at for output_id, at in stored.items()]
    p95 = percentile(samples, 0.95)
    yield Figure(
        name="From a finished cell to who watches, p95",
        value=f"{milliseconds(p95)} (p50 {milliseconds(percentile(samples, 0.5))})",
        target=f"< {milliseconds(LATENCY_SECONDS)}",
        is_met=p95 < LATENCY_SECONDS,
    )


async def _watch_one(edison: Installation, run_id: str) -> tuple[Seen, Seen]:
    """When each cell was seen, and when its row was created, just before the commit."""
    seen: Seen = {}
    async with _client(edison) as client:
        await _listen(client, run_id, seen, asyncio.Semaphore(1), asyncio.Semaphore(0))
    async with edison.database() as database, database.read() as session:
        found = await session.execute(
            select(Output.id, Output.created_at).where(Output.run_id == UUID(run_id))
        )
        return seen, {output_id: at.timestamp() for output_id, at in found}


def _crowd(edison: Installation, model_id: str) -> Iterator[Figure]:
    alone = edison.run([model_id], CELLS)
    run_id = edison.start_run([model_id], CELLS)
    edison.steer(run_id, "pause")
    heard, cpu = asyncio.run(_watch_many(edison, run_id))
    run = edison.finish(run_id)
    yield Figure(
        name=f"{CELLS:,} cells with {LISTENERS:,} watching",
        value=f"{run['elapsed_seconds']:.2f} s; unwatched {alone.seconds:.2f} s",
        ratio=f"{run['elapsed_seconds'] / alone.seconds:.2f} x the time, "
        f"{cpu / alone.cpu_seconds:.1f} x the CPU",
    )
    yield Figure(
        name="Cells that each of them saw",
        value=f"{min(heard):,} to {max(heard):,}",
        target=f"{CELLS:,}",
        is_met=min(heard) == max(heard) == CELLS,
    )


async def _watch_many(edison: Installation, run_id: str) -> tuple[list[int], float]:
    """Cells seen by each reader, and the CPU time of the run after all had connected."""
    seen: list[Seen] = [{} for _ in range(LISTENERS)]
    async with _client(edison) as client, asyncio.TaskGroup() as watching:
        are_here = asyncio.Semaphore(0)
        entering = asyncio.Semaphore(ENTERING_AT_ONCE)
        for each in seen:
            watching.create_task(_listen(client, run_id, each, entering, are_here))
        for _ in seen:
            await are_here.acquire()
        cpu = edison.cpu_seconds()
        await asyncio.to_thread(edison.steer, run_id, "resume")
    return list(map(len, seen)), edison.cpu_seconds() - cpu


async def _listen(
    client: aiohttp.ClientSession,
    run_id: str,
    seen: Seen,
    entering: asyncio.Semaphore,
    are_here: asyncio.Semaphore,
) -> None:
    """Reads until shortly after all cells were seen."""
    path = f"/api/v1/projects/bench/runs/{run_id}/events"
    async with entering:
        response = await client.get(path, headers={"Last-Event-ID": "0"})
    are_here.release()
    async with response:
        assert response.status == 200, await response.text()
        kind = b""
        with suppress(TimeoutError):
            while line := await _line(response, is_over=len(seen) >= CELLS):
                if line.startswith(b"event:"):
                    kind = line[6:].strip()
                elif line.startswith(b"data:") and kind == b"cells":
                    now = time.time()
                    for cell in orjson.loads(line[5:])["cells"]:
                        seen.setdefault(UUID(cell["id"]), now)


async def _line(response: aiohttp.ClientResponse, *, is_over: bool) -> bytes:
    async with asyncio.timeout(LATE_SECONDS if is_over else None):
        return await response.content.readline()


def _client(edison: Installation) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        base_url=edison.url,
        headers={"Authorization": edison.client.headers["Authorization"]},
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=None),
        read_bufsize=LONGEST_LINE_BYTES,
    )
