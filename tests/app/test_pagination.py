"""Cursor pagination: every row once, in order, for every page size."""

from uuid import UUID

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edison.workspace.projects import service as projects
from tests.factories.accounts import make_person
from tests.support.browser import Browser, fields_of

PROJECTS = "/api/v1/projects"


async def make_projects(app: FastAPI, owner_id: UUID, names: list[str]) -> None:
    async with app.state.database.write() as session:
        for name in names:
            await projects.create_project(session, owner_id=owner_id, name=name)


async def all_pages(browser: Browser, **query: object) -> list[str]:
    names: list[str] = []
    cursor = None
    while True:
        params = {key: str(value) for key, value in query.items()}
        response = await browser.get(
            PROJECTS, params=params | ({"cursor": cursor} if cursor else {})
        )
        page = response.json()
        names += [item["name"] for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            return names


@pytest.mark.parametrize("sort", ["name", "-name", "updated_at", "-updated_at"])
async def test_pages_contain_every_row_once_in_order(app: FastAPI, sort: str) -> None:
    user, browser = await make_person(app)
    names = ["Same"] * 4 + [f"Project {number:02d}" for number in range(9)]
    await make_projects(app, user.id, names)
    whole = await all_pages(browser, sort=sort, limit=100)
    assert sorted(whole) == sorted(names)
    for limit in (1, 2, 5):
        assert await all_pages(browser, sort=sort, limit=limit) == whole


@given(cursor=st.text(min_size=1, max_size=60))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.asyncio
async def test_an_invalid_cursor_is_refused(ada: Browser, cursor: str) -> None:
    response = await ada.get(PROJECTS, params={"cursor": cursor})
    assert response.status_code == 400, response.text


@pytest.mark.parametrize(
    ("query", "field"),
    [({"limit": 0}, "limit"), ({"limit": 101}, "limit"), ({"sort": "shoe"}, "sort")],
)
async def test_a_wrong_list_request_names_the_field(
    ada: Browser, query: dict[str, str], field: str
) -> None:
    assert fields_of(await ada.get(PROJECTS, params=query)) == {field}


async def test_a_cursor_of_another_order_is_refused(app: FastAPI) -> None:
    user, browser = await make_person(app)
    await make_projects(app, user.id, ["A", "B"])
    first = (await browser.get(PROJECTS, params={"limit": 1, "sort": "name"})).json()
    params = {"cursor": first["next"], "sort": "-name"}
    assert fields_of(await browser.get(PROJECTS, params=params)) == {"cursor"}
