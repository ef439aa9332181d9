"""Lists of cases at 10,000 cases, and import and export of case files.

The server runs in a separate process; its memory is the resident size before an import and the peak
during it. The parser alone is compared with Python's `csv` on the same bytes.
"""

import asyncio
import csv
import io
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import aiohttp

from benchmarks.api_latency import get, latencies, load
from benchmarks.figures import Figure, percentile
from benchmarks.server import RunningEdison, running_edison
from edison.library.datasets.files.encodings import Encoding
from edison.library.datasets.files.rows import Format, Layout, RowReader
from edison.library.datasets.imports import BLOCK_BYTES

ROWS = 10_000
REQUESTS_PER_SECOND = 50
MOST_GROWTH_BYTES = 100_000_000
FILTERS = {
    "first page": "?limit=50",
    "search": "?limit=50&q=number 99",
    "tag, split, sorted by difficulty": "?limit=50&tag=even&split=train&sort=-difficulty",
    "sorted by difficulty": "?limit=50&sort=difficulty",
    "without expected": "?limit=50&has_expected=false",
}


def measure() -> list[Figure]:
    content = _file()
    with tempfile.TemporaryDirectory() as folder, running_edison(Path(folder)) as edison:
        figures = asyncio.run(_measure(edison, content))
    return [*_parser_figures(content), *figures]


def _file() -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["question", "context", "expected", "tags", "difficulty", "notes"])
    for number in range(ROWS):
        writer.writerow(
            [
                f"Question number {number}: where is order {number * 7919 % 100_003}?",
                f"The customer wrote {number % 13} times before. " * 8,
                f"Answer {number}" if number % 3 else "",
                "even" if number % 2 == 0 else "odd",
                number % 5 + 1,
                "seen in production, needs care",
            ]
        )
    return text.getvalue().encode()


def _parser_figures(content: bytes) -> list[Figure]:
    started = time.perf_counter()
    rows = sum(1 for _ in csv.reader(io.StringIO(content.decode(), newline="")))
    floor = time.perf_counter() - started
    started = time.perf_counter()
    for _ in _parse(content):
        pass
    seconds = time.perf_counter() - started
    tracemalloc.start()
    for _ in _parse(content):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return [
        Figure(
            name=f"Parser, {len(content) / 1e6:.1f} MB CSV of 6 columns",
            value=f"{rows / seconds:,.0f} rows/s",
            ratio=f"{seconds / floor:.1f} x csv.reader",
        ),
        Figure(
            name="Parser, peak memory",
            value=f"{peak / 1e6:.1f} MB",
            ratio=f"{peak / len(content):.2f} x the file",
        ),
    ]


def _parse(content: bytes) -> Iterator[int]:
    layout = Layout(format=Format.CSV, encoding=Encoding.UTF_8, delimiter=",")
    reader = RowReader(layout, most_rows=ROWS)
    for start in range(0, len(content), BLOCK_BYTES):
        yield len(reader.feed(content[start : start + BLOCK_BYTES]))
    yield len(reader.close())


async def _measure(edison: RunningEdison, content: bytes) -> list[Figure]:
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(base_url=edison.url, cookie_jar=jar) as client:
        dataset = await _sign_in(client)
        figures = await _import(client, dataset, content, edison.process.pid)
        floor = await load(lambda: get(client, "/api/health"), per_second=REQUESTS_PER_SECOND)
        for name, query in FILTERS.items():
            samples = await load(
                lambda query=query: get(client, f"{dataset}/cases{query}"),
                per_second=REQUESTS_PER_SECOND,
            )
            figures += latencies(
                f"Cases, {name}, {REQUESTS_PER_SECOND}/s",
                samples,
                floor=percentile(floor, 0.5),
                of="health p50",
                goals={0.95: 0.1, 0.99: 0.25},
            )
        figures += await _single_calls(client, dataset)
    return figures


async def _sign_in(client: aiohttp.ClientSession) -> str:
    body = {"email": "bench@example.org", "password": "Analytical-Engine-1843!"}
    async with client.post("/api/v1/auth/register", json=body) as response:
        assert response.status == 201, await response.text()
    csrf = next(cookie.value for cookie in client.cookie_jar if cookie.key == "edison_csrf")
    client.headers["X-CSRF-Token"] = csrf
    async with client.post("/api/v1/projects", json={"name": "Bench"}) as response:
        assert response.status == 201, await response.text()
    async with client.get("/api/v1/projects/bench/datasets") as response:
        (dataset,) = (await response.json())["items"]
    return f"/api/v1/projects/bench/datasets/{dataset['id']}"


async def _import(
    client: aiohttp.ClientSession, dataset: str, content: bytes, pid: int
) -> list[Figure]:
    before = _memory_bytes(pid, "VmRSS")
    started = time.perf_counter()
    async with client.post(f"{dataset}/imports", data=content) as response:
        assert response.status == 201, await response.text()
        pending = await response.json()
    uploaded = time.perf_counter() - started
    started = time.perf_counter()
    async with client.post(f"{dataset}/imports/{pending['id']}/commit", json={}) as response:
        assert response.status == 200, await response.text()
    committed = time.perf_counter() - started
    growth = _memory_bytes(pid, "VmHWM") - before
    return [
        Figure(name=f"Upload and preview, {ROWS:,} rows", value=f"{ROWS / uploaded:,.0f} rows/s"),
        Figure(name=f"Commit, {ROWS:,} rows", value=f"{ROWS / committed:,.0f} rows/s"),
        Figure(
            name="Server memory, growth at most",
            value=f"{growth / 1e6:.0f} MB",
            target=f"< {MOST_GROWTH_BYTES / 1e6:.0f} MB",
            is_met=growth < MOST_GROWTH_BYTES,
        ),
    ]


def _memory_bytes(pid: int, name: str) -> int:
    """Current (VmRSS) or peak (VmHWM) resident size of a process on Linux."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024


async def _single_calls(client: aiohttp.ClientSession, dataset: str) -> list[Figure]:
    figures = []
    for name, path in {
        "Facets": "/facets",
        "Variables": "/variables",
        "Near duplicates": "/duplicates",
        "Export as CSV": "/export",
    }.items():
        started = time.perf_counter()
        await get(client, dataset + path)
        seconds = time.perf_counter() - started
        figures.append(Figure(name=f"{name}, {ROWS:,} cases", value=f"{seconds:.2f} s"))
    body = {"selection": {"matching": {}}, "change": {"action": "add_tags", "tags": ["bench"]}}
    started = time.perf_counter()
    async with client.post(f"{dataset}/cases/bulk", json=body) as response:
        assert response.status == 200, await response.text()
    seconds = time.perf_counter() - started
    figures.append(Figure(name=f"Bulk tag, {ROWS:,} cases", value=f"{seconds:.2f} s"))
    return figures
