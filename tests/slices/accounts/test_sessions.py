"""Cookies, CSRF, listing and revoking sessions, sliding expiry."""

from datetime import timedelta

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from fastapi import FastAPI
from sqlalchemy import select

from edison.kit import clock
from edison.settings import Settings
from edison.workspace.accounts.models import User, UserSession
from edison.workspace.accounts.signing_keys import SigningKeys, add_key, keys_folder, load_keys
from tests.conftest import TurnableClock
from tests.factories.accounts import make_person, sign_in
from tests.support.browser import Browser, error_of

ME = "/api/v1/auth/me"


async def test_the_session_cookie_is_hidden_from_scripts_and_strict(app: FastAPI) -> None:
    body = {"email": "ada@example.org", "password": "Analytical-Engine-1843!"}
    response = await Browser(app).post("/api/v1/auth/register", json=body)
    cookies = {c.partition("=")[0]: c.lower() for c in response.headers.get_list("set-cookie")}
    assert "httponly" in cookies["edison_session"]
    assert "samesite=strict" in cookies["edison_session"]
    assert "httponly" not in cookies["edison_csrf"]
    assert "samesite=strict" in cookies["edison_csrf"]


@pytest.mark.parametrize("sent", [None, "", "wrong"])
async def test_a_change_without_the_csrf_token_is_refused(ada: Browser, sent: str | None) -> None:
    headers = {"X-CSRF-Token": sent or ""}
    response = await ada.patch(ME, json={"name": "Eve"}, headers=headers)
    assert response.status_code == 403
    assert error_of(response)["code"] == "INVALID_CSRF_TOKEN"
    assert (await ada.get(ME)).json()["user"]["name"] is None


async def test_another_sessions_csrf_token_is_refused(app: FastAPI, ada: Browser) -> None:
    _, other = await make_person(app)
    foreign = other.cookies["edison_csrf"]
    ada.set_cookie("edison_csrf", foreign)
    response = await ada.patch(ME, json={"name": "Eve"}, headers={"X-CSRF-Token": foreign})
    assert error_of(response)["code"] == "INVALID_CSRF_TOKEN"


async def test_a_foreign_page_cannot_sign_a_browser_in(anonymous: Browser) -> None:
    body = {"email": "a@b.co", "password": "x"}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        response = await anonymous.post("/api/v1/auth/login", json=body, headers=headers)
        assert error_of(response)["code"] == "INVALID_CSRF_TOKEN"


async def test_logging_out_ends_the_session_itself(ada: Browser) -> None:
    stolen = ada.cookies["edison_session"]
    assert (await ada.post("/api/v1/auth/logout")).status_code == 204
    ada.set_cookie("edison_session", stolen)
    assert (await ada.get(ME)).status_code == 401


async def test_sessions_are_listed_with_the_current_one_marked(
    app: FastAPI, person: tuple[User, Browser]
) -> None:
    user, browser = person
    await sign_in(app, user)
    sessions = (await browser.get("/api/v1/auth/sessions")).json()
    assert sessions["total"] == 2
    assert [item["is_current"] for item in sessions["items"]].count(True) == 1


async def test_one_session_can_be_revoked(app: FastAPI, person: tuple[User, Browser]) -> None:
    user, browser = person
    other = await sign_in(app, user)
    items = (await browser.get("/api/v1/auth/sessions")).json()["items"]
    target = next(item["id"] for item in items if not item["is_current"])
    assert (await browser.delete(f"/api/v1/auth/sessions/{target}")).status_code == 204
    assert (await other.get(ME)).status_code == 401
    assert (await browser.get(ME)).status_code == 200


async def test_users_cannot_revoke_sessions_of_others(app: FastAPI, ada: Browser) -> None:
    _, other = await make_person(app)
    target = (await other.get(ME)).json()["session"]["id"]
    assert (await ada.delete(f"/api/v1/auth/sessions/{target}")).status_code == 404
    assert (await other.get(ME)).status_code == 200


