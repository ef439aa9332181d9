"""The datasets of a project."""

import pytest
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets import service
from edison.library.datasets.models import Dataset
from edison.workspace.projects.models import Role
from tests.factories.accounts import make_person
from tests.factories.datasets import make_dataset
from tests.factories.projects import make_member, make_project
from tests.support.browser import Browser, error_of, fields_of


async def editor_of(app: FastAPI) -> tuple[Browser, str]:
    project = await make_project(app)
    editor = await make_member(app, project, Role.EDITOR)
    return editor.browser, f"/api/v1/projects/{project.slug}/datasets"


async def test_a_viewer_sees_the_golden_dataset(app: FastAPI) -> None:
    project = await make_project(app)
    viewer = await make_member(app, project, Role.VIEWER)
    page = (await viewer.browser.get(f"/api/v1/projects/{project.slug}/datasets")).json()
    (dataset,) = page["items"]
    assert (dataset["name"], dataset["kind"], page["total"]) == ("Golden", "golden", 1)
    assert (dataset["case_count"], dataset["holdout_percent"]) == (0, 20)


async def test_datasets_are_searched_sorted_and_paged(app: FastAPI) -> None:
    project = await make_project(app)
    viewer = await make_member(app, project, Role.VIEWER)
    url = f"/api/v1/projects/{project.slug}/datasets"
    async with app.state.database.write() as session:
        session.add_all(
            Dataset(project_id=project.id, name=name, kind="manual") for name in ("Edge", "Hard")
        )

    async def names(**query: str) -> list[str]:
        page = (await viewer.browser.get(url, params=query)).json()
        return [item["name"] for item in page["items"]]

    assert await names(sort="-name", limit="2") == ["Hard", "Golden"]
    assert await names(q="ED") == ["Edge"]


async def test_outsiders_find_no_datasets(app: FastAPI) -> None:
    project = await make_project(app)
    _, outsider = await make_person(app)
    response = await outsider.get(f"/api/v1/projects/{project.slug}/datasets")
    assert response.status_code == 404


async def test_a_dataset_is_made_and_found_again(app: FastAPI) -> None:
    editor, url = await editor_of(app)
    body = {"name": " Edge cases ", "kind": "adversarial", "description": "Odd ones"}
    made = await editor.post(url, json=body)
    assert made.status_code == 201
    found = (await editor.get(f"{url}/{made.json()['id']}")).json()
    assert found == made.json()
    assert (found["name"], found["kind"], found["description"]) == (
        "Edge cases",
        "adversarial",
        "Odd ones",
    )
    assert (found["case_count"], found["last_change"], found["archived_at"]) == (0, None, None)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": "  "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "a", "kind": "best"}, "kind"),
        ({"name": "a", "holdout_percent": 101}, "holdout_percent"),
        ({"name": "a", "extra": 1}, "extra"),
    ],
)
async def test_a_wrong_field_is_named_and_nothing_is_made(
    app: FastAPI, body: dict[str, object], field: str
) -> None:
    editor, url = await editor_of(app)
    assert fields_of(await editor.post(url, json=body)) == {field}
    assert (await editor.get(url)).json()["total"] == 1


async def test_two_datasets_cannot_have_one_name(app: FastAPI) -> None:
    editor, url = await editor_of(app)
    refused = await editor.post(url, json={"name": "Golden"})
    assert (refused.status_code, error_of(refused)["code"]) == (409, "DUPLICATE_NAME")
    made = (await editor.post(url, json={"name": "Silver"})).json()
    renamed = await editor.patch(f"{url}/{made['id']}", json={"name": "Golden"})
    assert (renamed.status_code, error_of(renamed)["path"]) == (409, "name")


async def test_a_rename_leaves_other_fields_unchanged(app: FastAPI) -> None:
    editor, url = await editor_of(app)
    made = (await editor.post(url, json={"name": "Silver", "description": "Shiny"})).json()
    changed = await editor.patch(f"{url}/{made['id']}", json={"name": "Bronze"})
    assert (changed.json()["name"], changed.json()["description"]) == ("Bronze", "Shiny")
    emptied = await editor.patch(f"{url}/{made['id']}", json={"description": None, "name": None})
    assert (emptied.json()["name"], emptied.json()["description"]) == ("Bronze", None)


