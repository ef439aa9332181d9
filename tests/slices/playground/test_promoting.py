"""Results of a run, promoted into datasets."""

from typing import Any

import httpx
import pytest

from tests.slices.playground.conftest import ANSWER, Playground
from tests.support.browser import error_of, fields_of


@pytest.fixture
async def cell(playground: Playground) -> dict[str, Any]:
    """The only cell of a run over the first case, which has no expected answer yet."""
    run = await playground.run(cases={"limit": 1})
    (found,) = await playground.desk.cells(run["id"])
    return {**found, "run_id": run["id"]}


async def save(playground: Playground, cell: dict[str, Any], **body: Any) -> httpx.Response:
    return await playground.desk.post(f"/outputs/{cell['id']}/expected", **body)


async def test_an_answer_becomes_the_expected_one(
    playground: Playground, cell: dict[str, Any]
) -> None:
    response = await save(playground, cell, about=cell["number"])

    assert response.status_code == 200, response.text
    case = response.json()
    assert (case["expected"], case["version"]) == (ANSWER, 2)
    # Repeating it changes nothing.
    assert (await save(playground, cell)).json()["expected"] == ANSWER
    run = await playground.run(cases={"limit": 1}, scorers=[{"kind": "exact"}])
    assert (await playground.desk.cells(run["id"]))[0]["grade"]["value"] == 1.0


async def test_a_changed_case_is_overwritten_only_on_confirmation(
    playground: Playground, cell: dict[str, Any]
) -> None:
    desk = playground.desk
    cases = f"{desk.project_url}/datasets/{desk.dataset.id}/cases"
    (row,) = await desk.rows(cell["run_id"])
    changed = {"version": 1, "expected": "Something else."}
    await desk.dataset.editor.patch(f"{cases}/{row['case_id']}", json=changed)

    refused = await save(playground, cell)

    assert refused.status_code == 409
    told = error_of(refused)
    assert told["code"] == "CASE_CHANGED"
    assert told["details"]["case_expected"] == "Something else."
    assert (told["details"]["run_expected"], told["details"]["proposed"]) == (None, ANSWER)
    assert told["details"]["current"]["version"] == 2
    forced = await save(playground, cell, is_forced=True)
    assert (forced.json()["expected"], forced.json()["version"]) == (ANSWER, 3)


async def test_deleted_cases_and_outdated_answers_are_refused(
    playground: Playground, cell: dict[str, Any]
) -> None:
    desk = playground.desk
    outdated = await save(playground, cell, about=cell["number"] + 1)
    assert error_of(outdated)["code"] == "ANOTHER_ANSWER"
    (row,) = await desk.rows(cell["run_id"])
    url = f"{desk.project_url}/datasets/{desk.dataset.id}/cases"
    assert (await desk.dataset.editor.delete(f"{url}/{row['case_id']}")).status_code == 204
    assert error_of(await save(playground, cell))["code"] == "CASE_GONE"


async def test_a_row_given_by_hand_becomes_a_case_once(playground: Playground) -> None:
    desk = playground.desk
    run = await playground.run(dataset_id=None, inputs={"question": "Is it raining?"})
    (cell,) = await desk.cells(run["id"])
    assert error_of(await save(playground, cell))["code"] == "CASE_GONE"
    path = f"/runs/{run['id']}/rows/0/case"
    target = {"dataset_id": str(desk.dataset.id)}

    added = await desk.post(path, **target, output_id=cell["id"], tags=["weather"])

    assert added.status_code == 201, added.text
    case = added.json()
    assert (case["inputs"], case["expected"]) == ({"question": "Is it raining?"}, ANSWER)
    assert (case["tags"], case["position"]) == (["weather"], 7)
    assert error_of(await desk.post(path, **target))["code"] == "KNOWN_CASE"
    assert (await desk.post(f"/runs/{run['id']}/rows/1/case", **target)).status_code == 404
    other = await playground.run(cases={"limit": 1})
    (foreign,) = await desk.cells(other["id"])
    assert fields_of(await desk.post(path, **target, output_id=foreign["id"])) == {"output_id"}
    both = await desk.post(path, **target, output_id=cell["id"], expected="No.")
    assert both.status_code == 400
