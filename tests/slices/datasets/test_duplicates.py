"""Duplicate and near-duplicate cases."""

from typing import Any

from fastapi import FastAPI

from tests.factories.datasets import MadeDataset, make_dataset
from tests.support.browser import fields_of

LONG = "Where is the parcel that I ordered three weeks ago from your shop in"


async def groups(made: MadeDataset, **query: Any) -> list[tuple[str, list[int]]]:
    response = await made.editor.get(f"{made.url}/duplicates", params=query)
    assert response.status_code == 200, response.text
    return [
        (group["kind"], [case["position"] for case in group["cases"]])
        for group in response.json()["groups"]
    ]


async def test_copies_and_near_copies_are_grouped(app: FastAPI) -> None:
    made = await make_dataset(
        app,
        [
            {"q": f"{LONG} Paris?"},
            {"q": "Something else entirely, about invoices"},
            {"q": f"{LONG.upper()}   PARIS?"},
            {"q": f"{LONG} London?"},
            {"q": "Something else entirely, about refunds and money"},
        ],
    )
    assert await groups(made) == [("exact", [1, 3]), ("near", [1, 4])]


async def test_the_threshold_sets_the_similarity(app: FastAPI) -> None:
    made = await make_dataset(app, [{"q": f"{LONG} Paris"}, {"q": f"{LONG} London"}])
    assert await groups(made, threshold=0.8) == [("near", [1, 2])]
    assert await groups(made, threshold=0.95) == []
    response = await made.editor.get(f"{made.url}/duplicates")
    body = response.json()
    assert (body["threshold"], body["compared"], body["more_groups"]) == (0.8, 2, 0)
    assert body["groups"][0]["cases"][1]["similarity"] == 14 / 16


async def test_the_same_inputs_with_other_names_are_no_copies(app: FastAPI) -> None:
    made = await make_dataset(app, [{"a": "x"}, {"b": "x"}])
    assert ("exact", [1, 2]) not in await groups(made)


async def test_a_threshold_out_of_range_is_refused(app: FastAPI) -> None:
    made = await make_dataset(app)
    response = await made.editor.get(f"{made.url}/duplicates", params={"threshold": 0.1})
    assert fields_of(response) == {"threshold"}
