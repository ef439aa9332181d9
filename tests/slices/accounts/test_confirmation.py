"""Email confirmation by a mailed link."""

import re
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.settings import Settings
from edison.workspace.accounts.models import User
from tests.conftest import TurnableClock
from tests.factories.accounts import make_user, sign_in
from tests.slices.notifications.conftest import Mailbox
from tests.support.browser import Browser, error_of

PASSWORD, OTHER = "Analytical-Engine-1843!", "Difference-Engine-1822!"
USE = "/api/v1/auth/email-confirmation/use"
RESEND = "/api/v1/auth/email-confirmation"


@pytest.fixture
def settings(settings: Settings, smtp_port: int) -> Settings:
    mail = {"smtp_host": "127.0.0.1", "smtp_port": smtp_port, "smtp_security": "none"}
    return settings.model_copy(update=mail)


def link_in(mailbox: Mailbox) -> str:
    found = re.search(r"/confirm-email#token=(\S+)", mailbox.messages[-1].get_content())
    assert found is not None
    return found[1]


async def register(app: FastAPI, email: str = "victim@example.org") -> Browser:
    browser = Browser(app)
    body = {"email": email, "password": PASSWORD}
    assert (await browser.post("/api/v1/auth/register", json=body)).status_code == 201
    return browser


async def is_verified(app: FastAPI, email: str = "victim@example.org") -> bool:
    async with app.state.database.read() as session:
        user = await session.scalar(select(User).where(User.email == email))
    return user is not None and user.is_email_verified


async def make_token(browser: Browser) -> dict[str, Any]:
    made = (await browser.post("/api/v1/auth/tokens", json={"name": "t"})).json()
    return {"Authorization": f"Bearer {made['token']}"}


async def test_confirming_the_address_keeps_the_session(app: FastAPI, mailbox: Mailbox) -> None:
    browser = await register(app)
    assert not await is_verified(app)
    token = await make_token(browser)
    confirmed = await browser.post(USE, json={"token": link_in(mailbox)})
    assert confirmed.json()["user"]["is_email_verified"] is True
    assert (await browser.get("/api/v1/auth/me")).status_code == 200
    assert (await Browser(app).get("/api/v1/auth/me", headers=token)).status_code == 401
    again = await browser.post(USE, json={"token": link_in(mailbox)})
    assert error_of(again)["code"] == "CONFIRMATION_EXPIRED"


async def test_confirming_the_address_takes_over_a_squatted_account(
    app: FastAPI, mailbox: Mailbox
) -> None:
    attacker = await register(app)
    token = await make_token(attacker)
    victim = Browser(app)
    asked = await victim.post(USE, json={"token": link_in(mailbox)})
    assert error_of(asked)["code"] == "PASSWORD_NEEDED"
    assert not await is_verified(app)
    taken = await victim.post(USE, json={"token": link_in(mailbox), "password": OTHER})
    assert taken.status_code == 200
    assert await is_verified(app)
    assert (await victim.get("/api/v1/auth/me")).status_code == 200
    assert (await attacker.get("/api/v1/auth/me")).status_code == 401
    assert (await Browser(app).get("/api/v1/auth/me", headers=token)).status_code == 401
    for password, status in ((PASSWORD, 401), (OTHER, 200)):
        body = {"email": "victim@example.org", "password": password}
        assert (await Browser(app).post("/api/v1/auth/login", json=body)).status_code == status


async def test_a_changed_address_is_unverified_until_its_own_link_is_opened(
    app: FastAPI, mailbox: Mailbox
) -> None:
    browser = await register(app)
    old = link_in(mailbox)
    changed = await browser.patch("/api/v1/auth/me", json={"email": "new@example.org"})
    assert changed.json()["is_email_verified"] is False
    assert mailbox.messages[-1]["To"] == "new@example.org"
    assert error_of(await browser.post(USE, json={"token": old}))["code"] == "CONFIRMATION_EXPIRED"
    assert (await browser.post(USE, json={"token": link_in(mailbox)})).status_code == 200
    back = await browser.patch("/api/v1/auth/me", json={"email": "victim@example.org"})
    assert back.json()["is_email_verified"] is False


async def test_a_link_expires_after_a_day(
    app: FastAPI, mailbox: Mailbox, turnable_clock: TurnableClock
) -> None:
    browser = await register(app)
    turnable_clock.advance(hours=24, seconds=1)
    refused = await browser.post(USE, json={"token": link_in(mailbox)})
    assert error_of(refused)["code"] == "CONFIRMATION_EXPIRED"


async def test_a_new_link_replaces_the_previous_one_and_resending_is_limited(
    app: FastAPI, mailbox: Mailbox
) -> None:
    browser = await register(app)
    first = link_in(mailbox)
    answers = [(await browser.post(RESEND)).status_code for _ in range(6)]
    assert answers == [204] * 5 + [429]
    assert (
        error_of(await browser.post(USE, json={"token": first}))["code"] == "CONFIRMATION_EXPIRED"
    )
    assert (await browser.post(USE, json={"token": link_in(mailbox)})).status_code == 200
    assert (await browser.post(RESEND)).status_code == 409


class TestWithoutAMailServer:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"smtp_host": None})

    async def test_a_link_cannot_be_sent(self, app: FastAPI) -> None:
        browser = await sign_in(app, await make_user(app, is_verified=False))
        assert error_of(await browser.post(RESEND))["code"] == "MAIL_UNAVAILABLE"
