"""Inviting people, and accepting."""

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from edison.settings import Settings
from edison.workspace.accounts.models import User
from edison.workspace.audit.models import AuditEntry
from edison.workspace.events.models import Event
from edison.workspace.projects.models import Invitation, Project, Role
from tests.conftest import TurnableClock
from tests.factories.accounts import make_person, make_user, sign_in
from tests.factories.projects import make_invitation, make_member
from tests.support.browser import Browser, error_of, fields_of

INVITATIONS = "/api/v1/invitations"
PASSWORD = "Analytical-Engine-1843!"


async def invite(ada: Browser, url: str, **body: object) -> dict[str, Any]:
    response = await ada.post(f"{url}/invitations", json={"role": "EDITOR", **body})
    assert response.status_code == 201, response.text
    return dict(response.json())


def token_of(result: dict[str, Any]) -> str:
    return str(result["link"]).rpartition("/")[2]


async def accept(browser: Browser, token: str) -> tuple[int, str | None]:
    response = await browser.post(f"{INVITATIONS}/{token}/accept")
    return response.status_code, None if response.is_success else error_of(response)["code"]


async def test_an_existing_user_is_added_at_once(ada: Browser, app: FastAPI, url: str) -> None:
    grace, browser = await make_person(app, "grace@example.org")
    result = await invite(ada, url, email="Grace@Example.org")
    assert result["status"] == "added"
    assert result["member"]["user_id"] == str(grace.id)
    assert (result["invitation"], result["link"], result["emailed"]) == (None, None, False)
    assert (await browser.get(url)).json()["role"] == "EDITOR"


async def test_a_new_user_gets_a_link_valid_for_seven_days(
    ada: Browser, app: FastAPI, url: str, turnable_clock: TurnableClock
) -> None:
    result = await invite(ada, url, email="grace@example.org", message="Join us")
    assert result["status"] == "invited"
    assert result["link"].startswith("http://127.0.0.1:8000/invitations/")
    invitation = result["invitation"]
    assert (invitation["email"], invitation["status"]) == ("grace@example.org", "pending")
    assert invitation["invited_by"] == "ada@example.org"
    turnable_clock.advance(days=6, hours=23)
    preview = (await Browser(app).get(f"{INVITATIONS}/{token_of(result)}")).json()
    assert preview == {
        "project_name": "Engine",
        "role": "EDITOR",
        "invited_by": "ada@example.org",
        "email": "grace@example.org",
        "expires_at": invitation["expires_at"],
        "status": "pending",
    }


class TestPublicUrl:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"public_url": "https://edison.example.org/app"})

    async def test_links_use_the_public_address(self, ada: Browser, url: str) -> None:
        link = (await invite(ada, url))["link"]
        assert link.startswith("https://edison.example.org/app/invitations/")


async def test_the_token_is_not_stored_in_plain_text(ada: Browser, app: FastAPI, url: str) -> None:
    token = token_of(await invite(ada, url))
    async with app.state.database.read() as session:
        stored = await session.scalar(select(Invitation))
        entries = (await session.scalars(select(AuditEntry))).all()
    assert token not in str(vars(stored))
    assert token not in str([vars(entry) for entry in entries])


