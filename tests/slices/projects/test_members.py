"""Members and their roles."""

import asyncio

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.workspace.accounts.models import User
from edison.workspace.audit.models import AuditEntry
from edison.workspace.events.models import Event
from edison.workspace.projects.models import Project, ProjectMember, Role
from tests.factories.projects import MadeMember, make_member, make_project
from tests.support.browser import Browser, error_of, fields_of


async def change_role(browser: Browser, url: str, member: MadeMember, role: str) -> httpx.Response:
    return await browser.patch(f"{url}/members/{member.id}", json={"role": role})


async def own_id(browser: Browser, url: str) -> str:
    members = (await browser.get(f"{url}/members")).json()["items"]
    return str(next(member["id"] for member in members if member["is_self"]))


async def roles_in(app: FastAPI, project: Project) -> list[str]:
    async with app.state.database.read() as session:
        rows = await session.scalars(
            select(ProjectMember.role).where(ProjectMember.project_id == project.id)
        )
        return sorted(rows)


async def test_members_are_listed_for_every_member(
    app: FastAPI, project: Project, url: str
) -> None:
    viewer = await make_member(app, project, Role.VIEWER, "vera@example.org")
    page = (await viewer.browser.get(f"{url}/members")).json()
    assert page["total"] == 2
    shown = [(item["email"], item["role"], item["is_self"]) for item in page["items"]]
    assert shown == [("ada@example.org", "OWNER", False), ("vera@example.org", "VIEWER", True)]


