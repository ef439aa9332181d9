"""The live feed of a run, read from a real server."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import FastAPI

from tests.fake_providers.scripted_server import Silence
from tests.slices.runs.conftest import Desk
from tests.slices.runs.judging import open_bench
from tests.support.event_reader import EventReader, reading
from tests.support.server import serving


@pytest.fixture
async def base_url(app: FastAPI) -> AsyncIterator[str]:
    async with serving(app) as url:
        yield url


async def read_to_end(reader: EventReader) -> tuple[list[Any], list[Any], list[dict[str, Any]]]:
    """Cells, scores and progress events, until the run has ended."""
    cells, scores, progress = [], [], []
    while (event := await reader.next_event()) is not None:
        if event.kind == "cells":
            cells += event.data["cells"]
        elif event.kind == "scores":
            scores += event.data["scores"]
        elif event.kind == "progress":
            progress.append(event.data)
            if event.data["state"] in ("completed", "failed"):
                break
    return cells, scores, progress


async def test_a_reader_sees_every_cell_and_score_once_and_the_run_to_its_end(
    desk: Desk, base_url: str
) -> None:
    run = await desk.start(scorers=[{"kind": "contains", "options": {"phrases": ["way"]}}])
    url = f"{base_url}{desk.url}/{run['id']}/events"
    async with (
        asyncio.timeout(30),
        reading(url, cookies=desk.dataset.editor.cookies, last_event_id=0) as reader,
    ):
        cells, scores, progress = await read_to_end(reader)

    assert sorted(cell["case_position"] for cell in cells) == list(range(6))
    assert [score["value"] for score in scores] == [1.0] * 6
    assert progress[-1]["state"] == "completed"
    assert progress[-1]["variants"][0]["done_count"] == 6
    done = [each["done_count"] for each in progress]
    assert done == sorted(done)


async def test_a_reader_sees_every_comparison_once(desk: Desk, base_url: str) -> None:
    bench = await open_bench(desk)
    run = await desk.run(
        variants=bench.variants(bench.plain, bench.fancy), comparers=[bench.comparer()]
    )
    url = f"{base_url}{desk.url}/{run['id']}/events"
    seen: list[dict[str, Any]] = []
    async with (
        asyncio.timeout(30),
        reading(url, cookies=desk.dataset.editor.cookies, last_event_id=0) as reader,
    ):
        while (event := await reader.next_event()) is not None:
            if event.kind == "comparisons":
                seen += event.data["comparisons"]
            if event.kind == "progress" and event.data["state"] == "completed":
                assert event.data["comparison_count"] == 6
                break
    assert sorted(each["case_position"] for each in seen) == list(range(6))
    assert {each["preference"] for each in seen} == {"b"}


async def test_a_reconnecting_reader_resumes_at_its_last_event(desk: Desk, base_url: str) -> None:
    run = await desk.run()
    url = f"{base_url}{desk.url}/{run['id']}/events"
    numbers = sorted(cell["number"] for cell in await desk.cells(run["id"]))
    async with (
        asyncio.timeout(30),
        reading(url, cookies=desk.dataset.editor.cookies, last_event_id=numbers[2]) as reader,
    ):
        cells, _, _ = await read_to_end(reader)

    assert [cell["number"] for cell in cells] == numbers[3:]


async def test_a_state_change_is_published_without_a_finished_cell(
    desk: Desk, base_url: str
) -> None:
    desk.server.script(Silence())
    run = await desk.start()
    await desk.until_asked(1)
    url = f"{base_url}{desk.url}/{run['id']}/events"
    async with (
        asyncio.timeout(30),
        reading(url, cookies=desk.dataset.editor.cookies) as reader,
    ):
        await reader.next_block()
        await desk.post(f"/runs/{run['id']}/cancel")
        event = await reader.next_event()

    assert event is not None
    assert (event.kind, event.data["state"]) == ("progress", "cancelled")
