"""Reading and exporting a project's audit log."""

import csv
import io
from datetime import timedelta
from typing import Any

import orjson
import pytest
from fastapi import FastAPI

from edison.api.record_files import ROWS_AT_ONCE
from edison.kit import clock, ids
from edison.workspace.accounts.models import User
from edison.workspace.audit.models import AuditEntry
from edison.workspace.projects.models import Project, Role
from tests.factories.projects import make_member, make_project
from tests.support.browser import Browser, fields_of


@pytest.fixture
async def project(app: FastAPI, person: tuple[User, Browser]) -> Project:
    return await make_project(app, person[0])


@pytest.fixture
def url(project: Project) -> str:
    return f"/api/v1/projects/{project.slug}/audit"


async def add_entries(app: FastAPI, project: Project, *entries: dict[str, Any]) -> None:
    """Entries of an hour ago, a second apart."""
    started = clock.now() - timedelta(hours=1)
    async with app.state.database.write() as session:
        session.add_all(
            AuditEntry(
                **{
                    "id": ids.new_id(),
                    "at": started + timedelta(seconds=number),
                    "project_id": project.id,
                    "action": "thing.changed",
                    "entity_type": "thing",
                    "outcome": "allowed",
                    **entry,
                }
            )
            for number, entry in enumerate(entries)
        )


async def ids_found(ada: Browser, url: str, **query: str) -> list[str]:
    response = await ada.get(url, params=query)
    assert response.status_code == 200, response.text
    return [item["entity_id"] for item in response.json()["items"]]


async def test_entries_are_listed_latest_first(ada: Browser, project: Project, url: str) -> None:
    await ada.patch(f"/api/v1/projects/{project.slug}", json={"description": "New"})
    page = (await ada.get(url)).json()
    entry = page["items"][0]
    assert (entry["action"], entry["actor"]) == ("project.changed", "ada@example.org")
    assert (entry["before"], entry["after"]) == ({"description": None}, {"description": "New"})
    assert entry["address"] == "127.0.0.1"
    assert entry["trace_id"]
    assert page["total"] == len(page["items"]) == 3


