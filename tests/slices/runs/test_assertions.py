"""Assertions of the cases of a run."""

import json
from typing import Any

from tests.factories.prompts import TEXT
from tests.fake_providers import openai
from tests.slices.runs.conftest import Desk
from tests.support.browser import fields_of

ROWS = [{"question": "Where is it?"}, {"question": "When?"}, {"question": "Why?"}]
DEFAULT = '[{"type": "contains", "value": "way", "metric": "Known"}]'
OWN: list[dict[str, Any] | None] = [
    {"assertions": [{"type": "equals", "value": "It is on its way."}]},
    {"assertions": [{"type": "contains", "value": "{{question}}"}], "threshold": 0.5},
    {"assertions": [], "options": {"transform": "'lost'"}},
]


def request(**changes: Any) -> dict[str, Any]:
    scorer = {"kind": "assertions", "options": {"assertions": DEFAULT}}
    return {
        "dataset_id": None,
        "inputs": ROWS,
        "assertions": OWN,
        "scorers": [scorer],
        **changes,
    }


async def details(desk: Desk, run_id: str) -> list[dict[str, Any]]:
    found = []
    for cell in await desk.cells(run_id):
        (score,) = (await desk.get(f"/outputs/{cell['id']}"))["details"]
        found.append(score)
    return found


async def test_each_case_is_scored_by_its_own_assertions_and_the_defaults(desk: Desk) -> None:
    run = await desk.run(**request())

    scores = await details(desk, run["id"])
    assert [(each["value"], each["is_passed"]) for each in scores] == [
        (1.0, True),
        (0.5, True),
        (0.0, False),
    ]
    assert [each["criteria"]["Known"]["value"] for each in scores] == [1.0, 1.0, 0.0]
    components = [json.loads(each["raw"])["components"] for each in scores]
    assert [[each["type"] for each in row] for row in components] == [
        ["contains", "equals"],
        ["contains", "contains"],
        ["contains"],
    ]
    rows = await desk.rows(run["id"])
    assert [row["assertions"]["threshold"] for row in rows] == [None, 0.5, None]
    assert rows[0]["assertions"]["assertions"] == (OWN[0] or {})["assertions"]


async def test_a_replay_evaluates_the_same_assertions(desk: Desk) -> None:
    run = await desk.run(**request())
    replayed = await desk.post(f"/runs/{run['id']}/replay")
    again = await desk.finish(replayed.json()["id"])

    values = [each["value"] for each in await details(desk, again["id"])]
    assert values == [1.0, 0.5, 0.0]


async def test_graders_see_the_rendered_prompt(desk: Desk) -> None:
    desk.server.script(openai.completion("It is late."), openai.completion("Y"))
    own = {"assertions": [{"type": "model-graded-closedqa", "value": "It names a reason"}]}
    grader = {
        "kind": "graded_assertions",
        "options": {"assertions": "[]", "model_id": str(desk.model.id)},
    }
    run = await desk.run(**request(inputs=ROWS[:1], assertions=[own], scorers=[grader]))

    (score,) = await details(desk, run["id"])
    assert (score["value"], score["is_passed"]) == (1.0, True)
    prompt = TEXT.replace("{{question}}", "Where is it?")
    assert json.dumps(prompt)[1:-1] in json.dumps(desk.server.received[1].body)


async def test_wrong_assertions_are_refused_before_anything_is_spent(desk: Desk) -> None:
    wrong = [{"assertions": [{"value": "x"}]}, None, None]
    refused = await desk.post("/runs", **desk.body(**request(assertions=wrong)))
    assert fields_of(refused) == {"assertions.0"}
    for value in (2**64, "\u0000"):
        own = [{"assertions": [{"type": "equals", "value": value}]}, None, None]
        unfit = await desk.post("/runs", **desk.body(**request(assertions=own)))
        assert fields_of(unfit) == {"assertions.0.assertions.0.value"}
    unused = await desk.post("/runs", **desk.body(**request(scorers=[])))
    assert fields_of(unused) == {"scorers"}
    too_few = await desk.post("/runs", **desk.body(**request(assertions=OWN[:1])))
    assert too_few.status_code in (400, 422)
    assert desk.server.received == []
