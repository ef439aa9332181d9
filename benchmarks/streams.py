"""Many open event streams: their cost while idle, and the latency of other requests when hundreds
of them reconnect at once during a run.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

import aiohttp

from benchmarks.engine_installation import Installation, installed
from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.model_server import running_model

LISTENERS = 1_000
TABS = 300
CELLS = 500
DELAY_SECONDS = 0.05
QUIET_SECONDS = 5.0
STALL_SECONDS = 1.0
PATH = "/api/v1/projects/bench/events"
PAGE = "/api/v1/projects/bench"


@dataclass(slots=True)
class Listener:
    """A reader across reconnections."""

    numbers: list[int] = field(default_factory=list)
    last_id: str | None = None
    task: "asyncio.Task[None] | None" = None

    async def listen(self, client: aiohttp.ClientSession, statuses: Counter[int]) -> None:
        headers = {} if self.last_id is None else {"Last-Event-ID": self.last_id}
        async with client.get(PATH, headers=headers) as response:
            statuses[response.status] += 1
            is_event = False
            async for line in response.content:
                if line.startswith(b"id:"):
                    self.last_id = line[3:].strip().decode()
                elif line.startswith(b"event:"):
                    is_event = True
                elif line == b"\n":
                    if is_event and self.last_id is not None:
                        self.numbers.append(int(self.last_id))
                    is_event = False


@dataclass(slots=True)
class Crowd:
    client: aiohttp.ClientSession
    listeners: Sequence[Listener]
    statuses: Counter[int] = field(default_factory=Counter)

    async def connect(self, listeners: Sequence[Listener]) -> float:
        """Connects all listeners concurrently. Returns the seconds until the last is connected."""
        began, expected = time.perf_counter(), self.statuses.total() + len(listeners)
        for listener in listeners:
            listener.task = asyncio.create_task(listener.listen(self.client, self.statuses))
        while self.statuses.total() < expected:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)
        return time.perf_counter() - began

    async def leave(self, listeners: Sequence[Listener]) -> None:
        for listener in listeners:
            if listener.task is not None:
                listener.task.cancel()
                with suppress(asyncio.CancelledError, aiohttp.ClientError):
                    await listener.task


def measure() -> list[Figure]:
    with ExitStack() as stack:
        url = stack.enter_context(running_model(DELAY_SECONDS))
        edison = stack.enter_context(installed())
        model_id = edison.add_model("slow", url)
        edison.run([model_id], 20)
        return asyncio.run(_measure(edison, model_id))


async def _measure(edison: Installation, model_id: str) -> list[Figure]:
    async with _client(edison) as client, _client(edison) as reading:
        crowd = Crowd(client, [Listener() for _ in range(LISTENERS)])
        pages: list[float] = []
        statuses: Counter[int] = Counter()
        probing = asyncio.create_task(_keep_reading(reading, pages, statuses))
        arrived = await crowd.connect(crowd.listeners)
        cpu = edison.cpu_seconds()
        await asyncio.sleep(QUIET_SECONDS)
        idle = (edison.cpu_seconds() - cpu) / QUIET_SECONDS
        run_id = await asyncio.to_thread(edison.start_run, [model_id], CELLS)
        tabs = crowd.listeners[:TABS]
        await crowd.leave(tabs)
        returned = await crowd.connect(tabs)
        await asyncio.to_thread(edison.finish, run_id)
        await asyncio.sleep(QUIET_SECONDS)
        probing.cancel()
        await crowd.leave(crowd.listeners)
    statuses += crowd.statuses
    return _figures(crowd, pages, statuses, idle=idle, opening=(arrived, returned))


def _figures(
    crowd: Crowd,
    pages: list[float],
    statuses: Counter[int],
    *,
    idle: float,
    opening: tuple[float, float],
) -> list[Figure]:
    refused = sum(count for status, count in statuses.items() if status != 200)
    last = max(each.numbers[-1] for each in crowd.listeners if each.numbers)
    whole = [
        each.numbers == list(range(each.numbers[0], last + 1)) if each.numbers else False
        for each in crowd.listeners
    ]
    return [
        Figure(
            name=f"{LISTENERS:,} streams opened at once, then {TABS} again during a run",
            value=f"{opening[0]:.1f} s, {opening[1]:.1f} s",
        ),
        Figure(
            name="Requests refused meanwhile",
            value=f"{refused} of {statuses.total():,}",
            target="0",
            is_met=refused == 0,
        ),
        Figure(
            name="A page meanwhile, longest",
            value=f"{milliseconds(max(pages))} (p50 {milliseconds(percentile(pages, 0.5))}, "
            f"p95 {milliseconds(percentile(pages, 0.95))})",
            target=f"< {milliseconds(STALL_SECONDS)}",
            is_met=max(pages) < STALL_SECONDS,
        ),
        Figure(
            name="Readers that saw every event once",
            value=f"{sum(whole):,}",
            target=f"{LISTENERS:,}",
            is_met=all(whole),
        ),
        Figure(name="Processor while it is quiet", value=f"{idle:.1%} of a core"),
    ]


async def _keep_reading(
    client: aiohttp.ClientSession, pages: list[float], statuses: Counter[int]
) -> None:
    while True:
        began = time.perf_counter()
        async with client.get(PAGE) as response:
            await response.read()
            statuses[response.status] += 1
        pages.append(time.perf_counter() - began)
        await asyncio.sleep(0.05)


def _client(edison: Installation) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        base_url=edison.url,
        headers={"Authorization": edison.client.headers["Authorization"]},
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=None),
    )
