"""A new password by a mailed link."""

import re

import pytest
from fastapi import FastAPI

from edison.kit import clock
from edison.settings import Settings
from edison.workspace.accounts.service import get_user_by_email
from tests.conftest import TurnableClock
from tests.factories.accounts import make_user
from tests.slices.notifications.conftest import Mailbox
from tests.support.browser import Browser, error_of, fields_of

OLD, NEW = "Analytical-Engine-1843!", "Difference-Engine-1822!"
REQUEST = "/api/v1/auth/password-reset"
USE = "/api/v1/auth/new-password"
LOGIN = "/api/v1/auth/login"
EMAIL = "ada@example.org"


@pytest.fixture
def settings(settings: Settings, smtp_port: int) -> Settings:
    mail = {"smtp_host": "127.0.0.1", "smtp_port": smtp_port, "smtp_security": "none"}
    return settings.model_copy(update=mail)


async def register(app: FastAPI, *, is_verified: bool = True) -> Browser:
    browser = Browser(app)
    body = {"email": EMAIL, "password": OLD}
    assert (await browser.post("/api/v1/auth/register", json=body)).status_code == 201
    if is_verified:
        async with app.state.database.write() as session:
            user = await get_user_by_email(session, email=EMAIL)
            user.email_verified_at = clock.now()
    return browser


async def request(app: FastAPI, email: str = EMAIL) -> int:
    return (await Browser(app).post(REQUEST, json={"email": email})).status_code


def link_in(mailbox: Mailbox) -> str:
    return resets_in(mailbox)[-1]


def resets_in(mailbox: Mailbox) -> list[str]:
    """The links, without mails of other kinds."""
    texts = [message.get_content() for message in mailbox.messages]
    return [link for text in texts for link in re.findall(r"/reset-password#token=(\S+)", text)]


async def log_in(app: FastAPI, password: str) -> int:
    body = {"email": EMAIL, "password": password}
    return (await Browser(app).post(LOGIN, json=body)).status_code


async def test_a_forgotten_password_is_replaced_once(app: FastAPI, mailbox: Mailbox) -> None:
    signed_in = await register(app)
    assert await request(app, " ADA@example.org") == 204
    link = link_in(mailbox)
    used = await Browser(app).post(USE, json={"token": link, "password": NEW})
    assert used.status_code == 204
    assert (await signed_in.get("/api/v1/auth/me")).status_code == 401
    assert [await log_in(app, OLD), await log_in(app, NEW)] == [401, 200]
    again = await Browser(app).post(USE, json={"token": link, "password": OLD})
    assert (again.status_code, error_of(again)["code"]) == (409, "RESET_EXPIRED")
    assert await log_in(app, NEW) == 200


async def test_a_link_is_valid_for_an_hour(
    app: FastAPI, mailbox: Mailbox, turnable_clock: TurnableClock
) -> None:
    await register(app)
    await request(app)
    turnable_clock.advance(minutes=61)
    late = await Browser(app).post(USE, json={"token": link_in(mailbox), "password": NEW})
    assert error_of(late)["code"] == "RESET_EXPIRED"


async def test_a_weak_password_is_refused_and_the_link_stays_valid(
    app: FastAPI, mailbox: Mailbox
) -> None:
    await register(app)
    await request(app)
    link = link_in(mailbox)
    weak = await Browser(app).post(USE, json={"token": link, "password": "short"})
    assert fields_of(weak) == {"password"}
    used = await Browser(app).post(USE, json={"token": link, "password": NEW})
    assert used.status_code == 204


async def test_the_answer_does_not_say_whether_an_account_exists(
    app: FastAPI, mailbox: Mailbox
) -> None:
    assert await request(app, "unknown@example.org") == 204
    await make_user(app, "sso@example.org")
    assert await request(app, "sso@example.org") == 204
    assert mailbox.messages == []


async def test_several_requests_send_three_mails(app: FastAPI, mailbox: Mailbox) -> None:
    await register(app)
    assert [await request(app) for _ in range(4)] == [204] * 4
    assert len(resets_in(mailbox)) == 3


async def test_a_session_token_is_no_reset_link(app: FastAPI) -> None:
    browser = await register(app)
    cookie = browser.cookies["edison_session"]
    refused = await Browser(app).post(USE, json={"token": cookie, "password": NEW})
    assert error_of(refused)["code"] == "RESET_EXPIRED"


async def test_an_unverified_account_is_handed_over(app: FastAPI, mailbox: Mailbox) -> None:
    """Another person may have registered the address: they lose the account and its tokens."""
    squatter = await register(app, is_verified=False)
    made = (await squatter.post("/api/v1/auth/tokens", json={"name": "t"})).json()
    await request(app)
    await Browser(app).post(USE, json={"token": link_in(mailbox), "password": NEW})
    token = {"Authorization": f"Bearer {made['token']}"}
    assert (await Browser(app).get("/api/v1/auth/me", headers=token)).status_code == 401
    signed_in = await Browser(app).post(LOGIN, json={"email": EMAIL, "password": NEW})
    assert signed_in.json()["user"]["is_email_verified"] is True
