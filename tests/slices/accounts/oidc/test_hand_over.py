"""An account squatted with another person's address, when that person signs in."""

from datetime import timedelta

from fastapi import FastAPI
from sqlalchemy import func, select

from edison.kit import clock, ids
from edison.workspace.accounts.models import (
    EmailConfirmation,
    ExternalIdentity,
    RecoveryCode,
    SecondFactor,
    SignInLink,
    User,
)
from edison.workspace.accounts.repository import Accounts
from tests.fake_providers.openid import OpenIdProvider
from tests.slices.accounts.oidc.journey import sign_in
from tests.support.browser import Browser

PASSWORD = "Analytical-Engine-1843!"


async def squat(app: FastAPI, email: str = "ada@example.org") -> tuple[Browser, dict[str, str]]:
    """The attacker's browser, and the headers with their access token."""
    attacker = Browser(app)
    body = {"email": email, "password": PASSWORD}
    assert (await attacker.post("/api/v1/auth/register", json=body)).status_code == 201
    made = (await attacker.post("/api/v1/auth/tokens", json={"name": "t", "scope": "admin"})).json()
    return attacker, {"Authorization": f"Bearer {made['token']}"}


async def test_single_sign_on_revokes_earlier_sessions_and_tokens(
    app: FastAPI, anonymous: Browser
) -> None:
    attacker, token = await squat(app)
    async with app.state.database.write() as session:
        user = await Accounts(session).find_by_email("ada@example.org")
        user.second_factor_at = clock.now()
        user.is_local_owner = True
        later = clock.now() + timedelta(days=1)
        session.add(SecondFactor(user_id=user.id, sealed_secret="x", created_at=clock.now()))
        session.add(RecoveryCode(id=ids.new_id(), user_id=user.id, digest="x"))
        session.add(SignInLink(digest="x", expires_at=later))
        session.add(
            EmailConfirmation(
                user_id=user.id,
                email=user.email,
                digest="x",
                created_at=clock.now(),
                expires_at=later,
            )
        )
    assert (await sign_in(anonymous)).status_code == 303
    me = (await anonymous.get("/api/v1/auth/me")).json()["user"]
    assert me["id"] == str(user.id)
    assert (me["is_email_verified"], me["has_password"], me["has_second_factor"]) == (
        True,
        False,
        False,
    )
    assert (await attacker.get("/api/v1/auth/me")).status_code == 401
    assert (await Browser(app).get("/api/v1/auth/me", headers=token)).status_code == 401
    login = {"email": "ada@example.org", "password": PASSWORD}
    assert (await Browser(app).post("/api/v1/auth/login", json=login)).status_code == 401
    async with app.state.database.read() as session:
        for table in (SecondFactor, RecoveryCode, SignInLink, EmailConfirmation):
            assert await session.scalar(select(func.count()).select_from(table)) == 0, table


async def test_the_identity_of_a_squatter_no_longer_signs_in(
    app: FastAPI, anonymous: Browser, provider: OpenIdProvider
) -> None:
    """The attacker signs in with their own identity, then changes their address."""
    own = dict(provider.person)
    provider.person |= {"sub": "attacker", "email": "mallory@example.org"}
    attacker = Browser(app)
    await sign_in(attacker)
    await attacker.patch("/api/v1/auth/me", json={"email": "ada@example.org"})
    mallory = dict(provider.person)
    provider.person.clear()
    provider.person |= own
    await sign_in(anonymous)
    victim = (await anonymous.get("/api/v1/auth/me")).json()["user"]
    assert victim["email"] == "ada@example.org"
    assert (await attacker.get("/api/v1/auth/me")).status_code == 401
    provider.person |= mallory
    async with Browser(app) as again:
        await sign_in(again)
        assert (await again.get("/api/v1/auth/me")).json()["user"]["id"] != victim["id"]
    async with app.state.database.read() as session:
        assert await session.scalar(select(func.count()).select_from(ExternalIdentity)) == 2


async def test_a_verified_account_keeps_its_password_and_tokens(
    app: FastAPI, anonymous: Browser
) -> None:
    owner, token = await squat(app)
    async with app.state.database.write() as session:
        user = await session.scalar(select(User))
        user.email_verified_at = clock.now()
    await sign_in(anonymous)
    assert (await owner.get("/api/v1/auth/me")).status_code == 200
    assert (await Browser(app).get("/api/v1/auth/me", headers=token)).status_code == 200
