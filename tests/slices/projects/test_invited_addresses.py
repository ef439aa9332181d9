"""Which accounts may accept an invitation to an address."""

import re
from datetime import timedelta

import pytest
from fastapi import FastAPI

from edison.kit import clock
from edison.settings import Settings
from edison.workspace.accounts.models import User
from edison.workspace.projects.models import Project
from tests.factories.accounts import make_user, sign_in
from tests.slices.notifications.conftest import Mailbox, mailbox, smtp_port
from tests.support.browser import Browser, error_of

__all__ = ["mailbox", "smtp_port"]

PASSWORD = "Analytical-Engine-1843!"
EMAIL = "grace@example.org"


async def invite(ada: Browser, project: Project) -> str:
    """The link's token, as shown to the inviter."""
    body = {"email": EMAIL, "role": "EDITOR"}
    result = (await ada.post(f"/api/v1/projects/{project.slug}/invitations", json=body)).json()
    assert result["status"] == "invited"
    link: str = result["link"]
    return link.rsplit("/", 1)[1]


def proof_in(mailbox: Mailbox) -> str:
    found = re.search(r"#proof=(\S+)", mailbox.messages[-1].get_content())
    assert found is not None
    return found[1]


async def accept(browser: Browser, token: str, **body: str) -> tuple[int, str | None]:
    response = await browser.post(f"/api/v1/invitations/{token}/accept", json=body)
    return response.status_code, None if response.is_success else error_of(response)["code"]


async def test_an_unverified_account_is_not_added_at_once(
    ada: Browser, app: FastAPI, project: Project
) -> None:
    squatter = await make_user(app, EMAIL, is_verified=False)
    await invite(ada, project)
    path = f"/api/v1/projects/{project.slug}"
    assert (await (await sign_in(app, squatter)).get(path)).status_code == 404


async def test_changing_to_the_invited_address_does_not_accept_the_invitation(
    ada: Browser, app: FastAPI, project: Project
) -> None:
    mallory = await sign_in(app, await make_user(app, "mallory@example.org"))
    token = await invite(ada, project)
    changed = await mallory.patch("/api/v1/auth/me", json={"email": EMAIL})
    assert changed.status_code == 200
    assert await accept(mallory, token) == (409, "EMAIL_UNVERIFIED")
    back = await mallory.patch("/api/v1/auth/me", json={"email": "mallory@example.org"})
    assert back.status_code == 200
    assert await accept(mallory, token) == (409, "INVITATION_EMAIL_MISMATCH")


async def test_without_mail_an_account_that_had_the_address_before_may_use_the_link(
    ada: Browser, app: FastAPI, project: Project
) -> None:
    grace = await make_user(app, EMAIL, is_verified=False)
    browser = await sign_in(app, grace)
    token = await invite(ada, project)
    assert await accept(browser, token) == (200, None)
    me = (await browser.get("/api/v1/auth/me")).json()["user"]
    assert me["is_email_verified"] is False


async def test_the_inviters_link_takes_over_no_account(
    ada: Browser, app: FastAPI, project: Project
) -> None:
    """Anyone can create a project, invite any address, and see the link."""
    await make_user(app, EMAIL, is_verified=False)
    token = await invite(ada, project)
    body = {"password": PASSWORD, "proof": "guessed"}
    refused = await Browser(app).post(f"/api/v1/invitations/{token}/register", json=body)
    assert error_of(refused)["code"] == "EMAIL_TAKEN"


async def test_an_account_made_with_the_inviters_link_is_not_verified(
    ada: Browser, app: FastAPI, project: Project
) -> None:
    token, browser = await invite(ada, project), Browser(app)
    body = {"password": PASSWORD}
    made = await browser.post(f"/api/v1/invitations/{token}/register", json=body)
    assert made.status_code == 201
    assert made.json()["user"]["is_email_verified"] is False


class TestWithMail:
    @pytest.fixture
    def settings(self, settings: Settings, smtp_port: int) -> Settings:
        mail = {"smtp_host": "127.0.0.1", "smtp_port": smtp_port, "smtp_security": "none"}
        return settings.model_copy(update=mail)

    async def test_the_mailed_link_verifies_a_new_account(
        self, ada: Browser, app: FastAPI, project: Project, mailbox: Mailbox
    ) -> None:
        token = await invite(ada, project)
        body = {"password": PASSWORD, "proof": proof_in(mailbox)}
        made = await Browser(app).post(f"/api/v1/invitations/{token}/register", json=body)
        assert made.json()["user"]["is_email_verified"] is True

    async def test_the_mailed_link_takes_over_a_squatted_account(
        self, ada: Browser, app: FastAPI, project: Project, mailbox: Mailbox
    ) -> None:
        squatter = await sign_in(app, await make_user(app, EMAIL, is_verified=False))
        token, browser = await invite(ada, project), Browser(app)
        body = {"password": PASSWORD, "proof": proof_in(mailbox)}
        made = await browser.post(f"/api/v1/invitations/{token}/register", json=body)
        assert made.status_code == 201, made.text
        assert made.json()["user"]["is_email_verified"] is True
        assert (await squatter.get("/api/v1/auth/me")).status_code == 401
        path = f"/api/v1/projects/{project.slug}"
        assert (await browser.get(path)).status_code == 200

    async def test_an_unverified_account_needs_the_mailed_link(
        self, ada: Browser, app: FastAPI, project: Project, mailbox: Mailbox
    ) -> None:
        browser = await sign_in(app, await make_user(app, EMAIL, is_verified=False))
        token = await invite(ada, project)
        assert await accept(browser, token) == (409, "EMAIL_UNVERIFIED")
        assert await accept(browser, token, proof="guessed") == (409, "EMAIL_UNVERIFIED")
        assert await accept(browser, token, proof=proof_in(mailbox)) == (200, None)
        me = (await browser.get("/api/v1/auth/me")).json()["user"]
        assert me["is_email_verified"] is True

    async def test_the_proof_is_not_shown_to_the_inviter(
        self, ada: Browser, app: FastAPI, project: Project, mailbox: Mailbox
    ) -> None:
        body = {"email": EMAIL, "role": "EDITOR"}
        url = f"/api/v1/projects/{project.slug}/invitations"
        shown = await ada.post(url, json=body)
        assert proof_in(mailbox) not in shown.text
        assert proof_in(mailbox) not in (await ada.get(url)).text


async def test_a_verified_account_accepts_whenever_it_got_the_address(
    ada: Browser, app: FastAPI, project: Project
) -> None:
    token = await invite(ada, project)
    grace: User = await make_user(app, EMAIL)
    async with app.state.database.write() as session:
        stored = await session.get(User, grace.id)
        stored.email_changed_at = clock.now() + timedelta(days=1)
    assert await accept(await sign_in(app, grace), token) == (200, None)
