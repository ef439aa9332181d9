"""Bulk changes of cases, and undoing them."""

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from edison.library.datasets.models import CaseVersion
from edison.workspace.projects.models import Role
from tests.factories.datasets import MadeDataset, make_dataset
from tests.factories.projects import make_member
from tests.support.browser import error_of, fields_of

ALL: dict[str, Any] = {"matching": {}}


async def change(made: MadeDataset, selection: dict[str, Any], **wanted: Any) -> dict[str, Any]:
    body = {"selection": selection, "change": wanted}
    response = await made.editor.post(f"{made.url}/cases/bulk", json=body)
    assert response.status_code == 200, response.text
    result: dict[str, Any] = response.json()
    return result


async def undo(made: MadeDataset, result: dict[str, Any]) -> Any:
    change_id = result["last_change"]["change_id"]
    return await made.editor.post(f"{made.url}/undo", json={"change_id": change_id})


def shown(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cases without the fields that every change updates."""
    kept = ("id", "position", "inputs", "expected", "tags", "split", "origin", "difficulty")
    return [{name: case[name] for name in kept} for case in cases]


async def three(app: FastAPI) -> MadeDataset:
    made = await make_dataset(app)
    for number, tags in enumerate((["a"], ["a", "b"], []), start=1):
        body = {"inputs": {"q": f"text {number}"}, "tags": tags, "split": "train"}
        await made.editor.post(f"{made.url}/cases", json=body)
    return made


async def tags_of(made: MadeDataset) -> list[list[str]]:
    return [case["tags"] for case in await made.cases()]


async def test_tags_are_added_to_selected_cases_that_lack_them(app: FastAPI) -> None:
    made = await three(app)
    first, second, _ = await made.cases()
    ids = [first["id"], second["id"]]
    result = await change(made, {"ids": ids}, action="add_tags", tags=["b", "new one"])
    assert result["count"] == 2
    assert await tags_of(made) == [["a", "b", "new one"], ["a", "b", "new one"], []]
    assert [case["version"] for case in await made.cases()] == [2, 2, 1]


async def test_unchanged_cases_keep_their_version(app: FastAPI) -> None:
    made = await three(app)
    result = await change(made, ALL, action="add_tags", tags=["a"])
    assert result["count"] == 1
    assert [case["version"] for case in await made.cases()] == [1, 1, 2]
    nothing = await change(made, ALL, action="set_split", split="train")
    assert nothing == {"count": 0, "last_change": None}


async def test_tags_are_removed_from_cases_that_match(app: FastAPI) -> None:
    made = await three(app)
    result = await change(made, {"matching": {"tag": "b"}}, action="remove_tags", tags=["a", "z"])
    assert result["count"] == 1
    assert await tags_of(made) == [["a"], ["b"], []]


async def test_a_search_selects_too(app: FastAPI) -> None:
    made = await three(app)
    selection = {"matching": {"q": "TEXT 2"}, "count": 1}
    result = await change(made, selection, action="set_split", split="holdout")
    assert result["count"] == 1
    assert [case["split"] for case in await made.cases()] == ["train", "holdout", "train"]


async def test_deleted_cases_are_gone_and_not_counted(app: FastAPI) -> None:
    made = await three(app)
    await change(made, {"matching": {"tag": "a"}}, action="delete")
    assert [case["inputs"]["q"] for case in await made.cases()] == ["text 3"]
    assert (await made.editor.get(made.url)).json()["case_count"] == 1


async def test_a_changed_selection_is_refused(app: FastAPI) -> None:
    made = await three(app)
    body = {"selection": {"matching": {}, "count": 2}, "change": {"action": "delete"}}
    refused = await made.editor.post(f"{made.url}/cases/bulk", json=body)
    assert (refused.status_code, error_of(refused)["code"]) == (409, "SELECTION_CHANGED")
    assert error_of(refused)["details"] == {"count": 3}
    assert await made.count() == 3


async def test_ids_of_another_dataset_select_nothing(app: FastAPI) -> None:
    made = await three(app)
    other = await make_dataset(app, [{"q": "x"}], project=made.project)
    (case,) = await other.cases()
    assert (await change(made, {"ids": [case["id"]]}, action="delete"))["count"] == 0
    assert await other.count() == 1


@pytest.mark.parametrize(
    ("selection", "wanted", "field"),
    [
        ({}, {"action": "delete"}, "selection"),
        ({"ids": [], "matching": None}, {"action": "delete"}, "selection.ids"),
        ({"matching": {"nonsense": 1}}, {"action": "delete"}, "selection.matching.nonsense"),
        (ALL, {"action": "add_tags", "tags": ["a;b"]}, "change.tags"),
        (ALL, {"action": "add_tags", "tags": []}, "change.tags"),
        (ALL, {"action": "set_split", "split": "x"}, "change.split"),
        (ALL, {"action": "explode"}, "change.action"),
    ],
)
async def test_a_wrong_bulk_change_names_the_field_and_changes_nothing(
    app: FastAPI, selection: dict[str, Any], wanted: dict[str, Any], field: str
) -> None:
    made = await three(app)
    before = await made.cases()
    body = {"selection": selection, "change": wanted}
    assert fields_of(await made.editor.post(f"{made.url}/cases/bulk", json=body)) == {field}
    assert await made.cases() == before


async def test_more_tags_than_a_case_may_have_change_no_case(app: FastAPI) -> None:
    made = await three(app)
    before = await made.cases()
    body = {
        "selection": ALL,
        "change": {"action": "add_tags", "tags": [f"t{n}" for n in range(19)]},
    }
    refused = await made.editor.post(f"{made.url}/cases/bulk", json=body)
    assert refused.status_code == 409
    assert error_of(refused)["message"].startswith("1 of the cases would have more than 20 tags.")
    assert await made.cases() == before


@pytest.mark.parametrize(
    "wanted",
    [
        {"action": "add_tags", "tags": ["b", "c"]},
        {"action": "remove_tags", "tags": ["a", "b"]},
        {"action": "set_split", "split": "holdout"},
        {"action": "delete"},
    ],
)
async def test_an_undo_puts_everything_back(app: FastAPI, wanted: dict[str, Any]) -> None:
    made = await three(app)
    before = await made.cases()
    result = await change(made, ALL, **wanted)
    detail = (await made.editor.get(made.url)).json()
    assert detail["last_change"] == result["last_change"]
    assert (detail["last_change"]["action"], detail["last_change"]["count"]) == (
        wanted["action"],
        result["count"],
    )
    undone = await undo(made, result)
    assert (undone.status_code, undone.json()["last_change"]) == (200, None)
    assert shown(await made.cases()) == shown(before)
    assert undone.json()["case_count"] == 3
    assert [case["id"] for case in await made.cases(q="text 2")] == [before[1]["id"]]


async def test_an_undo_creates_new_versions_and_deletes_none(app: FastAPI) -> None:
    made = await three(app)
    await undo(made, await change(made, ALL, action="add_tags", tags=["c"]))
    first = (await made.cases())[0]
    page = (await made.editor.get(f"{made.url}/cases/{first['id']}/versions")).json()
    assert first["version"] == 3
    assert [(each["version"], each["tags"]) for each in page["items"]] == [
        (2, ["a", "c"]),
        (1, ["a"]),
    ]


async def test_undo_restores_a_deleted_case_with_its_history(app: FastAPI) -> None:
    made = await three(app)
    first = (await made.cases())[0]
    url = f"{made.url}/cases/{first['id']}"
    await made.editor.patch(url, json={"version": 1, "expected": "yes"})
    assert (await made.editor.delete(url)).status_code == 204
    last_change = (await made.editor.get(made.url)).json()["last_change"]
    assert (await undo(made, {"last_change": last_change})).status_code == 200
    back = (await made.editor.get(url)).json()
    assert (back["version"], back["expected"], back["position"]) == (3, "yes", 1)
    page = (await made.editor.get(f"{url}/versions")).json()
    assert [each["version"] for each in page["items"]] == [2, 1]


async def test_a_case_created_meanwhile_does_not_prevent_undo(app: FastAPI) -> None:
    made = await three(app)
    result = await change(made, ALL, action="delete")
    await made.editor.post(f"{made.url}/cases", json={"inputs": {"q": "text 4"}})
    assert (await undo(made, result)).status_code == 200
    cases = await made.cases()
    assert [case["inputs"]["q"] for case in cases] == [f"text {n}" for n in range(1, 5)]
    assert len({case["position"] for case in cases}) == 4


async def test_an_undo_is_refused_once_a_case_was_changed(app: FastAPI) -> None:
    made = await three(app)
    result = await change(made, ALL, action="set_split", split="holdout")
    first = (await made.cases())[0]
    await made.editor.patch(
        f"{made.url}/cases/{first['id']}", json={"version": 2, "expected": "mine"}
    )
    before = await made.cases()
    refused = await undo(made, result)
    assert (refused.status_code, error_of(refused)["code"]) == (409, "CANNOT_UNDO")
    assert error_of(refused)["message"].startswith("1 of the 3 cases were changed since.")
    assert await made.cases() == before


async def test_an_undo_is_refused_once_a_case_was_deleted(app: FastAPI) -> None:
    made = await three(app)
    result = await change(made, ALL, action="set_split", split="holdout")
    first = (await made.cases())[0]
    await made.editor.delete(f"{made.url}/cases/{first['id']}")
    assert (await undo(made, result)).status_code == 409


async def test_only_the_last_change_can_be_undone_and_only_once(app: FastAPI) -> None:
    made = await three(app)
    first = await change(made, ALL, action="set_split", split="holdout")
    second = await change(made, {"matching": {"tag": "b"}}, action="delete")
    assert (await undo(made, first)).status_code == 409
    assert (await undo(made, second)).status_code == 200
    assert (await undo(made, second)).status_code == 409
    assert [case["split"] for case in await made.cases()] == ["holdout"] * 3


async def test_versions_of_unrecoverable_cases_are_deleted(app: FastAPI) -> None:
    made = await three(app)
    first = (await made.cases())[0]
    await change(made, {"ids": [first["id"]]}, action="delete")
    await change(made, ALL, action="add_tags", tags=["later"])
    async with app.state.database.read() as session:
        statement = select(func.count()).where(CaseVersion.dataset_id == made.id)
        assert await session.scalar(statement) == 2


async def test_of_concurrent_undos_exactly_one_succeeds(app: FastAPI) -> None:
    made = await three(app)
    before = await made.cases()
    result = await change(made, ALL, action="delete")
    editors = [(await make_member(app, made.project, Role.EDITOR)).browser for _ in range(5)]
    body = {"change_id": result["last_change"]["change_id"]}
    responses = await asyncio.gather(
        *(editor.post(f"{made.url}/undo", json=body) for editor in editors)
    )
    assert sorted(response.status_code for response in responses) == [200] + [409] * 4
    assert shown(await made.cases()) == shown(before)


async def test_an_edit_and_an_undo_at_once_never_mix(app: FastAPI) -> None:
    made = await three(app)
    result = await change(made, ALL, action="set_split", split="holdout")
    first = (await made.cases())[0]
    other = (await make_member(app, made.project, Role.EDITOR)).browser
    undone, edited = await asyncio.gather(
        undo(made, result),
        other.patch(f"{made.url}/cases/{first['id']}", json={"version": 2, "expected": "mine"}),
    )
    splits = [case["split"] for case in await made.cases()]
    if undone.status_code == 200:
        assert (edited.status_code, splits) == (409, ["train"] * 3)
    else:
        assert (undone.status_code, edited.status_code) == (409, 200)
        assert splits == ["holdout"] * 3
