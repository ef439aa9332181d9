"""Single cases: validation, search, and versions."""

import asyncio
from itertools import product
from typing import Any

import pytest
from fastapi import FastAPI

from edison.library.datasets import cases
from edison.workspace.events import service as events
from edison.workspace.projects.models import Role
from tests.factories.datasets import MadeDataset, make_dataset
from tests.factories.projects import make_member
from tests.support.browser import error_of, fields_of


async def create(made: MadeDataset, **body: Any) -> dict[str, Any]:
    response = await made.editor.post(f"{made.url}/cases", json={"inputs": {"q": "x"}, **body})
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


async def test_a_case_stores_all_given_fields(app: FastAPI) -> None:
    made = await make_dataset(app)
    body = {
        "inputs": {"z": "last\nline", "a": [1, 2.5, None, {"k": True}], "größe": ""},
        "expected": "",
        "tags": ["billing", "Billing", "two words"],
        "difficulty": 5,
        "split": "holdout",
        "origin": "adversarial",
        "notes": " kept ",
    }
    created = await create(made, **body)
    (found,) = await made.cases()
    assert found == created
    assert {name: found[name] for name in body} == body
    assert list(found["inputs"]) == ["z", "a", "größe"]
    assert (found["version"], found["position"]) == (1, 1)
    assert (await made.editor.get(made.url)).json()["case_count"] == 1


async def test_a_case_without_details_gets_a_split_and_its_datasets_origin(app: FastAPI) -> None:
    made = await make_dataset(app)
    created = await create(made)
    assert created["split"] in ("train", "holdout")
    assert (created["origin"], created["tags"], created["expected"]) == ("manual", [], None)


async def test_equal_inputs_get_the_same_split(app: FastAPI) -> None:
    made = await make_dataset(app)
    splits = {
        (await create(made, inputs={"q": text}))["split"] for text in ("A b", "a  B", "\uff41 b")
    }
    assert len(splits) == 1


async def test_a_fifth_is_held_out_unless_configured_otherwise(app: FastAPI) -> None:
    made = await make_dataset(app, [{"q": str(number)} for number in range(500)])
    page = await made.editor.get(f"{made.url}/cases", params={"split": "holdout"})
    assert 70 <= page.json()["total"] <= 130
    await made.editor.patch(made.url, json={"holdout_percent": 100})
    assert (await create(made))["split"] == "holdout"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"inputs": {}}, "inputs"),
        ({"inputs": {"not a name": 1}}, "inputs"),
        ({"inputs": {f"v{number}": 1 for number in range(101)}}, "inputs"),
        ({"inputs": {"q": "a\x00b"}}, "inputs.q"),
        ({"inputs": {"q": 2**64}}, "inputs.q"),
        ({"inputs": {"q": "x"}, "expected": "\x07"}, "expected"),
        ({"inputs": {"q": "x"}, "notes": "x" * 10_001}, "notes"),
        ({"inputs": {"q": "x"}, "tags": ["a,b"]}, "tags"),
        ({"inputs": {"q": "x"}, "tags": [str(number) for number in range(21)]}, "tags"),
        ({"inputs": {"q": "x"}, "difficulty": 6}, "difficulty"),
        ({"inputs": {"q": "x"}, "split": "test"}, "split"),
        ({"inputs": [1]}, "inputs"),
        ({}, "inputs"),
    ],
)
async def test_an_invalid_field_is_named_and_nothing_is_stored(
    app: FastAPI, body: dict[str, Any], field: str
) -> None:
    made = await make_dataset(app)
    assert fields_of(await made.editor.post(f"{made.url}/cases", json=body)) == {field}
    assert await made.count() == 0


async def test_values_nested_too_deep_are_refused(app: FastAPI) -> None:
    made = await make_dataset(app)
    deep: Any = 1
    for _ in range(21):
        deep = [deep]
    assert fields_of(await made.editor.post(f"{made.url}/cases", json={"inputs": {"q": deep}})) == {
        "inputs.q"
    }


async def test_lone_surrogates_are_refused(app: FastAPI) -> None:
    made = await make_dataset(app)
    refused = await made.editor.post(
        f"{made.url}/cases",
        content=b'{"inputs": {"q": {"deep": ["a\\ud800b"]}}}',
        headers={"Content-Type": "application/json"},
    )
    assert fields_of(refused) == {"inputs.q"}


async def test_names_of_python_attributes_are_variables_like_any_other(app: FastAPI) -> None:
    made = await make_dataset(app)
    inputs = {"__class__": "x", "metadata": 1, "items": [2], "self": None}
    assert (await create(made, inputs=inputs))["inputs"] == inputs


