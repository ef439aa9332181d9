"""What all resources share, tried with each of them: lists, names, archiving, deletion."""

from typing import Any

import pytest
from fastapi import FastAPI

from edison.api.pagination import PageRequest
from edison.kit.errors import Conflict, NotFound
from edison.workspace.projects.models import Project
from edison.workspace.resources import service as resources
from edison.workspace.resources.errors import Archived, DuplicateName, InUse
from edison.workspace.resources.models import LONGEST_NAME, Resource
from edison.workspace.resources.schemas import Status
from tests.factories.projects import make_project
from tests.slices.resources.conftest import Kind, count_events, list_actions


def names_of(rows: Any) -> list[str]:
    """Some lists show more than the row, which then comes first."""
    return [row.name if isinstance(row, Resource) else row[0].name for row in rows]


async def test_a_list_filters_by_status_and_text(
    app: FastAPI, project: Project, kind: Kind
) -> None:
    async with app.state.database.write() as session:
        rows = kind.rows(session)
        for name in ("Beta", "alpha", "Put aside"):
            row_id = await kind.add(session, project.id, name)
        await resources.set_archived(rows, await rows.get(project.id, row_id), is_archived=True)

        async def listed(status: Status, q: str | None = None) -> set[str]:
            page = PageRequest(limit=20, q=q)
            found = await rows.page(project.id, status=status, page=page)
            return set(names_of(found.items)) - {"Golden"}

        assert await listed("active") == {"Beta", "alpha"}
        assert await listed("archived") == {"Put aside"}
        assert await listed("all") == {"Beta", "alpha", "Put aside"}
        assert await listed("all", q="ALPH") == {"alpha"}


async def test_names_are_sorted_whatever_their_case(
    app: FastAPI, project: Project, kind: Kind
) -> None:
    async with app.state.database.write() as session:
        rows = kind.rows(session)
        for name in ("Thing C", "thing b", "Thing A"):
            await kind.add(session, project.id, name)
        found = await rows.page(
            project.id, status="all", page=PageRequest(limit=5, q="thing", sort="name")
        )
    assert names_of(found.items) == ["Thing A", "thing b", "Thing C"]


async def test_a_cursor_continues_a_list(app: FastAPI, project: Project, kind: Kind) -> None:
    async with app.state.database.write() as session:
        rows = kind.rows(session)
        for number in range(3):
            await kind.add(session, project.id, f"Thing {number}")
        first = await rows.page(
            project.id, status="all", page=PageRequest(limit=2, q="thing", sort="name")
        )
        rest = await rows.page(
            project.id,
            status="all",
            page=PageRequest(limit=2, q="thing", sort="name", cursor=first.next),
        )
    assert names_of([*first.items, *rest.items]) == ["Thing 0", "Thing 1", "Thing 2"]
    assert (first.total, rest.next) == (3, None)


async def test_a_resource_of_another_project_is_not_found(
    app: FastAPI, project: Project, kind: Kind, noun: str
) -> None:
    other = await make_project(app, name="Other")
    async with app.state.database.write() as session:
        row_id = await kind.add(session, project.id, "Mine")
        with pytest.raises(NotFound, match=f"There is no such {kind.word or noun}\\."):
            await kind.rows(session).get(other.id, row_id)


async def test_archiving_happens_once_and_ends_changes(
    app: FastAPI, project: Project, kind: Kind, noun: str
) -> None:
    async with app.state.database.write() as session:
        rows = kind.rows(session)
        row_id = await kind.add(session, project.id, "Mine")
        row = await resources.lock_active(rows, project.id, row_id)
        with pytest.raises(Conflict, match=f"This {kind.word or noun} is not archived\\."):
            await resources.set_archived(rows, row, is_archived=False)
        archived = await resources.set_archived(rows, row, is_archived=True)
        assert archived.archived_at is not None
        with pytest.raises(Conflict, match=f"This {kind.word or noun} is already archived\\."):
            await resources.set_archived(rows, row, is_archived=True)
        with pytest.raises(Archived, match=f"This {kind.word or noun} is archived\\."):
            await resources.lock_active(rows, project.id, row_id)
        await resources.set_archived(rows, row, is_archived=False)
        await resources.lock_active(rows, project.id, row_id)
    assert list(await list_actions(app, row_id))[-2:] == [f"{noun}.archived", f"{noun}.unarchived"]


async def test_a_taken_name_changes_nothing(
    app: FastAPI, project: Project, kind: Kind, noun: str
) -> None:
    async with app.state.database.write() as session:
        rows = kind.rows(session)
        await kind.add(session, project.id, "Taken")
        row = await rows.get(project.id, await kind.add(session, project.id, "Mine"))
        with pytest.raises(
            DuplicateName, match=f"Another {kind.word or noun} of this project"
        ) as refused:
            await resources.change_fields(rows, row, {"name": "Taken"})
        assert (refused.value.code, refused.value.path) == ("DUPLICATE_NAME", "name")
        assert row.name == "Mine"


async def test_only_what_differs_is_changed(app: FastAPI, project: Project, kind: Kind) -> None:
    async with app.state.database.write() as session:
        rows = kind.rows(session)
        row = await rows.get(project.id, await kind.add(session, project.id, "Mine"))
        assert await resources.change_fields(rows, row, {"name": "Mine"}) == ({}, {})
        changed = await resources.change_fields(rows, row, {"name": "Yours", "archived_at": None})
        assert changed == ({"name": "Mine"}, {"name": "Yours"})
        assert await rows.has_name(project.id, "Yours")


async def test_what_is_in_use_is_kept(
    app: FastAPI, project: Project, kind: Kind, noun: str
) -> None:
    async with app.state.database.write() as session:
        rows = kind.rows(session)
        row_id = await kind.add(session, project.id, "Mine")
    before = await count_events(app, noun, row_id)
    async with app.state.database.write() as session:
        rows = kind.rows(session)
        row = await rows.get(project.id, row_id, to_change=True)
        with pytest.raises(InUse, match="Something needs it"):
            await resources.delete_unused(rows, row, use="Something needs it.", before={})
        assert await rows.has_name(project.id, "Mine")
        await resources.delete_unused(rows, row, use=None, before={"name": "Mine"})
        assert not await rows.has_name(project.id, "Mine")
    assert (await list_actions(app, row_id))[-1] == f"{noun}.deleted"
    assert await count_events(app, noun, row_id) == before + 1


def test_numbered_names_stay_within_the_limit() -> None:
    names = resources.numbered_names("n" * LONGEST_NAME, suffix=" copy")
    assert [len(next(names)) for _ in range(12)] == [LONGEST_NAME] * 12
    plain = resources.numbered_names("Name")
    assert [next(plain) for _ in range(3)] == ["Name", "Name 2", "Name 3"]


async def test_a_copy_gets_the_first_free_name(app: FastAPI, project: Project, kind: Kind) -> None:
    async with app.state.database.write() as session:
        rows = kind.rows(session)
        assert await resources.find_free_name(rows, project.id, "Mine") == "Mine"
        for name in ("Mine", "Mine copy"):
            await kind.add(session, project.id, name)
        assert await resources.find_free_name(rows, project.id, "Mine") == "Mine copy 2"


async def test_a_hint_names_archived_resources_only_where_lists_hide_them() -> None:
    hidden = DuplicateName("prompt", is_hidden=True)
    shown = DuplicateName("model", path="display_name")
    assert hidden.message == (
        "Another prompt of this project has this name; it may be an archived one."
    )
    assert shown.message == "Another model of this project has this name."
    assert shown.path == "display_name"