async def test_every_filter_narrows_the_list(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    await add_entries(
        app,
        project,
        {"entity_id": "1", "actor": "bob@example.org"},
        {"entity_id": "2", "action": "other.done", "outcome": "denied"},
        {"entity_id": "3", "entity_type": "gadget"},
    )
    assert await ids_found(ada, url, actor="Bob@example.org") == ["1"]
    assert await ids_found(ada, url, action="other.done") == ["2"]
    assert await ids_found(ada, url, outcome="denied") == ["2"]
    assert await ids_found(ada, url, entity_type="gadget") == ["3"]
    assert await ids_found(ada, url, q="BOB") == ["1"]
    assert await ids_found(ada, url, q="gadg") == ["3"]
    assert await ids_found(ada, url, q="other", outcome="allowed") == []
    assert await ids_found(ada, url, q="%") == []


async def test_since_includes_and_until_excludes(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    moments = [clock.now().replace(microsecond=0) - timedelta(days=day) for day in (3, 2, 1)]
    await add_entries(
        app, project, *({"entity_id": str(n), "at": at} for n, at in enumerate(moments))
    )
    since, until = moments[1].isoformat(), moments[2].isoformat()
    assert await ids_found(ada, url, since=since, until=until) == ["1"]
    assert await ids_found(ada, url, until=moments[0].strftime("%Y-%m-%dT%H:%M:%S")) == []
    assert await ids_found(ada, url, until=moments[1].strftime("%Y-%m-%dT%H:%M:%S")) == ["0"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("since", "yesterday"), ("outcome", "maybe"), ("q", "x" * 201), ("action", "a\x00")],
)
async def test_a_wrong_filter_is_named(ada: Browser, url: str, field: str, value: str) -> None:
    assert fields_of(await ada.get(url, params={field: value})) == {field}


async def test_pages_neither_skip_nor_repeat_entries_of_one_moment(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    moment = clock.now()
    await add_entries(
        app, project, *({"at": moment, "entity_id": str(number)} for number in range(25))
    )
    seen, cursor = [], None
    while True:
        query = {"entity_type": "thing", "limit": "10", **({"cursor": cursor} if cursor else {})}
        page = (await ada.get(url, params=query)).json()
        seen += [item["entity_id"] for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert sorted(seen, key=int) == [str(number) for number in range(25)]


async def test_other_projects_entries_are_not_shown(
    ada: Browser, app: FastAPI, person: tuple[User, Browser], url: str
) -> None:
    other = await make_project(app, person[0], name="Other")
    await add_entries(app, other, {"entity_id": "foreign"})
    assert "foreign" not in await ids_found(ada, url)
    assert "foreign" not in (await ada.get(f"{url}/export")).text


async def test_the_log_is_for_admins(app: FastAPI, project: Project, url: str) -> None:
    editor = await make_member(app, project, Role.EDITOR)
    for path in (url, f"{url}/export"):
        assert (await editor.browser.get(path)).status_code == 403


async def test_the_csv_export_is_a_file_with_every_entry(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    await add_entries(app, project, {"entity_id": "1", "after": {"name": 'Say "hi",\nthere'}})
    response = await ada.get(f"{url}/export", params={"format": "csv"})
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    name = f"engine-audit-{clock.now():%Y-%m-%d}.csv"
    assert f'attachment; filename="{name}";' in response.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(response.text)))
    listed = (await ada.get(url)).json()["items"]
    assert [row["id"] for row in rows] == [item["id"] for item in listed]
    found = next(row for row in rows if row["entity_id"] == "1")
    assert orjson.loads(found["after"]) == {"name": 'Say "hi",\nthere'}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
async def test_no_cell_of_the_csv_is_a_formula(
    ada: Browser, app: FastAPI, project: Project, url: str, start: str
) -> None:
    await add_entries(app, project, {"actor": f"{start}cmd|calc", "entity_id": f"{start}1"})
    response = await ada.get(f"{url}/export", params={"entity_type": "thing"})
    (row,) = csv.DictReader(io.StringIO(response.text, newline=""))
    assert (row["actor"], row["entity_id"]) == (f"'{start}cmd|calc", f"'{start}1")
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row.values())


async def test_the_jsonl_export_equals_the_list(ada: Browser, url: str) -> None:
    response = await ada.get(f"{url}/export", params={"format": "jsonl"})
    assert response.headers["Content-Type"] == "application/x-ndjson"
    lines = [orjson.loads(line) for line in response.content.splitlines()]
    assert lines == (await ada.get(url)).json()["items"]


async def test_filters_hold_for_the_export_too(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    await add_entries(app, project, {"entity_id": "1"}, {"entity_id": "2", "outcome": "denied"})
    query = {"format": "jsonl", "outcome": "denied"}
    lines = (await ada.get(f"{url}/export", params=query)).content.splitlines()
    assert [orjson.loads(line)["entity_id"] for line in lines] == ["2"]
    assert fields_of(await ada.get(f"{url}/export", params={"format": "pdf"})) == {"format"}


async def test_a_long_log_is_exported_whole_and_in_order(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    count = 2 * ROWS_AT_ONCE
    await add_entries(app, project, *({"entity_id": str(number)} for number in range(count)))
    query = {"format": "jsonl", "entity_type": "thing"}
    lines = (await ada.get(f"{url}/export", params=query)).content.splitlines()
    exported = [int(orjson.loads(line)["entity_id"]) for line in lines]
    assert exported == list(reversed(range(count)))


async def test_an_export_is_itself_in_the_log(ada: Browser, url: str) -> None:
    await ada.get(f"{url}/export", params={"format": "csv", "q": "member"})
    entry = (await ada.get(url)).json()["items"][0]
    assert entry["action"] == "audit.exported"
    assert entry["after"] == {"format": "csv", "q": "member"}
