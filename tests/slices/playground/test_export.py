"""Exports of a run's results."""

import csv
import io
from typing import Any
from xml.etree import ElementTree

import pytest

from edison.workspace.projects.models import Role
from tests.factories.projects import make_member
from tests.slices.playground.conftest import Playground, answering


@pytest.fixture
async def run(playground: Playground) -> dict[str, Any]:
    """Two cases, two columns; the second case's answers look like a formula."""

    def say(asked: str) -> str:
        if "Grade" in asked:
            return "0.25\n@poor, he said"
        return '=HYPERLINK("http://x")' if "number 1" in asked else "It is, well, \u00fcberall."

    desk = playground.desk
    desk.server.choose = answering(say)
    column = {"model_id": str(desk.model.id)}
    body = playground.graded(
        columns=[{**column, "label": "A"}, {**column, "label": "B"}],
        cases={"limit": 2},
        scorers=[{"kind": "contains", "options": {"phrases": ["well"]}, "label": "Strict"}],
    )
    started = (await playground.post("/runs", body)).json()
    return await desk.finish(started["id"])


async def export(playground: Playground, run: dict[str, Any], **query: Any) -> Any:
    desk = playground.desk
    viewer = await make_member(desk.app, desk.dataset.project, Role.VIEWER)
    response = await viewer.browser.get(f"{desk.url}/{run['id']}/export", params=query)
    assert response.status_code == 200, response.text
    return response


async def test_csv_has_a_line_per_cell_and_runs_no_formulas(
    playground: Playground, run: dict[str, Any]
) -> None:
    response = await export(playground, run)
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.headers["content-disposition"].startswith('attachment; filename="Reply-on-')

    lines = list(csv.DictReader(io.StringIO(response.text)))
    assert [(line["case"], line["label"]) for line in lines] == [
        ("1", "A"),
        ("1", "B"),
        ("2", "A"),
        ("2", "B"),
    ]
    first, last = lines[0], lines[-1]
    assert first["inputs.question"] == "Where is parcel number 0?"
    assert (first["status"], first["text"], first["error"]) == (
        "ok",
        "It is, well, \u00fcberall.",
        "",
    )
    assert (first["output_tokens"], first["is_cached"], first["repeat"]) == ("9", "false", "1")
    # Two scorers with the same name, each with its own columns.
    header = response.text.splitlines()[0].split(",")
    assert (
        header[-6:]
        == [
            "score: Strict",
            "passed: Strict",
            "rationale: Strict",
        ]
        * 2
    )
    (cells,) = list(csv.reader([response.text.splitlines()[1]]))
    assert cells[-8:] == [
        "0.625",
        "grader",
        "0.25",
        "",
        "'@poor, he said",
        "1.0",
        "true",
        "1 of 1 found.",
    ]
    assert last["text"] == '\'=HYPERLINK("http://x")'
    assert last["cost_usd"].startswith("0.000")


async def test_json_has_everything_and_keeps_to_the_filters(
    playground: Playground, run: dict[str, Any]
) -> None:
    whole = (await export(playground, run, format="json")).json()
    assert len(whole) == 4
    assert whole[0]["case"]["inputs"] == {"question": "Where is parcel number 0?"}
    assert whole[0]["variant"]["label"] == "A"
    assert (whole[0]["grade"], whole[0]["graded_by"]) == (0.625, "grader")
    scored = whole[0]["scores"]
    assert [(each["scorer"], each["label"], each["value"]) for each in scored] == [
        (0, "Strict", 0.25),
        (1, "Strict", 1.0),
    ]
    assert scored[0]["rationale"] == "@poor, he said"
    assert whole[3]["text"] == '=HYPERLINK("http://x")'

    some = await export(playground, run, format="jsonl", max_score=0.2)
    lines = some.text.splitlines()
    assert len(lines) == 2
    assert all('"position":1' in line for line in lines)
    none = await export(playground, run, format="json", status="error")
    assert none.json() == []


async def test_junit_has_a_suite_per_column_and_names_missed_thresholds(
    playground: Playground,
) -> None:
    desk = playground.desk
    desk.server.choose = answering(lambda asked: "x" if "number 1" in asked else "well & good")
    strict = {"kind": "contains", "options": {"phrases": ["well"]}, "threshold": 1, "label": "S"}
    column = {"model_id": str(desk.model.id), "label": "A"}
    run = await playground.run(columns=[column], cases={"limit": 2}, scorers=[strict])

    response = await export(playground, run, format="junit")

    assert response.headers["content-type"] == "application/xml"
    assert '.xml"' in response.headers["content-disposition"]
    suite = ElementTree.fromstring(response.text)[0]  # noqa: S314 - our own file
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("A", "2", "1")
    first, second = suite
    assert (first.get("name"), len(first)) == ("case 1", 0)
    assert second[0].attrib == {"message": "Below the threshold: S", "type": "score"}
    assert second[0].text == "x"
