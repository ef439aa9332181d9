"""Outputs and rows of a run by score: the same with and without cached results."""

from typing import Any

import pytest

from edison.api.schema import Page
from edison.runs.read.schemas import CellRead, RowPage
from edison.runs.store.states import RunState
from tests.factories.scoring import MadeRun, ScorerOf
from tests.slices.results.conftest import Desk

# Two are equal, and one has no score.
CELLS = [[(0.5,), (0.9,)], [(0.1,), (0.5,)], [(None,), (0.7,)]]
STATES = pytest.mark.parametrize("state", [RunState.COMPLETED, RunState.EXECUTING])


async def _make_run(desk: Desk, state: RunState) -> MadeRun:
    return await desk.make_run(CELLS, ScorerOf(label="S"), state=state)


async def _all_pages(desk: Desk, run: MadeRun, **query: Any) -> list[tuple[int, int]]:
    """Case and variant of each output."""
    found: list[tuple[int, int]] = []
    more: dict[str, Any] = {}
    while True:
        page = await desk.read(f"{run.id}/outputs", limit=2, **query, **more)
        found += [(each["case_position"], each["variant_position"]) for each in page["items"]]
        if page["next"] is None:
            assert page["total"] == len(found)
            return found
        more = {"cursor": page["next"]}


@STATES
async def test_pages_of_outputs_by_score_add_up(desk: Desk, state: RunState) -> None:
    run = await _make_run(desk, state)
    rising = await _all_pages(desk, run, sort="score")
    assert [rising[at] for at in (0, 1, 4, 5)] == [(2, 0), (1, 0), (2, 1), (0, 1)]
    assert set(rising[2:4]) == {(0, 0), (1, 1)}
    assert await _all_pages(desk, run, sort="-score") == rising[::-1]
    assert await _all_pages(desk, run, sort="score", min_score=0.6) == [(2, 1), (0, 1)]
    assert await _all_pages(desk, run, sort="-score", status="error") == []

    url = f"/api/v1/projects/{desk.project.slug}/outputs/{run.outputs[1, 0]}/scores"
    await desk.reviewer.browser.put(url, json={"question": "rating", "answer": 5})
    assert (await _all_pages(desk, run, sort="-score"))[0] == (1, 0)
    assert await _all_pages(desk, run, sort="score", is_human="true") == [(1, 0)]


@STATES
async def test_pages_of_rows_by_grade_add_up(desk: Desk, state: RunState) -> None:
    run = await _make_run(desk, state)
    for sort, expected in (("grade.0", [1, 0, 2]), ("-grade.0", [0, 1, 2]), ("grade.1", [1, 2, 0])):
        first = await desk.read(f"{run.id}/rows", sort=sort, limit=2)
        rest = await desk.read(f"{run.id}/rows", sort=sort, limit=2, after=first["next"])
        rows = first["items"] + rest["items"]
        assert [row["position"] for row in rows] == expected
        assert (first["total"], rest["next"]) == (3, None)


async def test_cursors_of_another_order_are_refused(desk: Desk) -> None:
    run = await _make_run(desk, RunState.COMPLETED)
    cursor = (await desk.read(f"{run.id}/outputs", sort="score", limit=2))["next"]
    for query in ({"sort": "-score", "cursor": cursor}, {"sort": "score", "cursor": "nonsense"}):
        response = await desk.get(f"{run.id}/outputs", **query)
        assert response.status_code == 400
        assert response.json()["error"]["details"][0]["code"] == "bad_cursor"


async def test_responses_match_their_schema(desk: Desk) -> None:
    run = await _make_run(desk, RunState.COMPLETED)
    long = "ü" * 201
    await desk.change_output(run.outputs[0, 0], text=long, cost_nanos=1_500_000)
    await desk.change_output(run.outputs[0, 1], text=long[:200], cost_nanos=None)
    failed = {"status": "error", "text": None, "message": "Too long.", "error": "too_long"}
    await desk.change_output(run.outputs[1, 0], **failed)
    await desk.change_output(run.outputs[2, 0], status="malformed", text="{")

    rows = RowPage.model_validate_json((await desk.get(f"{run.id}/rows")).content)
    listed = await desk.get(f"{run.id}/outputs", sort="number")
    outputs = Page[CellRead].model_validate_json(listed.content)
    assert [cell for row in rows.items for cell in row.cells] == outputs.items
    shown = {(cell.case_position, cell.variant_position): cell for cell in outputs.items}
    assert (shown[0, 0].preview, shown[0, 0].is_truncated) == (long[:200], True)
    assert (shown[0, 1].preview, shown[0, 1].is_truncated) == (long[:200], False)
    assert [str(shown[0, at].cost_usd) for at in (0, 1)] == ["0.0015", "None"]
    assert (shown[1, 0].preview, shown[1, 0].error) == ("Too long.", "too_long")
    grades = [
        None if cell.grade is None else (cell.grade.value, cell.grade.by)
        for cell in (shown[0, 0], shown[2, 0])
    ]
    assert grades == [(0.5, "grader"), (0.0, "rule")]
    assert [(each.scorer, each.value) for each in shown[0, 0].scores] == [(0, 0.5)]