async def test_an_archived_dataset_keeps_its_cases_and_takes_no_changes(app: FastAPI) -> None:
    made = await make_dataset(app, [{"q": "x"}])
    archived = await made.editor.patch(made.url, json={"is_archived": True})
    assert archived.json()["archived_at"] is not None
    (case,) = await made.cases()
    refused = await made.editor.post(f"{made.url}/cases", json={"inputs": {"q": "y"}})
    assert (refused.status_code, error_of(refused)["code"]) == (409, "ARCHIVED")
    changed = await made.editor.patch(
        f"{made.url}/cases/{case['id']}", json={"version": 1, "expected": "z"}
    )
    assert changed.status_code == 409
    await made.editor.patch(made.url, json={"is_archived": False})
    assert (await made.editor.delete(f"{made.url}/cases/{case['id']}")).status_code == 204


async def test_archived_datasets_can_be_listed_apart(app: FastAPI) -> None:
    made = await make_dataset(app)
    await made.editor.patch(made.url, json={"is_archived": True})
    url = made.url.rpartition("/")[0]
    for is_archived, names in (("true", ["Set of 0"]), ("false", ["Golden"])):
        page = (await made.editor.get(url, params={"is_archived": is_archived})).json()
        assert [item["name"] for item in page["items"]] == names


async def test_a_deleted_dataset_is_gone_with_its_cases(app: FastAPI) -> None:
    made = await make_dataset(app, [{"q": "x"}, {"q": "y"}])
    (case, _) = await made.cases()
    await made.editor.patch(f"{made.url}/cases/{case['id']}", json={"version": 1, "notes": "n"})
    assert (await made.editor.delete(made.url)).status_code == 204
    assert (await made.editor.get(made.url)).status_code == 404
    assert await made.count() == 0


async def test_a_dataset_in_use_cannot_be_deleted(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def used_by_a_run(_session: AsyncSession, _dataset_id: object) -> str | None:
        return "The run of Monday uses this dataset."

    monkeypatch.setattr(service.find_use, "listeners", (used_by_a_run,))
    made = await make_dataset(app)
    refused = await made.editor.delete(made.url)
    assert (refused.status_code, error_of(refused)["code"]) == (409, "IN_USE")
    assert error_of(refused)["message"] == "The run of Monday uses this dataset."
    assert (await made.editor.get(made.url)).status_code == 200


async def test_variables_come_with_the_number_of_their_cases(app: FastAPI) -> None:
    made = await make_dataset(app, [{"q": "x", "context": 1}, {"q": "y"}, {"lang": None, "q": 2}])
    page = (await made.editor.get(f"{made.url}/variables")).json()
    assert page["items"] == [
        {"name": "q", "cases": 3},
        {"name": "context", "cases": 1},
        {"name": "lang", "cases": 1},
    ]


async def test_facets_count_the_filter_values(app: FastAPI) -> None:
    made = await make_dataset(app)
    for body in (
        {"tags": ["a", "b"], "difficulty": 2, "split": "train", "expected": "yes"},
        {"tags": ["b"], "split": "holdout", "origin": "golden"},
        {"tags": ["b", "a"], "difficulty": 2, "split": "train", "expected": ""},
    ):
        await made.editor.post(f"{made.url}/cases", json={"inputs": {"q": "x"}, **body})
    facets = (await made.editor.get(f"{made.url}/facets")).json()
    assert (facets["total"], facets["with_expected"]) == (3, 2)
    counts = {
        name: {each["value"]: each["cases"] for each in facets[name]}
        for name in facets
        if name not in ("total", "with_expected")
    }
    assert counts == {
        "tags": {"a": 2, "b": 3},
        "splits": {"holdout": 1, "train": 2},
        "origins": {"golden": 1, "manual": 2},
        "difficulties": {"2": 2},
    }
