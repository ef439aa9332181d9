"""Making, changing, archiving and deleting projects."""

from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets.models import Dataset
from edison.workspace.accounts.models import User
from edison.workspace.audit.models import AuditEntry
from edison.workspace.events.models import Event
from edison.workspace.projects import service
from edison.workspace.projects.models import Project, ProjectMember, ProjectSettings
from tests.factories.accounts import make_person
from tests.factories.projects import make_member
from tests.support.browser import Browser, error_of, fields_of

PROJECTS = "/api/v1/projects"


async def create(browser: Browser, name: str = "Support replies", **body: object) -> dict[str, str]:
    response = await browser.post(PROJECTS, json={"name": name, **body})
    assert response.status_code == 201, response.text
    return dict(response.json())


async def names_of(browser: Browser, **query: str) -> list[str]:
    response = await browser.get(PROJECTS, params=query)
    assert response.status_code == 200, response.text
    return [item["name"] for item in response.json()["items"]]


async def test_the_creator_owns_the_project(ada: Browser) -> None:
    project = await create(ada, description="  For the help desk ")
    assert project["role"] == "OWNER"
    assert project["slug"] == "support-replies"
    assert project["description"] == "For the help desk"
    assert project["member_count"] == 1
    assert project["is_demo"] is False
    assert project["archived_at"] is None


async def test_a_project_starts_with_settings_and_a_golden_dataset(ada: Browser) -> None:
    slug = (await create(ada))["slug"]
    settings = (await ada.get(f"{PROJECTS}/{slug}/settings")).json()
    assert (settings["version"], settings["default_budget_usd"]) == (1, "100.00")
    datasets = (await ada.get(f"{PROJECTS}/{slug}/datasets")).json()
    assert [(item["name"], item["kind"]) for item in datasets["items"]] == [("Golden", "golden")]


async def test_a_failing_hook_leaves_nothing_behind(
    ada: Browser, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_session: AsyncSession, _project: Project) -> None:
        raise RuntimeError("no room")

    monkeypatch.setattr(service.on_created, "listeners", (*service.on_created.listeners, fail))
    assert (await ada.post(PROJECTS, json={"name": "Half"})).status_code == 500
    async with app.state.database.read() as session:
        for table in (Project, ProjectMember, ProjectSettings, Dataset):
            assert await session.scalar(select(func.count()).select_from(table)) == 0


@pytest.mark.parametrize(
    "name",
    [
        "a",
        "x" * 100,
        "مشروع الدعم",
        "פרויקט 7",
        "客户支持",
        "हिन्दी परियोजना",
        "Zoë's".replace("'", "-"),
        "e\u0301tude",
        "٣ under_score - dash",
        "𠮷野家",
    ],
)
async def test_names_of_any_script_are_stored_unchanged(ada: Browser, name: str) -> None:
    project = await create(ada, name)
    assert project["name"] == name
    assert (await ada.get(f"{PROJECTS}/{project['slug']}")).json()["name"] == name


async def test_a_name_is_trimmed(ada: Browser) -> None:
    assert (await create(ada, "  Padded  "))["name"] == "Padded"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "Give the project a name."),
        ("   ", "Give the project a name."),
        ("x" * 101, "Use at most 100 characters."),
        ("a/b", "Use only letters, digits, spaces, hyphens and underscores."),
        ("rocket 🚀", "Use only letters, digits, spaces, hyphens and underscores."),
        ("a\u202eb", "Use only letters, digits, spaces, hyphens and underscores."),
        ("a\x00b", "Use only letters, digits, spaces, hyphens and underscores."),
        ("two\nlines", "Use only letters, digits, spaces, hyphens and underscores."),
        ("<script>", "Use only letters, digits, spaces, hyphens and underscores."),
        ("½ price", "Use only letters, digits, spaces, hyphens and underscores."),
    ],
)
async def test_invalid_names_are_refused_with_a_reason(
    ada: Browser, name: str, message: str
) -> None:
    response = await ada.post(PROJECTS, json={"name": name})
    assert fields_of(response) == {"name"}
    assert error_of(response)["message"] == message
    assert error_of(response)["path"] == "name"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "A", "description": "x" * 1001}, "description"),
        ({"name": "A", "description": "nul\x00"}, "description"),
        ({"name": "A", "description": 7}, "description"),
        ({"name": "A", "slug": "mine"}, "slug"),
        ({"name": "A", "is_demo": True}, "is_demo"),
        ({"description": "nameless"}, "name"),
        ({"name": None}, "name"),
        ({"name": ["A"]}, "name"),
    ],
)
async def test_a_wrong_body_names_the_field(ada: Browser, body: object, field: str) -> None:
    assert fields_of(await ada.post(PROJECTS, json=body)) == {field}


async def test_a_description_may_have_a_thousand_characters(ada: Browser) -> None:
    assert len((await create(ada, description="ж" * 1000))["description"]) == 1000


async def test_a_demo_project_is_marked(
    ada: Browser, app: FastAPI, person: tuple[User, Browser]
) -> None:
    async with app.state.database.write() as session:
        await service.create_project(session, owner_id=person[0].id, name="Demo", is_demo=True)
    assert (await ada.get(f"{PROJECTS}/demo")).json()["is_demo"] is True


async def test_members_are_counted(ada: Browser, app: FastAPI, project: Project, url: str) -> None:
    await make_member(app, project)
    await make_member(app, project)
    assert (await ada.get(url)).json()["member_count"] == 3
    assert (await ada.get(PROJECTS)).json()["items"][0]["member_count"] == 3


