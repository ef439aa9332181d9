"""Saved rubrics: validation, normalisation, and versions."""

import json
from typing import Any

import pytest

from tests.factories.scorers import ACCURACY, TONE
from tests.slices.scorers.conftest import Bench
from tests.support.browser import error_of, fields_of


def weighing(*weights: float) -> list[dict[str, Any]]:
    return [
        {**ACCURACY, "name": f"Criterion {number}", "weight": weight}
        for number, weight in enumerate(weights, start=1)
    ]


@pytest.mark.parametrize(
    ("weights", "stored", "codes"),
    [
        ((0.75, 0.25), [0.75, 0.25], []),
        ((3, 1), [0.75, 0.25], ["weights_normalised"]),
        ((1, 1, 1), [0.3334, 0.3333, 0.3333], ["weights_normalised"]),
        ((35, 25, 25, 15), [0.35, 0.25, 0.25, 0.15], ["weights_normalised"]),
        ((1, 0), [1, 0], ["weight_zero"]),
        ((2, 0), [1, 0], ["weights_normalised", "weight_zero"]),
        ((0.3334, 0.3333, 0.3333), [0.3334, 0.3333, 0.3333], []),
        ((0.000001, 0.000001), [0.5, 0.5], ["weights_normalised"]),
    ],
)
async def test_weights_are_normalised_to_1_with_a_notice(
    bench: Bench, weights: tuple[float, ...], stored: list[float], codes: list[str]
) -> None:
    saved = await bench.make("/rubrics", name="Support", criteria=weighing(*weights))
    assert [each["weight"] for each in saved["rubric"]["criteria"]] == stored
    assert [notice["code"] for notice in saved["notices"]] == codes


async def test_notices_describe_the_normalisation(bench: Bench) -> None:
    criteria = [{**ACCURACY, "weight": 1.4}, {**TONE, "weight": 0}]
    saved = await bench.make("/rubrics", name="Support", criteria=criteria)
    assert [notice["message"] for notice in saved["notices"]] == [
        "The weights summed to 1.4. They were divided by that, so that they sum to 1.",
        "Tone has weight 0: it is scored, but does not count.",
    ]


async def test_all_problems_are_reported_at_once_with_their_fields(bench: Bench) -> None:
    criteria = [
        {"name": "", "description": "Says only what is true.", "weight": 0},
        {"name": "Tone!", "description": "short", "weight": 0, "scale": "1-7"},
        {"name": "x" * 51, "description": "y" * 501, "weight": 0},
        {"name": "Long  Name", "description": "Says only what is true.", "weight": 0},
        {"name": "long name", "description": "Says only what is true.", "weight": -1},
        *weighing(0, 0, 0, 0, 0, 101),
    ]
    response = await bench.post("/rubrics", name="Support", criteria=criteria)
    assert response.status_code == 400
    told = {each["field"]: each["message"] for each in error_of(response)["details"]}
    assert told == {
        "criteria": "A rubric has 1 to 10 criteria; this one has 11.",
        "criteria.0.name": "Give the criterion a name.",
        "criteria.1.name": "A name is made of letters, digits and spaces.",
        "criteria.1.description": "A description has 10 to 500 characters; this one has 5.",
        "criteria.1.scale": "Choose one of the scales 0-1, 0-3, 0-5, 0-10 and 0-100.",
        "criteria.2.name": "A name has at most 50 characters; this one has 51.",
        "criteria.2.description": "A description has 10 to 500 characters; this one has 501.",
        "criteria.4.name": "Criterion 4 has the same name.",
        "criteria.4.weight": "A weight is a number from 0 to 100.",
        "criteria.10.weight": "A weight is a number from 0 to 100.",
    }
    assert (await bench.get("/rubrics"))["items"] == []