async def test_members_can_be_searched_filtered_and_paged(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    for number in range(3):
        await make_member(app, project, Role.EDITOR, f"ed{number}@example.org")

    async def emails(**query: str) -> list[str]:
        page = (await ada.get(f"{url}/members", params=query)).json()
        return [item["email"] for item in page["items"]]

    assert await emails(q="ED1") == ["ed1@example.org"]
    assert await emails(role="OWNER") == ["ada@example.org"]
    assert await emails(sort="-email", limit="2") == ["ed2@example.org", "ed1@example.org"]
    assert fields_of(await ada.get(f"{url}/members", params={"sort": "shoe"})) == {"sort"}


@pytest.mark.parametrize("role", ["VIEWER", "REVIEWER", "EDITOR", "ADMIN", "OWNER"])
async def test_an_owner_may_give_every_role(
    ada: Browser, app: FastAPI, project: Project, url: str, role: str
) -> None:
    member = await make_member(app, project)
    response = await change_role(ada, url, member, role)
    assert response.status_code == 200
    assert response.json()["role"] == role


async def test_a_role_change_takes_effect_at_once(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    member = await make_member(app, project, Role.ADMIN)
    await change_role(ada, url, member, "VIEWER")
    assert (await member.browser.patch(url, json={"name": "Mine"})).status_code == 403


async def test_an_admin_manages_everyone_but_owners(
    app: FastAPI, project: Project, url: str
) -> None:
    admin = await make_member(app, project, Role.ADMIN)
    owner = await make_member(app, project, Role.OWNER)
    viewer = await make_member(app, project)
    assert (await change_role(admin.browser, url, viewer, "ADMIN")).status_code == 200
    assert (await change_role(admin.browser, url, viewer, "OWNER")).status_code == 403
    assert (await change_role(admin.browser, url, owner, "VIEWER")).status_code == 403
    assert (await admin.browser.delete(f"{url}/members/{owner.id}")).status_code == 403
    assert (await change_role(admin.browser, url, admin, "OWNER")).status_code == 403
    assert (await admin.browser.delete(f"{url}/members/{viewer.id}")).status_code == 204


@pytest.mark.parametrize("role", [Role.VIEWER, Role.REVIEWER, Role.EDITOR])
async def test_non_admins_cannot_manage_members_but_may_leave(
    app: FastAPI, project: Project, url: str, role: Role
) -> None:
    member = await make_member(app, project, role)
    other = await make_member(app, project)
    assert (await change_role(member.browser, url, other, "EDITOR")).status_code == 403
    assert (await change_role(member.browser, url, member, "OWNER")).status_code == 403
    assert (await member.browser.delete(f"{url}/members/{other.id}")).status_code == 403
    assert (await member.browser.delete(f"{url}/members/{member.id}")).status_code == 204
    assert (await member.browser.get(url)).status_code == 404


async def test_members_may_leave_an_archived_project(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    member = await make_member(app, project)
    await ada.post(f"{url}/archive")
    assert (await member.browser.delete(f"{url}/members/{member.id}")).status_code == 204


async def test_the_last_owner_cannot_go(ada: Browser, url: str) -> None:
    mine = await own_id(ada, url)
    for response in (
        await ada.delete(f"{url}/members/{mine}"),
        await ada.patch(f"{url}/members/{mine}", json={"role": "ADMIN"}),
    ):
        assert response.status_code == 409
        assert error_of(response)["code"] == "LAST_OWNER"


async def test_an_owner_may_go_when_another_stays(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    second = await make_member(app, project, Role.OWNER)
    mine = await own_id(ada, url)
    assert (await ada.delete(f"{url}/members/{mine}")).status_code == 204
    left = await second.browser.delete(f"{url}/members/{second.id}")
    assert error_of(left)["code"] == "LAST_OWNER"


async def test_concurrent_demotions_leave_one_owner(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    mine = await own_id(ada, url)
    for _ in range(3):
        second = await make_member(app, project, Role.OWNER)
        await asyncio.gather(
            change_role(ada, url, second, "VIEWER"),
            second.browser.patch(f"{url}/members/{mine}", json={"role": "VIEWER"}),
        )
        assert (await roles_in(app, project)).count("OWNER") == 1
        async with app.state.database.write() as session:
            for member in await session.scalars(
                select(ProjectMember).where(ProjectMember.project_id == project.id)
            ):
                if str(member.id) == mine:
                    member.role = Role.OWNER
                else:
                    await session.delete(member)


async def test_concurrent_departures_leave_one_owner(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    owners = [await make_member(app, project, Role.OWNER) for _ in range(4)]
    leaving = [owner.browser.delete(f"{url}/members/{owner.id}") for owner in owners]
    leaving.append(ada.delete(f"{url}/members/{await own_id(ada, url)}"))
    statuses = sorted(response.status_code for response in await asyncio.gather(*leaving))
    assert statuses == [204] * 4 + [409]
    assert await roles_in(app, project) == ["OWNER"]


async def test_ownership_is_handed_over(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    heir = await make_member(app, project, Role.EDITOR)
    response = await ada.post(f"{url}/ownership", json={"member_id": str(heir.id)})
    assert response.status_code == 200
    assert (response.json()["id"], response.json()["role"]) == (str(heir.id), "OWNER")
    assert await roles_in(app, project) == ["ADMIN", "OWNER"]
    assert (await ada.get(url)).json()["role"] == "ADMIN"


async def test_only_an_owner_hands_a_project_over(app: FastAPI, project: Project, url: str) -> None:
    admin = await make_member(app, project, Role.ADMIN)
    response = await admin.browser.post(f"{url}/ownership", json={"member_id": str(admin.id)})
    assert response.status_code == 403


async def test_ownership_goes_to_another_member_only(ada: Browser, url: str) -> None:
    to_self = await ada.post(f"{url}/ownership", json={"member_id": await own_id(ada, url)})
    assert (to_self.status_code, error_of(to_self)["path"]) == (409, "member_id")


async def test_a_member_of_another_project_is_not_found(
    ada: Browser, app: FastAPI, person: tuple[User, Browser], url: str
) -> None:
    foreign = await make_member(app, await make_project(app, name="Other"))
    assert (await change_role(ada, url, foreign, "ADMIN")).status_code == 404
    assert (await ada.delete(f"{url}/members/{foreign.id}")).status_code == 404
    handed = await ada.post(f"{url}/ownership", json={"member_id": str(foreign.id)})
    assert handed.status_code == 404
    # Not even the foreign member may leave "their" project through this one.
    assert (await foreign.browser.delete(f"{url}/members/{foreign.id}")).status_code == 404


@pytest.mark.parametrize("body", [{"role": "KING"}, {"role": None}, {}])
async def test_an_unknown_role_is_refused(
    ada: Browser, app: FastAPI, project: Project, url: str, body: dict[str, object]
) -> None:
    member = await make_member(app, project)
    response = await ada.patch(f"{url}/members/{member.id}", json=body)
    assert fields_of(response) == {"role"}


async def test_role_changes_are_audited_and_published(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    member = await make_member(app, project, Role.VIEWER)
    await change_role(ada, url, member, "EDITOR")
    await ada.delete(f"{url}/members/{member.id}")
    async with app.state.database.read() as session:
        entries = (
            await session.scalars(
                select(AuditEntry)
                .where(AuditEntry.entity_id == str(member.id))
                .order_by(AuditEntry.id)
            )
        ).all()
        kinds = (await session.scalars(select(Event.kind))).all()
    changed, removed = entries
    assert (changed.action, changed.before, changed.after) == (
        "member.role_changed",
        {"role": "VIEWER"},
        {"role": "EDITOR"},
    )
    assert (removed.action, removed.before["role"]) == ("member.removed", "EDITOR")
    assert kinds == ["member.changed", "notification.added", "member.changed"]


async def test_a_member_is_notified_of_a_new_role_by_another_person(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    member = await make_member(app, project, Role.VIEWER)
    for role in ("EDITOR", "EDITOR"):
        await change_role(ada, url, member, role)
    (notice,) = (await member.browser.get("/api/v1/notifications")).json()["items"]
    assert (notice["kind"], notice["title"]) == ("role_changed", "You are EDITOR now")
    assert notice["path"] == f"/p/{project.id}/members"
    assert (await ada.get("/api/v1/notifications")).json()["items"] == []


async def test_a_refusal_is_in_the_audit_log(app: FastAPI, project: Project, url: str) -> None:
    admin = await make_member(app, project, Role.ADMIN)
    await change_role(admin.browser, url, admin, "OWNER")
    async with app.state.database.read() as session:
        entry = await session.scalar(select(AuditEntry).where(AuditEntry.outcome == "denied"))
    assert (entry.action, entry.actor) == ("access.denied", admin.user.email)
    assert entry.project_id == project.id
