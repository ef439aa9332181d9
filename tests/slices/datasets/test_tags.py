"""Tags of datasets and cases over all datasets of a project."""

from typing import Any

from fastapi import FastAPI

from edison.workspace.projects.models import Role
from tests.factories.datasets import MadeDataset, make_dataset
from tests.factories.projects import make_member
from tests.support.browser import fields_of


async def _add_cases(made: MadeDataset, url: str, *tags: list[str]) -> None:
    for number, each in enumerate(tags):
        body = {"inputs": {"q": f"text {number}"}, "tags": each}
        assert (await made.editor.post(f"{url}/cases", json=body)).status_code == 201


class _Desk:
    """A project with two datasets: `a` in both, `b` and `old` in one."""

    def __init__(self, made: MadeDataset, other_id: str) -> None:
        self.made = made
        self.project_url = made.url.rpartition("/datasets/")[0]
        self.other_url = f"{self.project_url}/datasets/{other_id}"

    async def read(self) -> dict[str, tuple[int, list[tuple[str, int]]]]:
        found = (await self.made.editor.get(f"{self.project_url}/case-tags")).json()
        return {
            tag["name"]: (
                tag["cases"],
                [(each["name"], each["cases"]) for each in tag["datasets"]],
            )
            for tag in found["items"]
        }

    async def change(self, **wanted: Any) -> Any:
        return await self.made.editor.post(f"{self.project_url}/case-tags/change", json=wanted)

    async def tags(self, url: str) -> list[list[str]]:
        found = (await self.made.editor.get(f"{url}/cases")).json()["items"]
        return [case["tags"] for case in found]


async def _desk(app: FastAPI) -> _Desk:
    made = await make_dataset(app)
    url = made.url.rpartition("/")[0]
    other = (await made.editor.post(url, json={"name": "Second"})).json()
    desk = _Desk(made, other["id"])
    await _add_cases(made, made.url, ["a"], ["a", "b"], [])
    await _add_cases(made, desk.other_url, ["a", "old"])
    return desk


async def test_tags_are_counted_over_all_datasets_that_are_not_archived(app: FastAPI) -> None:
    desk = await _desk(app)
    assert await desk.read() == {
        "a": (3, [("Second", 1), ("Set of 0", 2)]),
        "b": (1, [("Set of 0", 1)]),
        "old": (1, [("Second", 1)]),
    }
    await desk.made.editor.patch(desk.other_url, json={"is_archived": True})
    assert await desk.read() == {"a": (2, [("Set of 0", 2)]), "b": (1, [("Set of 0", 1)])}


async def test_a_tag_is_renamed_merged_and_removed_in_every_dataset(app: FastAPI) -> None:
    desk = await _desk(app)
    renamed = await desk.change(tags=["a"], replace_by="alpha")
    assert renamed.json() == {"cases": 3, "datasets": 2}
    assert await desk.tags(desk.made.url) == [["alpha"], ["b", "alpha"], []]
    assert await desk.tags(desk.other_url) == [["old", "alpha"]]

    merged = await desk.change(tags=["old", "b"], replace_by="alpha")
    assert merged.json() == {"cases": 2, "datasets": 2}
    assert await desk.read() == {"alpha": (3, [("Second", 1), ("Set of 0", 2)])}

    change = (await desk.made.editor.get(desk.other_url)).json()["last_change"]
    assert (change["action"], change["count"]) == ("replace_tags", 1)
    undone = {"change_id": change["change_id"]}
    await desk.made.editor.post(f"{desk.other_url}/undo", json=undone)
    assert await desk.tags(desk.other_url) == [["old", "alpha"]]

    removed = await desk.change(tags=["alpha"])
    assert removed.json() == {"cases": 3, "datasets": 2}
    assert await desk.read() == {"old": (1, [("Second", 1)])}


async def test_a_wrong_tag_is_named_and_changes_nothing(app: FastAPI) -> None:
    desk = await _desk(app)
    before = await desk.read()
    for wanted, field in (
        ({"tags": ["nowhere"]}, "tags"),
        ({"tags": []}, "tags"),
        ({"tags": ["a"], "replace_by": "x,y"}, "replace_by"),
        ({"tags": ["a"], "replace_by": "a"}, "replace_by"),
    ):
        refused = await desk.change(**wanted)
        assert fields_of(refused) == {field}
    assert await desk.read() == before


async def test_viewers_see_tags_and_change_none(app: FastAPI) -> None:
    desk = await _desk(app)
    viewer = await make_member(app, desk.made.project, Role.VIEWER)
    url = f"{desk.project_url}/case-tags"
    assert (await viewer.browser.get(url)).json()["total"] == 3
    assert (await viewer.browser.post(f"{url}/change", json={"tags": ["a"]})).status_code == 403


async def test_a_dataset_has_tags_and_is_found_by_them(app: FastAPI) -> None:
    made = await make_dataset(app)
    url = made.url.rpartition("/")[0]
    body = {"name": "Support", "tags": ["support", " mail ", "support"]}
    created = (await made.editor.post(url, json=body)).json()
    assert created["tags"] == ["support", "mail"]
    found = (await made.editor.get(url, params={"tag": "mail"})).json()["items"]
    assert [each["name"] for each in found] == ["Support"]
    assert (await made.editor.get(url, params={"tag": "Mail"})).json()["items"] == []
    changed = await made.editor.patch(f"{url}/{created['id']}", json={"tags": ["mail"]})
    assert changed.json()["tags"] == ["mail"]
    kept = await made.editor.patch(f"{url}/{created['id']}", json={"name": "Mails"})
    assert kept.json()["tags"] == ["mail"]
    for wrong in (["a,b"], ["x" * 101], [f"t{number}" for number in range(21)], [""]):
        refused = await made.editor.patch(f"{url}/{created['id']}", json={"tags": wrong})
        assert {field.partition(".")[0] for field in fields_of(refused)} == {"tags"}
    assert (await made.editor.get(f"{url}/{created['id']}")).json()["tags"] == ["mail"]


async def test_tags_of_datasets_are_managed_with_those_of_cases(app: FastAPI) -> None:
    desk = await _desk(app)
    await desk.made.editor.patch(desk.other_url, json={"tags": ["a", "top"]})
    found = (await desk.made.editor.get(f"{desk.project_url}/case-tags")).json()["items"]
    assert [(each["name"], [one["is_tagged"] for one in each["datasets"]]) for each in found] == [
        ("a", [True, False]),
        ("top", [True]),
        ("b", [False]),
        ("old", [False]),
    ]
    assert (await desk.change(tags=["top"], replace_by="b")).json() == {"cases": 0, "datasets": 1}
    assert (await desk.change(tags=["a"], replace_by="b")).json() == {"cases": 3, "datasets": 2}
    assert (await desk.made.editor.get(desk.other_url)).json()["tags"] == ["b"]
    assert (await desk.change(tags=["b"])).json() == {"cases": 3, "datasets": 2}
    assert (await desk.made.editor.get(desk.other_url)).json()["tags"] == []