async def test_a_member_is_not_invited_again(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    await make_member(app, project, email="grace@example.org")
    response = await ada.post(
        f"{url}/invitations", json={"email": "grace@example.org", "role": "ADMIN"}
    )
    assert (response.status_code, error_of(response)["code"]) == (409, "CONFLICT")
    assert error_of(response)["path"] == "email"


async def test_a_new_invitation_replaces_the_one_before(
    ada: Browser, app: FastAPI, url: str
) -> None:
    first = await invite(ada, url, email="grace@example.org")
    second = await invite(ada, url, email="grace@example.org", role="ADMIN")
    listed = (await ada.get(f"{url}/invitations")).json()
    assert [item["id"] for item in listed["items"]] == [second["invitation"]["id"]]
    assert (await Browser(app).get(f"{INVITATIONS}/{token_of(first)}")).status_code == 404


async def test_parallel_invitations_to_one_email_leave_one(ada: Browser, url: str) -> None:
    await asyncio.gather(*(invite(ada, url, email="grace@example.org") for _ in range(5)))
    assert (await ada.get(f"{url}/invitations")).json()["total"] == 1


async def test_open_links_do_not_replace_each_other(ada: Browser, url: str) -> None:
    await invite(ada, url)
    await invite(ada, url)
    assert (await ada.get(f"{url}/invitations")).json()["total"] == 2


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"role": "OWNER"}, "role"),
        ({"role": "GUEST"}, "role"),
        ({"email": "a@b.co"}, "role"),
        ({"email": "nonsense", "role": "VIEWER"}, "email"),
        ({"email": "a@b.co\nBcc: all@b.co", "role": "VIEWER"}, "email"),
        ({"message": "x" * 1001, "role": "VIEWER"}, "message"),
        ({"role": "VIEWER", "expires_at": "never"}, "expires_at"),
    ],
)
async def test_a_wrong_body_names_the_field(
    ada: Browser, url: str, body: dict[str, str], field: str
) -> None:
    assert fields_of(await ada.post(f"{url}/invitations", json=body)) == {field}


async def test_accepting_adds_a_member_in_the_invited_role(
    app: FastAPI, project: Project, url: str
) -> None:
    token = await make_invitation(app, project, role=Role.REVIEWER)
    _, browser = await make_person(app)
    response = await browser.post(f"{INVITATIONS}/{token}/accept")
    assert response.status_code == 200
    assert (response.json()["slug"], response.json()["role"]) == ("engine", "REVIEWER")
    assert response.json()["member_count"] == 2
    assert (await browser.get(url)).json()["role"] == "REVIEWER"


async def test_an_invitation_works_once(app: FastAPI, project: Project) -> None:
    token = await make_invitation(app, project)
    _, first = await make_person(app)
    _, second = await make_person(app)
    assert await accept(first, token) == (200, None)
    assert await accept(second, token) == (409, "INVITATION_USED")
    assert (await second.get(f"{INVITATIONS}/{token}")).json()["status"] == "accepted"