async def test_a_full_dataset_takes_no_more(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "MOST_CASES", 1)
    made = await make_dataset(app, [{"q": "x"}])
    refused = await made.editor.post(f"{made.url}/cases", json={"inputs": {"q": "y"}})
    assert (refused.status_code, error_of(refused)["code"]) == (409, "DATASET_FULL")


async def test_cases_are_filtered_by_each_property(app: FastAPI) -> None:
    made = await make_dataset(app)
    first = await create(made, tags=["a"], difficulty=1, split="train", expected="yes")
    second = await create(made, tags=["A", "ab"], split="holdout", origin="synthetic")

    async def found(**query: Any) -> list[str]:
        return [case["id"] for case in await made.cases(**query)]

    assert await found(tag="a") == [first["id"]]
    assert await found(tag="A") == [second["id"]]
    assert await found(tag="b") == []
    assert await found(split="holdout") == [second["id"]]
    assert await found(difficulty=1) == [first["id"]]
    assert await found(origin="manual") == [first["id"]]
    assert await found(has_expected=False) == [second["id"]]
    assert await found(has_expected=True, split="holdout") == []


@pytest.mark.parametrize(
    ("q", "is_found"),
    [
        ("WHERE IS", True),
        ("straße", True),
        ("STRASSE", True),
        ("my  order", True),
        ("the answer", True),
        ("a remark", True),
        ("42.5", True),
        ("100%", True),
        ("100_", False),
        ("question", False),
        ("nowhere", False),
    ],
)
async def test_a_search_looks_at_values_answers_and_notes(
    app: FastAPI, q: str, is_found: bool
) -> None:
    made = await make_dataset(app)
    await create(
        made,
        inputs={"question": "Where is my\norder to Hauptstraße? 100%", "n": [42.5]},
        expected="The answer",
        notes="A remark",
    )
    assert bool(await made.cases(q=q)) is is_found


async def test_cases_are_sorted_and_paged(app: FastAPI) -> None:
    made = await make_dataset(app)
    for difficulty in (3, None, 1, 5, 3):
        await create(made, difficulty=difficulty)
    page = await made.cases(sort="-difficulty")
    assert [case["difficulty"] for case in page] == [5, 3, 3, 1, None]
    positions: list[int] = []
    cursor = None
    for _ in range(3):
        query = {"limit": 2, "sort": "difficulty"} | ({"cursor": cursor} if cursor else {})
        response = (await made.editor.get(f"{made.url}/cases", params=query)).json()
        positions += [case["position"] for case in response["items"]]
        cursor = response["next"]
    assert (positions, cursor) == ([2, 3, 1, 5, 4], None)


async def test_every_page_has_the_total_and_continues_the_previous_one(
    app: FastAPI,
) -> None:
    made = await make_dataset(app)
    for number in range(7):
        even = {"tags": ["even"], "split": "train"} if number % 2 == 0 else {"difficulty": 2}
        await create(made, inputs={"q": f"Case {number}"}, **even)
    filters = [{}, {"tag": "even"}, {"q": "case"}, {"has_expected": "false", "split": "train"}]
    for sort, query in product(["position", "-position", "difficulty", "-difficulty"], filters):
        whole = await made.cases(sort=sort, **query)
        totals: list[int] = []
        seen: list[Any] = []
        cursor: dict[str, str] | None = {}
        while cursor is not None:
            asked = {"limit": "3", "sort": sort, **query, **cursor}
            page = (await made.editor.get(f"{made.url}/cases", params=asked)).json()
            totals.append(page["total"])
            seen += page["items"]
            cursor = None if page["next"] is None else {"cursor": page["next"]}
        assert seen == whole
        assert set(totals) == {len(whole)}


async def test_a_page_of_deleted_cases_is_empty_and_has_the_total(
    app: FastAPI,
) -> None:
    made = await make_dataset(app, [{"q": f"case {number}"} for number in range(3)])
    asked = {"limit": 2, "q": "case"}
    first = (await made.editor.get(f"{made.url}/cases", params=asked)).json()
    last = (await made.cases())[-1]
    await made.editor.delete(f"{made.url}/cases/{last['id']}")
    asked["cursor"] = first["next"]
    page = (await made.editor.get(f"{made.url}/cases", params=asked)).json()
    assert page == {"items": [], "next": None, "total": 2}


