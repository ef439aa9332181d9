"""Signing in with GitHub, which has no ID tokens."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi import FastAPI
from pydantic import ValidationError

from edison.settings import Settings
from edison.workspace.accounts.single_sign_on.github import GitHub
from edison.workspace.accounts.single_sign_on.service import choose_provider
from tests.fake_providers.github import CLIENT_ID, CLIENT_SECRET, FakeGitHub, running_github
from tests.support.browser import Browser
from tests.support.patience import PATIENCE_SECONDS


@pytest.fixture
async def github(app: FastAPI) -> AsyncIterator[FakeGitHub]:
    async with running_github() as github:
        app.state.identity_provider = GitHub(
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
            site_url=github.url,
            api_url=f"{github.url}/api",
        )
        yield github


async def sign_in(browser: Browser) -> str:
    """The address at which the browser ends up."""
    start = await browser.get("/api/v1/auth/oidc/start")
    async with httpx.AsyncClient(verify=False, timeout=PATIENCE_SECONDS) as outside:  # noqa: S501 - plain HTTP, and fast
        back = urlsplit((await outside.get(start.headers["location"])).headers["location"])
    response = await browser.get(f"{back.path}?{back.query}")
    assert response.status_code == 303
    return str(response.headers["location"])


@pytest.mark.usefixtures("github")
async def test_the_verified_primary_email_makes_the_account(anonymous: Browser) -> None:
    assert await sign_in(anonymous) == "/"
    user = (await anonymous.get("/api/v1/auth/me")).json()["user"]
    assert (user["email"], user["name"]) == ("ada@example.org", "Ada Lovelace")


async def test_a_renamed_account_stays_the_same_person(
    app: FastAPI, anonymous: Browser, github: FakeGitHub
) -> None:
    await sign_in(anonymous)
    first = (await anonymous.get("/api/v1/auth/me")).json()["user"]
    github.user = {"id": 1815, "login": "countess", "name": None}
    github.emails = []
    async with Browser(app) as other:
        assert await sign_in(other) == "/"
        assert (await other.get("/api/v1/auth/me")).json()["user"] == first


@pytest.mark.parametrize(
    ("emails", "failure"),
    [
        ([{"email": "a@example.org", "primary": True, "verified": False}], "oidc_email_unverified"),
        ([{"email": "a@example.org", "primary": False, "verified": True}], "oidc_email_missing"),
        ([], "oidc_email_missing"),
        ({"message": "Bad credentials"}, "oidc_unavailable"),
    ],
)
async def test_without_a_verified_primary_email_there_is_no_account(
    anonymous: Browser, github: FakeGitHub, emails: Any, failure: str
) -> None:
    github.emails = emails
    assert await sign_in(anonymous) == f"/login?error={failure}"


@pytest.mark.parametrize("user", [{}, [], {"id": None}, {"id": "not a number"}])
async def test_an_unexpected_response_counts_as_an_outage(
    anonymous: Browser, github: FakeGitHub, user: Any
) -> None:
    github.user = user
    assert await sign_in(anonymous) == "/login?error=oidc_unavailable"


async def test_a_refused_code_is_rejected(anonymous: Browser, github: FakeGitHub) -> None:
    github.refuses_code = True
    assert await sign_in(anonymous) == "/login?error=oidc_rejected"


def test_the_issuer_chooses_the_implementation() -> None:
    settings = Settings(
        oidc_issuer="https://github.com/", oidc_client_id="id", oidc_client_secret="secret"
    )
    assert isinstance(choose_provider(settings), GitHub)
    with pytest.raises(ValidationError, match="oidc_client_secret"):
        Settings(oidc_issuer="https://github.com", oidc_client_id="id")
