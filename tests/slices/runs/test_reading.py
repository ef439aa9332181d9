"""Lists of runs and their rows."""

from typing import Any

import pytest

from tests.fake_providers import openai
from tests.slices.runs.conftest import Desk


async def test_rows_come_in_pages_in_the_order_of_the_cases(desk: Desk) -> None:
    run = await desk.run()

    first = await desk.get(f"/runs/{run['id']}/rows", limit=4)
    rest = await desk.get(f"/runs/{run['id']}/rows", limit=4, after=first["next"])

    assert [row["position"] for row in first["items"]] == [0, 1, 2, 3]
    assert [row["position"] for row in rest["items"]] == [4, 5]
    assert (first["total"], first["next"], rest["next"]) == (6, 3, None)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"status": "error"}, 1),
        ({"status": "malformed"}, 0),
        ({"status": "malformed,error"}, 1),
        ({"status": "ok", "q": "parcel"}, 5),
        ({"q": "PARCEL number 3"}, 1),
        ({"q": "surprise"}, 1),
        ({"q": "100%"}, 0),
        ({"q": "PROMPT is too long"}, 1),
    ],
)
async def test_rows_are_found_by_status_and_text(
    desk: Desk, query: dict[str, Any], count: int
) -> None:
    desk.server.script(
        openai.error(400, code="context_length_exceeded"),
        openai.completion("A surprise."),
        openai.completion("Fine."),
    )
    run = await desk.run()

    assert len(await desk.rows(run["id"], **query)) == count


async def test_runs_are_filtered_by_the_objects_they_used(desk: Desk) -> None:
    run = await desk.run(name="The one with parcels")

    for query, total in (
        ({"q": "PARCELS"}, 1),
        ({"q": "letters"}, 0),
        ({"state": "completed"}, 1),
        ({"state": "paused"}, 0),
        ({"is_active": "true"}, 0),
        ({"prompt_id": str(desk.prompt.id)}, 1),
        ({"model_id": str(desk.model.id)}, 1),
        ({"dataset_id": str(desk.dataset.id)}, 1),
        ({"model_id": run["id"]}, 0),
    ):
        assert (await desk.get("/runs", **query))["total"] == total, query


async def test_outputs_come_in_the_order_they_were_finished(desk: Desk) -> None:
    run = await desk.run()

    outputs = (await desk.get(f"/runs/{run['id']}/outputs"))["items"]
    assert [output["number"] for output in outputs] == sorted(
        output["number"] for output in outputs
    )
    assert len(outputs) == 6


async def test_a_run_can_be_renamed(desk: Desk) -> None:
    run = await desk.run()
    url = f"{desk.url}/{run['id']}"

    assert (await desk.dataset.editor.patch(url, json={"name": "Better"})).json()[
        "name"
    ] == "Better"
    assert (await desk.dataset.editor.patch(url, json={"name": ""})).status_code == 400
    assert (await desk.get(f"/runs/{run['id']}"))["name"] == "Better"
