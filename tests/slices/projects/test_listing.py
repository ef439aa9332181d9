"""Listing projects: order, pages, search and filters."""

import base64
from uuid import UUID

import orjson
import pytest
from fastapi import FastAPI

from edison.workspace.accounts.models import User
from edison.workspace.projects.models import ProjectMember, Role
from tests.conftest import TurnableClock
from tests.factories.projects import make_project
from tests.slices.projects.test_projects import PROJECTS, create, names_of
from tests.support.browser import Browser, fields_of


async def test_only_projects_of_the_user_are_listed(ada: Browser, app: FastAPI) -> None:
    await make_project(app, name="Of another team")
    await create(ada, "Mine")
    assert await names_of(ada) == ["Mine"]


async def test_the_last_changed_project_comes_first(
    ada: Browser, turnable_clock: TurnableClock
) -> None:
    for name in ("One", "Two", "Three"):
        turnable_clock.advance(minutes=1)
        await create(ada, name)
    turnable_clock.advance(minutes=1)
    await ada.patch(f"{PROJECTS}/one", json={"description": "Fresh"})
    assert await names_of(ada) == ["One", "Three", "Two"]
    assert await names_of(ada, sort="name") == ["One", "Three", "Two"]
    assert await names_of(ada, sort="created_at") == ["One", "Two", "Three"]


async def test_changed_settings_bring_a_project_to_the_front(
    ada: Browser, turnable_clock: TurnableClock
) -> None:
    for name in ("One", "Two"):
        await create(ada, name)
        turnable_clock.advance(minutes=1)
    settings = (await ada.get(f"{PROJECTS}/one/settings")).json()
    settings.pop("updated_at")
    assert (await ada.put(f"{PROJECTS}/one/settings", json=settings)).status_code == 200
    assert await names_of(ada) == ["One", "Two"]


async def test_work_in_a_project_is_its_last_change(
    ada: Browser, turnable_clock: TurnableClock
) -> None:
    for name in ("One", "Two"):
        await create(ada, name)
        turnable_clock.advance(minutes=1)
    added = await ada.post(f"{PROJECTS}/one/datasets", json={"name": "Cases"})
    assert added.status_code == 201
    listed = (await ada.get(PROJECTS)).json()["items"]
    assert [(each["name"], each["experiment_count"]) for each in listed] == [("One", 0), ("Two", 0)]
    assert listed[0]["changed_at"] > listed[1]["changed_at"] > listed[0]["updated_at"]


@pytest.mark.parametrize("sort", ["-changed_at", "changed_at", "-updated_at", "name", "-name"])
async def test_pages_follow_each_other_in_every_order(ada: Browser, sort: str) -> None:
    for number in range(5):
        await create(ada, f"{'𠮷' * 99}{number}")
    seen, cursor = [], None
    while True:
        query = {"limit": "2", "sort": sort, **({"cursor": cursor} if cursor else {})}
        response = await ada.get(PROJECTS, params=query)
        page = response.json()
        assert page["total"] == 5, response.text
        seen += [item["id"] for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 5


async def test_names_sort_without_regard_to_case(ada: Browser) -> None:
    for name in ("beta", "Alpha", "Gamma", "delta"):
        await create(ada, name)
    assert await names_of(ada, sort="name") == ["Alpha", "beta", "delta", "Gamma"]


@pytest.mark.parametrize(
    "cursor",
    [
        ["name", "v", 7, str(UUID(int=7))],
        ["name", "v", "nul\x00", str(UUID(int=7))],
        ["name", "t", "2026-01-01T00:00:00Z", str(UUID(int=7))],
        ["name", "v", "a", "no id"],
        ["-name", "v", "a", str(UUID(int=7))],
        {"name": 1},
        7,
    ],
)
async def test_an_invalid_cursor_is_refused(ada: Browser, cursor: object) -> None:
    made_up = base64.urlsafe_b64encode(orjson.dumps(cursor)).decode()
    response = await ada.get(PROJECTS, params={"sort": "name", "cursor": made_up})
    assert fields_of(response) == {"cursor"}


async def test_a_search_for_no_text_at_all_is_refused(ada: Browser) -> None:
    assert fields_of(await ada.get(PROJECTS, params={"q": "a\x00"})) == {"q"}


async def test_search_finds_part_of_a_name_in_any_case(ada: Browser) -> None:
    for name in ("Support replies", "Sales", "50_50 split"):
        await create(ada, name)
    assert await names_of(ada, q="REPL") == ["Support replies"]
    assert await names_of(ada, q="s") == ["50_50 split", "Sales", "Support replies"]
    assert await names_of(ada, q="0_5") == ["50_50 split"]
    assert await names_of(ada, q="%") == []


async def test_the_role_filter_lists_projects_with_that_role(
    ada: Browser, person: tuple[User, Browser], app: FastAPI
) -> None:
    await create(ada, "Owned")
    shared = await make_project(app, name="Shared")
    async with app.state.database.write() as session:
        session.add(
            ProjectMember(
                project_id=shared.id,
                user_id=person[0].id,
                role=Role.REVIEWER,
                joined_at=shared.created_at,
            )
        )
    assert await names_of(ada, role="REVIEWER") == ["Shared"]
    assert await names_of(ada, role="OWNER") == ["Owned"]
    assert await names_of(ada, role="ADMIN") == []
    assert fields_of(await ada.get(PROJECTS, params={"role": "KING"})) == {"role"}