async def test_a_change_makes_a_version_and_keeps_the_old_one(app: FastAPI) -> None:
    made = await make_dataset(app)
    created = await create(made, expected="old", tags=["a"], difficulty=2)
    url = f"{made.url}/cases/{created['id']}"
    changed = await made.editor.patch(
        url, json={"version": 1, "inputs": {"q": "new"}, "tags": ["b", "b"], "difficulty": None}
    )
    assert changed.status_code == 200, changed.text
    case = changed.json()
    assert (case["version"], case["inputs"], case["tags"]) == (2, {"q": "new"}, ["b"])
    assert (case["difficulty"], case["expected"]) == (None, "old")
    assert case["split"] == created["split"]
    page = (await made.editor.get(f"{url}/versions")).json()
    (version,) = page["items"]
    assert (version["version"], version["inputs"], version["tags"]) == (1, {"q": "x"}, ["a"])
    assert (version["difficulty"], page["total"]) == (2, 1)
    assert version["author"].endswith("@example.org")
    assert await made.cases(q="new") == [case]


async def test_versions_are_paged_the_latest_first(app: FastAPI) -> None:
    made = await make_dataset(app)
    created = await create(made)
    url = f"{made.url}/cases/{created['id']}"
    for version in range(1, 5):
        await made.editor.patch(url, json={"version": version, "expected": str(version)})
    first = (await made.editor.get(f"{url}/versions", params={"limit": 3})).json()
    rest = await made.editor.get(f"{url}/versions", params={"limit": 3, "cursor": first["next"]})
    versions = [each["version"] for each in first["items"] + rest.json()["items"]]
    assert versions == [4, 3, 2, 1]


async def test_a_stale_edit_is_refused_with_the_current_case(app: FastAPI) -> None:
    made = await make_dataset(app)
    created = await create(made)
    url = f"{made.url}/cases/{created['id']}"
    await made.editor.patch(url, json={"version": 1, "expected": "first"})
    refused = await made.editor.patch(url, json={"version": 1, "expected": "second"})
    assert (refused.status_code, error_of(refused)["code"]) == (409, "STALE")
    current = error_of(refused)["details"]["current"]
    assert (current["expected"], current["version"]) == ("first", 2)
    (case,) = await made.cases()
    assert case == current


async def test_of_concurrent_edits_exactly_one_succeeds(app: FastAPI) -> None:
    made = await make_dataset(app)
    created = await create(made)
    url = f"{made.url}/cases/{created['id']}"
    editors = [(await make_member(app, made.project, Role.EDITOR)).browser for _ in range(6)]
    responses = await asyncio.gather(
        *(
            editor.patch(url, json={"version": 1, "expected": str(number)})
            for number, editor in enumerate(editors)
        )
    )
    assert sorted(response.status_code for response in responses) == [200] + [409] * 5
    winner = next(response.json() for response in responses if response.status_code == 200)
    assert await made.cases() == [winner]
    assert (await made.editor.get(f"{url}/versions")).json()["total"] == 1


async def test_a_wrong_change_is_refused_and_leaves_the_case_alone(app: FastAPI) -> None:
    made = await make_dataset(app)
    created = await create(made)
    url = f"{made.url}/cases/{created['id']}"
    assert fields_of(await made.editor.patch(url, json={"expected": "x"})) == {"version"}
    wrong = await made.editor.patch(url, json={"version": 1, "inputs": {"q": "\x00"}})
    assert fields_of(wrong) == {"inputs.q"}
    assert await made.cases() == [created]


async def test_concurrently_created_cases_get_distinct_positions(app: FastAPI) -> None:
    made = await make_dataset(app)
    await asyncio.gather(*(create(made, inputs={"q": number}) for number in range(8)))
    assert [case["position"] for case in await made.cases()] == list(range(1, 9))
    assert (await made.editor.get(made.url)).json()["case_count"] == 8


async def test_a_case_of_another_dataset_is_not_found(app: FastAPI) -> None:
    made = await make_dataset(app, [{"q": "x"}])
    other = await make_dataset(app, project=made.project)
    (case,) = await made.cases()
    url = f"{other.url}/cases/{case['id']}"
    assert (await made.editor.get(url)).status_code == 404
    assert (await made.editor.patch(url, json={"version": 1})).status_code == 404
    assert (await made.editor.delete(url)).status_code == 404
    assert await made.count() == 1


async def test_a_change_of_a_case_is_announced(app: FastAPI) -> None:
    made = await make_dataset(app)
    await create(made)
    async with app.state.database.read() as session:
        happened = await events.read_after(session, events.project_stream(made.project.id), 0)
    assert [(event.kind, event.data["entity_id"]) for event in happened][-1] == (
        "dataset.changed",
        str(made.id),
    )