@pytest.mark.parametrize(
    ("criteria", "field"),
    [
        ([], "criteria"),
        (weighing(0, 0), "criteria"),
        ([{"name": "Tone"}], "criteria.0.description"),
        ([{**TONE, "weight": "much"}], "criteria.0.weight"),
        ([{**TONE, "weight": 1e999}], "criteria.0.weight"),
        ([{**TONE, "colour": "red"}], "criteria.0.colour"),
    ],
)
async def test_an_invalid_rubric_is_refused(
    bench: Bench, criteria: list[dict[str, Any]], field: str
) -> None:
    response = await bench.dataset.editor.post(
        f"{bench.project_url}/rubrics",
        content=json.dumps({"name": "Support", "criteria": criteria}),
        headers={"Content-Type": "application/json"},
    )
    assert fields_of(response) == {field}


async def test_a_version_is_made_only_when_criteria_or_their_order_change(bench: Bench) -> None:
    rubric = await bench.rubric()
    url = f"/rubrics/{rubric['id']}/versions"
    same = await bench.post(url, criteria=[ACCURACY, TONE], based_on=1)
    assert (same.status_code, error_of(same)["code"]) == (409, "UNCHANGED")
    saved = await bench.make(url, criteria=[{**TONE, "weight": 0.5}, ACCURACY], based_on=1)
    assert saved["rubric"]["latest"]["label"] == "v2"
    assert saved["rubric"]["criterion_names"] == ["Tone", "Accuracy"]
    stale = await bench.post(url, criteria=[ACCURACY], based_on=1)
    assert (stale.status_code, error_of(stale)["code"]) == (409, "STALE")
    assert error_of(stale)["details"]["current"]["latest"]["label"] == "v2"
    second, first = (await bench.get(url))["items"]
    assert [first["label"], second["label"]] == ["v1", "v2"]
    diff = await bench.get(
        f"/rubrics/{rubric['id']}/diff", **{"from": first["id"], "to": second["id"]}
    )
    assert diff == {
        "left": "v1",
        "right": "v2",
        "changes": [
            {
                "kind": "changed",
                "path": ["criteria", "Tone", "weight"],
                "before": 0.25,
                "after": 0.4,
            },
            {
                "kind": "changed",
                "path": ["criteria", "Accuracy", "weight"],
                "before": 0.75,
                "after": 0.6,
            },
            {
                "kind": "changed",
                "path": ["criteria", "order"],
                "before": ["Accuracy", "Tone"],
                "after": ["Tone", "Accuracy"],
            },
        ],
    }


async def test_a_rubric_is_renamed_copied_archived_and_deleted(bench: Bench) -> None:
    rubric = await bench.rubric()
    url = f"/rubrics/{rubric['id']}"
    renamed = await bench.patch(url, name=" Replies ", description="  ")
    assert (renamed.json()["name"], renamed.json()["description"]) == ("Replies", None)
    copy = await bench.make(f"{url}/duplicate")
    assert (copy["name"], copy["criteria"]) == ("Replies copy", rubric["criteria"])
    taken = await bench.patch(url, name="Replies copy")
    assert (taken.status_code, error_of(taken)["code"]) == (409, "DUPLICATE_NAME")
    await bench.make(f"{url}/archive")
    refused = await bench.post(f"{url}/versions", criteria=[TONE], based_on=1)
    assert (refused.status_code, error_of(refused)["code"]) == (409, "ARCHIVED")
    assert [each["name"] for each in (await bench.get("/rubrics"))["items"]] == ["Replies copy"]
    archived = (await bench.get("/rubrics", status="archived"))["items"]
    assert [each["name"] for each in archived] == ["Replies"]
    await bench.make(f"{url}/unarchive")
    assert (await bench.delete(url)).status_code == 204
    assert (await bench.get("/rubrics", status="all"))["total"] == 1


async def test_a_preview_shows_the_prompt_of_the_judge(bench: Bench) -> None:
    shown = await bench.make(
        "/rubrics/preview", criteria=[ACCURACY, {**TONE, "scale": "0-10"}], goal="Calm people down"
    )
    assert shown["system"].startswith("You are a strict evaluator.")
    for part in (
        "Calm people down",
        '"name": "Accuracy"',
        '"scale": "0-10"',
        "[the answer that is scored]",
        '"scores": {"Accuracy": <0 to 5>, "Tone": <0 to 10>}',
    ):
        assert part in shown["question"]
    wrong = await bench.post("/rubrics/preview", criteria=[])
    assert fields_of(wrong) == {"criteria"}
