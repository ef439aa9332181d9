"""Linking of provider identities to accounts."""

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.settings import Settings
from edison.workspace.accounts.models import ExternalIdentity, User
from tests.factories.accounts import make_user
from tests.fake_providers.openid import (
    OpenIdProvider,
)
from tests.slices.accounts.oidc.journey import (
    actions,
    failure_of,
    sign_in,
)
from tests.support.browser import Browser


async def test_a_new_user_gets_an_account_and_the_requested_page(
    app: FastAPI, anonymous: Browser
) -> None:
    response = await sign_in(anonymous, next="/p/engine?tab=1#top")
    assert response.status_code == 303
    assert response.headers["location"] == "/p/engine?tab=1#top"
    me = (await anonymous.get("/api/v1/auth/me")).json()
    assert me["user"]["email"] == "ada@example.org"
    assert me["user"]["name"] == "Ada Lovelace"
    assert not me["user"]["has_password"]
    assert await actions(app) == [
        ("user.registered", "allowed"),
        ("user.identity_linked", "allowed"),
        ("user.oidc_login", "allowed"),
    ]


async def test_the_same_identity_is_the_same_account_even_with_another_email(
    app: FastAPI, anonymous: Browser, provider: OpenIdProvider
) -> None:
    await sign_in(anonymous)
    first = (await anonymous.get("/api/v1/auth/me")).json()["user"]
    provider.person |= {"email": "countess@example.org", "email_verified": False}
    async with Browser(app) as other:
        await sign_in(other)
        assert (await other.get("/api/v1/auth/me")).json()["user"] == first


async def test_a_verified_email_finds_the_account_that_exists(
    app: FastAPI, anonymous: Browser
) -> None:
    user = await make_user(app, "ada@example.org")
    await sign_in(anonymous)
    assert (await anonymous.get("/api/v1/auth/me")).json()["user"]["id"] == str(user.id)
    assert await actions(app) == [
        ("user.identity_linked", "allowed"),
        ("user.oidc_login", "allowed"),
    ]


@pytest.mark.parametrize("flag", [False, None, "false", 1, "yes"])
async def test_an_unverified_email_neither_finds_nor_creates_an_account(
    app: FastAPI, anonymous: Browser, provider: OpenIdProvider, flag: object
) -> None:
    await make_user(app, "ada@example.org")
    provider.person["email_verified"] = flag
    assert failure_of(await sign_in(anonymous)) == "oidc_email_unverified"
    provider.person["email"] = "nobody@example.org"
    assert failure_of(await sign_in(anonymous)) == "oidc_email_unverified"
    assert (await anonymous.get("/api/v1/auth/me")).status_code == 401
    async with app.state.database.read() as session:
        assert len((await session.scalars(select(User))).all()) == 1
        assert (await session.scalars(select(ExternalIdentity))).all() == []
    assert await actions(app) == [("user.oidc_login_failed", "denied")] * 2


@pytest.mark.parametrize("email", [None, "", "not an address", 7])
async def test_an_identity_without_a_usable_email_is_refused(
    anonymous: Browser, provider: OpenIdProvider, email: object
) -> None:
    provider.person["email"] = email
    assert failure_of(await sign_in(anonymous)) == "oidc_email_missing"


@pytest.mark.parametrize("name", [None, "", "x" * 300, "a\x00b", 7])
async def test_an_invalid_name_is_ignored(
    anonymous: Browser, provider: OpenIdProvider, name: object
) -> None:
    provider.person["name"] = name
    assert (await sign_in(anonymous)).headers["location"] == "/"
    assert (await anonymous.get("/api/v1/auth/me")).json()["user"]["name"] is None


class TestByInvitationOnly:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"registration": "invited"})

    async def test_new_identities_are_refused(self, app: FastAPI, anonymous: Browser) -> None:
        assert failure_of(await sign_in(anonymous)) == "registration_closed"
        assert await actions(app) == [("user.oidc_login_failed", "denied")]

    async def test_existing_users_can_sign_in(self, app: FastAPI, anonymous: Browser) -> None:
        await make_user(app, "ada@example.org")
        assert (await sign_in(anonymous)).headers["location"] == "/"