async def test_all_other_sessions_can_be_revoked(
    app: FastAPI, person: tuple[User, Browser]
) -> None:
    user, browser = person
    others = [await sign_in(app, user) for _ in range(2)]
    assert (await browser.delete("/api/v1/auth/sessions")).status_code == 204
    assert [(await other.get(ME)).status_code for other in others] == [401, 401]
    assert (await browser.get(ME)).status_code == 200


@pytest.mark.parametrize(("remember_me", "days"), [(False, 7), (True, 30)])
async def test_sessions_end_after_their_days(
    app: FastAPI, turnable_clock: TurnableClock, remember_me: bool, days: int
) -> None:
    user, _ = await make_person(app)
    browser = await sign_in(app, user, remember_me=remember_me)
    expires = (await browser.get(ME)).json()["session"]["expires_at"]
    assert expires.startswith((clock.now() + timedelta(days=days)).isoformat()[:19])
    turnable_clock.advance(days=days, seconds=1)
    assert (await browser.get(ME)).status_code == 401


async def test_a_session_slides_one_day_before_it_ends(
    app: FastAPI, person: tuple[User, Browser], turnable_clock: TurnableClock
) -> None:
    user, _ = person
    browser = await sign_in(app, user)
    csrf = browser.cookies["edison_csrf"]
    turnable_clock.advance(days=5)
    assert "set-cookie" not in (await browser.get(ME)).headers
    turnable_clock.advance(days=1, hours=1)
    refreshed = await browser.get(ME)
    assert "edison_session" in refreshed.headers["set-cookie"]
    assert browser.cookies["edison_csrf"] == csrf
    async with app.state.database.read() as session:
        rows = (await session.scalars(select(UserSession.expires_at))).all()
    assert max(rows) == clock.now() + timedelta(days=7)


def forged(claims: dict[str, object], key: object, algorithm: str, **headers: str) -> str:
    return jwt.encode(claims, key, algorithm, headers=headers)  # type: ignore[arg-type]


async def test_forged_expired_and_unsigned_tokens_are_refused(app: FastAPI, ada: Browser) -> None:
    genuine = ada.cookies["edison_session"]
    header = jwt.get_unverified_header(genuine)
    claims = jwt.decode(genuine, options={"verify_signature": False})
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    keys: SigningKeys = app.state.signing_keys
    public = keys._current.private.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    expired = claims | {"exp": int((clock.now() - timedelta(minutes=1)).timestamp())}
    attempts = {
        "alg none": forged(claims, None, "none", kid=header["kid"]),
        "another key": forged(claims, stranger, "RS256", kid=header["kid"]),
        "public key as secret": forged(claims, public.hex(), "HS256", kid=header["kid"]),
        "unknown kid": forged(claims, stranger, "RS256", kid="nobody"),
        "expired": keys.sign(expired),
        "changed payload": genuine.replace(genuine.split(".")[1], genuine.split(".")[1][::-1]),
        "garbage": "x",
    }
    for kind, token in attempts.items():
        ada.set_cookie("edison_session", token)
        assert (await ada.get(ME)).status_code == 401, kind


def test_the_first_start_makes_a_key_only_its_owner_can_read(settings: Settings) -> None:
    own = settings.model_copy(update={"jwt_private_key": None})
    load_keys(own)
    (file,) = keys_folder(own).glob("*.pem")
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_rotated_key_signs_and_the_old_one_still_verifies(settings: Settings) -> None:
    own = settings.model_copy(update={"jwt_private_key": None})
    later = int((clock.now() + timedelta(hours=1)).timestamp())
    claims = {"sub": "a", "jti": "b", "iat": 0, "exp": later}
    old = load_keys(own).sign(claims)
    added = add_key(keys_folder(own))
    rotated = load_keys(own)
    assert rotated.read(old) == claims
    assert jwt.get_unverified_header(rotated.sign(claims))["kid"] == added.stem