async def test_of_concurrent_acceptances_one_succeeds(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    token = await make_invitation(app, project)
    people = [await make_person(app) for _ in range(8)]
    outcomes = await asyncio.gather(*(accept(browser, token) for _, browser in people))
    assert sorted(outcomes, key=str) == [(200, None)] + [(409, "INVITATION_USED")] * 7
    assert (await ada.get(url)).json()["member_count"] == 2


async def test_being_added_and_accepting_at_once_makes_one_member(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    for number in range(5):
        email = f"grace{number}@example.org"
        token = await make_invitation(app, project, email=email)
        _, grace = await make_person(app, email)
        body = {"email": email, "role": "VIEWER"}
        added, accepted = await asyncio.gather(
            ada.post(f"{url}/invitations", json=body), accept(grace, token)
        )
        assert added.status_code in (201, 409)
        assert accepted[0] in (200, 404, 409)
        assert (await ada.get(url)).json()["member_count"] == 2 + number


async def test_an_expired_invitation_is_refused(
    app: FastAPI,
    person: tuple[User, Browser],
    project: Project,
    url: str,
    turnable_clock: TurnableClock,
) -> None:
    # Sessions that outlive the invitation.
    ada = await sign_in(app, person[0], remember_me=True)
    browser = await sign_in(app, await make_user(app), remember_me=True)
    token = await make_invitation(app, project)
    turnable_clock.advance(days=7)
    assert await accept(browser, token) == (409, "INVITATION_EXPIRED")
    listed = (await ada.get(f"{url}/invitations")).json()
    assert listed["items"][0]["status"] == "expired"


async def test_an_invitation_is_for_its_email_only(app: FastAPI, project: Project) -> None:
    token = await make_invitation(app, project, email="grace@example.org")
    _, other = await make_person(app, "mallory@example.org")
    assert await accept(other, token) == (409, "INVITATION_EMAIL_MISMATCH")
    _, grace = await make_person(app, "grace@example.org")
    assert await accept(grace, token) == (200, None)


async def test_a_member_who_accepts_does_not_use_it_up(
    ada: Browser, app: FastAPI, project: Project
) -> None:
    token = await make_invitation(app, project)
    response = await ada.post(f"{INVITATIONS}/{token}/accept")
    assert (response.status_code, error_of(response)["code"]) == (409, "CONFLICT")
    assert error_of(response)["details"] == {"project": "engine"}
    _, browser = await make_person(app)
    assert await accept(browser, token) == (200, None)


async def test_an_archived_project_takes_no_members(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    token = await make_invitation(app, project)
    await ada.post(f"{url}/archive")
    _, browser = await make_person(app)
    assert await accept(browser, token) == (409, "CONFLICT")


async def test_accepting_needs_an_account(app: FastAPI, project: Project) -> None:
    token = await make_invitation(app, project)
    assert (await Browser(app).post(f"{INVITATIONS}/{token}/accept")).status_code == 401


@pytest.mark.parametrize("token", ["unknown", "%00", "x" * 100])
async def test_an_unknown_token_is_not_found(anonymous: Browser, token: str) -> None:
    assert (await anonymous.get(f"{INVITATIONS}/{token}")).status_code == 404
    body = {"email": "a@b.co", "password": PASSWORD}
    assert (await anonymous.post(f"{INVITATIONS}/{token}/register", json=body)).status_code == 404


async def test_a_withdrawn_invitation_is_gone(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    result = await invite(ada, url)
    response = await ada.delete(f"{url}/invitations/{result['invitation']['id']}")
    assert response.status_code == 204
    assert (await Browser(app).get(f"{INVITATIONS}/{token_of(result)}")).status_code == 404
    again = await ada.delete(f"{url}/invitations/{result['invitation']['id']}")
    assert again.status_code == 404


async def test_an_accepted_invitation_cannot_be_withdrawn(
    ada: Browser, app: FastAPI, url: str
) -> None:
    result = await invite(ada, url)
    _, browser = await make_person(app)
    await accept(browser, token_of(result))
    response = await ada.delete(f"{url}/invitations/{result['invitation']['id']}")
    assert (response.status_code, error_of(response)["code"]) == (409, "INVITATION_USED")


async def test_invitations_are_for_admins(app: FastAPI, project: Project, url: str) -> None:
    editor = await make_member(app, project, Role.EDITOR)
    body = {"role": "VIEWER"}
    assert (await editor.browser.get(f"{url}/invitations")).status_code == 403
    assert (await editor.browser.post(f"{url}/invitations", json=body)).status_code == 403


async def test_invitations_are_audited_and_published(
    ada: Browser, app: FastAPI, project: Project, url: str
) -> None:
    result = await invite(ada, url, email="grace@example.org")
    _, grace = await make_person(app, "grace@example.org")
    await accept(grace, token_of(result))
    async with app.state.database.read() as session:
        actions = (
            await session.scalars(
                select(AuditEntry.action)
                .where(AuditEntry.project_id == project.id)
                .order_by(AuditEntry.id)
            )
        ).all()
        kinds = set(await session.scalars(select(Event.kind)))
    assert actions[-3:] == ["invitation.created", "invitation.accepted", "member.added"]
    assert kinds == {"invitation.changed", "member.changed"}


class TestRegistering:
    """Registering with an invitation while registration is closed."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"registration": "invited"})

    async def test_the_invited_person_gets_an_account_and_joins(
        self, anonymous: Browser, app: FastAPI, project: Project, url: str
    ) -> None:
        token = await make_invitation(app, project, email="grace@example.org")
        body = {"password": PASSWORD, "name": "Grace"}
        response = await anonymous.post(f"{INVITATIONS}/{token}/register", json=body)
        assert response.status_code == 201, response.text
        assert response.json()["user"]["email"] == "grace@example.org"
        assert response.json()["project"]["slug"] == "engine"
        assert response.json()["session"]["expires_at"]
        assert (await anonymous.get("/api/v1/auth/me")).json()["user"]["name"] == "Grace"
        assert (await anonymous.get(url)).json()["role"] == "EDITOR"

    async def test_an_open_link_needs_an_email(
        self, anonymous: Browser, app: FastAPI, project: Project
    ) -> None:
        token = await make_invitation(app, project)
        register = f"{INVITATIONS}/{token}/register"
        assert fields_of(await anonymous.post(register, json={"password": PASSWORD})) == {"email"}
        body = {"password": PASSWORD, "email": "Any@Example.org"}
        assert (await anonymous.post(register, json=body)).status_code == 201

    async def test_another_email_is_refused(
        self, anonymous: Browser, app: FastAPI, project: Project
    ) -> None:
        token = await make_invitation(app, project, email="grace@example.org")
        body = {"password": PASSWORD, "email": "mallory@example.org"}
        response = await anonymous.post(f"{INVITATIONS}/{token}/register", json=body)
        assert (response.status_code, error_of(response)["path"]) == (409, "email")
        assert error_of(response)["code"] == "INVITATION_EMAIL_MISMATCH"

    async def test_a_used_or_expired_link_makes_no_account(
        self,
        anonymous: Browser,
        app: FastAPI,
        project: Project,
        turnable_clock: TurnableClock,
    ) -> None:
        _, browser = await make_person(app)
        used, expired = [await make_invitation(app, project) for _ in range(2)]
        await accept(browser, used)
        turnable_clock.advance(days=8)
        people = await count_users(app)
        body = {"password": PASSWORD, "email": "late@example.org"}
        for token, code in ((used, "INVITATION_USED"), (expired, "INVITATION_EXPIRED")):
            response = await anonymous.post(f"{INVITATIONS}/{token}/register", json=body)
            assert error_of(response)["code"] == code
        assert await count_users(app) == people

    async def test_a_weak_password_uses_nothing_up(
        self, anonymous: Browser, app: FastAPI, project: Project
    ) -> None:
        token = await make_invitation(app, project, email="grace@example.org")
        register = f"{INVITATIONS}/{token}/register"
        assert fields_of(await anonymous.post(register, json={"password": "weak"})) == {"password"}
        assert (await anonymous.post(register, json={"password": PASSWORD})).status_code == 201

    async def test_existing_users_cannot_register_with_an_invitation(
        self, anonymous: Browser, app: FastAPI, project: Project
    ) -> None:
        token = await make_invitation(app, project)
        await make_user(app, "grace@example.org")
        body = {"password": PASSWORD, "email": "grace@example.org"}
        response = await anonymous.post(f"{INVITATIONS}/{token}/register", json=body)
        assert error_of(response)["code"] == "EMAIL_TAKEN"
        assert (await anonymous.get(f"{INVITATIONS}/{token}")).json()["status"] == "pending"

    async def test_of_two_concurrent_registrations_one_succeeds(
        self, app: FastAPI, project: Project
    ) -> None:
        token = await make_invitation(app, project)
        people = await count_users(app)
        responses = await asyncio.gather(
            *(
                Browser(app).post(
                    f"{INVITATIONS}/{token}/register",
                    json={"password": PASSWORD, "email": f"racer{number}@example.org"},
                )
                for number in range(3)
            )
        )
        assert sorted(response.status_code for response in responses) == [201, 409, 409]
        assert await count_users(app) == people + 1


async def count_users(app: FastAPI) -> int:
    async with app.state.database.read() as session:
        return await session.scalar(select(func.count()).select_from(User)) or 0