async def test_a_project_is_found_by_slug_and_by_id(ada: Browser, project: Project) -> None:
    by_slug = await ada.get(f"{PROJECTS}/{project.slug}")
    by_id = await ada.get(f"{PROJECTS}/{project.id}")
    assert by_slug.json() == by_id.json()


@pytest.mark.parametrize("key", ["nothing-here", str(UUID(int=7)), "%00", "пусто", "..", "a%20b"])
async def test_unknown_projects_are_not_found(ada: Browser, key: str) -> None:
    response = await ada.get(f"{PROJECTS}/{key}/settings")
    assert response.status_code == 404
    assert error_of(response)["code"] == "NOT_FOUND"


async def test_for_outsiders_a_project_does_not_exist(app: FastAPI, url: str) -> None:
    _, outsider = await make_person(app)
    slug = url.rpartition("/")[2]
    for name in (slug, "absent"):
        response = await outsider.get(f"{PROJECTS}/{name}")
        assert response.status_code == 404
        message = f"There is no project “{name}”, or you are not a member of it."
        assert error_of(response)["message"] == message


async def test_a_mistyped_project_is_answered_with_the_nearest_of_ones_own(
    app: FastAPI, ada: Browser, url: str
) -> None:
    _, outsider = await make_person(app)
    await create(outsider, "Engines of others")
    for wanted in ("engin", "ENGINE"):
        message = error_of(await ada.get(f"{PROJECTS}/{wanted}"))["message"]
        told = f"There is no project “{wanted}”, or you are not a member of it."
        assert message == f"{told} Did you mean “engine”?"


async def test_renaming_keeps_the_slug(ada: Browser, url: str) -> None:
    response = await ada.patch(url, json={"name": "Difference Engine"})
    assert response.status_code == 200
    assert (response.json()["name"], response.json()["slug"]) == ("Difference Engine", "engine")


async def test_a_change_leaves_other_fields_alone(ada: Browser) -> None:
    await create(ada, "Kept", description="Stays")
    renamed = await ada.patch(f"{PROJECTS}/kept", json={"name": "New"})
    assert renamed.json()["description"] == "Stays"
    cleared = await ada.patch(f"{PROJECTS}/kept", json={"description": None})
    assert (cleared.json()["name"], cleared.json()["description"]) == ("New", None)


async def test_a_name_cannot_be_removed(ada: Browser, url: str) -> None:
    assert fields_of(await ada.patch(url, json={"name": None})) == {"name"}


async def test_the_audit_log_holds_only_what_changed(ada: Browser, app: FastAPI, url: str) -> None:
    await ada.patch(url, json={"name": "Engine", "description": "New"})
    async with app.state.database.read() as session:
        entry = await session.scalar(
            select(AuditEntry).where(AuditEntry.action == "project.changed")
        )
    assert (entry.before, entry.after) == ({"description": None}, {"description": "New"})
    assert (entry.actor, entry.outcome) == ("ada@example.org", "allowed")


async def test_an_archived_project_leaves_the_list_and_refuses_changes(
    ada: Browser, url: str
) -> None:
    archived = await ada.post(f"{url}/archive")
    assert archived.status_code == 200
    assert archived.json()["archived_at"] is not None
    assert await names_of(ada) == []
    assert await names_of(ada, status="archived") == ["Engine"]
    assert await names_of(ada, status="all") == ["Engine"]
    assert (await ada.get(url)).status_code == 200
    refused = await ada.patch(url, json={"name": "Other"})
    assert refused.status_code == 409
    assert error_of(refused)["code"] == "CONFLICT"


async def test_unarchiving_makes_it_usable_again(ada: Browser, url: str) -> None:
    await ada.post(f"{url}/archive")
    response = await ada.post(f"{url}/unarchive")
    assert response.json()["archived_at"] is None
    assert (await ada.patch(url, json={"name": "Other"})).status_code == 200


async def test_archiving_twice_is_refused(ada: Browser, url: str) -> None:
    await ada.post(f"{url}/archive")
    assert error_of(await ada.post(f"{url}/archive"))["message"] == (
        "This project is already archived."
    )
    await ada.post(f"{url}/unarchive")
    assert (await ada.post(f"{url}/unarchive")).status_code == 409


async def test_deleting_removes_everything_but_the_audit_log(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    await ada.post(f"{url}/archive")
    assert (await ada.delete(url)).status_code == 204
    assert (await ada.get(url)).status_code == 404
    async with app.state.database.read() as session:
        for table in (Project, ProjectMember, ProjectSettings, Dataset):
            assert await session.scalar(select(func.count()).select_from(table)) == 0
        actions = await session.scalars(
            select(AuditEntry.action).where(AuditEntry.project_id == project.id)
        )
        assert {"project.created", "project.deleted"} <= set(actions)


async def test_a_freed_slug_can_be_used_again(ada: Browser, url: str) -> None:
    await ada.delete(url)
    assert (await create(ada, "Engine"))["slug"] == "engine"


async def test_a_project_is_not_deleted_while_work_goes_on(
    ada: Browser, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(_session: AsyncSession, _project_id: UUID) -> str | None:
        return "Two runs are still active."

    monkeypatch.setattr(service.find_active_work, "listeners", (busy,))
    response = await ada.delete(url)
    assert response.status_code == 409
    assert error_of(response)["message"] == "Two runs are still active."
    assert (await ada.get(url)).status_code == 200


async def test_changes_are_published(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    await ada.patch(url, json={"name": "Louder"})
    async with app.state.database.read() as session:
        event = await session.scalar(select(Event).where(Event.stream == f"project:{project.id}"))
    assert (event.kind, event.data) == ("project.changed", {"entity_id": str(project.id)})
