"""A cookie with a valid signature and invalid claims is refused like an anonymous request."""

import base64
import json
from datetime import timedelta
from typing import Any

import jwt
import pytest
from fastapi import FastAPI

from edison.kit import clock, ids
from edison.workspace.accounts import cookies
from edison.workspace.accounts.single_sign_on import handshake
from tests.support.browser import Browser

ABSENT = object()
BAD_CLAIMS: list[tuple[str, Any]] = [
    *[("jti", each) for each in ("", "x", "not-a-uuid", 7, None, [], {}, True, ABSENT, "{0}" * 9)],
    *[("csrf", each) for each in (None, 7, [], {}, ABSENT, True)],
    *[("sub", each) for each in (None, 7, [], ABSENT)],
    *[("exp", each) for each in (None, "soon", [], float("inf"), -1, ABSENT)],
    *[("iat", each) for each in (None, "then", [], float("inf"), 10**12, ABSENT)],
]


def sign(app: FastAPI, claims: dict[str, Any], **headers: Any) -> str:
    key = app.state.signing_keys._current
    return jwt.encode(claims, key.private, "RS256", headers={"kid": key.kid, **headers})


def good_claims() -> dict[str, Any]:
    now = clock.now()
    return {
        "sub": str(ids.new_id()),
        "jti": str(ids.new_id()),
        "iat": int(now.timestamp()),
        "exp": int((now + timedelta(days=1)).timestamp()),
        "csrf": "x",
    }


def forge(app: FastAPI, claims: dict[str, Any]) -> str:
    """Signs the claims unchanged: PyJWT refuses to write some of them."""
    key = app.state.signing_keys._current
    payload = json.dumps(claims).encode()
    return jwt.api_jws.encode(payload, key.private, "RS256", headers={"kid": key.kid})


@pytest.mark.parametrize(("name", "value"), BAD_CLAIMS)
async def test_a_claim_of_the_wrong_kind_is_refused(
    app: FastAPI, anonymous: Browser, name: str, value: Any
) -> None:
    claims = good_claims()
    claims.pop(name)
    if value is not ABSENT:
        claims[name] = value
    anonymous.set_cookie(cookies.SESSION_COOKIE, forge(app, claims))
    for method in ("GET", "PATCH"):
        response = await anonymous.request(method, "/api/v1/auth/me", json={})
        assert response.status_code == 401, response.text


@pytest.mark.parametrize(
    "token",
    [
        "",
        ".",
        "..",
        "a.b.c",
        "é.é.é",
        base64.urlsafe_b64encode(b"[" * 20_000).decode() + ".e30.e30",
        base64.urlsafe_b64encode(b'{"kid": ["x"], "alg": "RS256"}').decode() + ".e30.e30",
        base64.urlsafe_b64encode(b'{"kid": 1e999, "alg": "RS256"}').decode() + ".e30.e30",
        base64.urlsafe_b64encode(b"\xff\xfe").decode() + ".e30.e30",
    ],
    ids=range(9),
)
async def test_a_cookie_that_is_no_token_is_refused(anonymous: Browser, token: str) -> None:
    headers = {"Cookie": f"{cookies.SESSION_COOKIE}={token}".encode()}
    response = await anonymous.get("/api/v1/auth/me", headers=headers)
    assert response.status_code == 401, response.text


@pytest.mark.parametrize("missing", ["csrf", "nonce", "verifier", "next"])
def test_an_incomplete_handshake_is_refused(missing: str) -> None:
    claims = {"sub": "oidc", "csrf": "a", "nonce": "b", "verifier": "c", "next": "/"}
    assert handshake._is_complete(claims)
    assert not handshake._is_complete({**claims, missing: 7})
    claims.pop(missing)
    assert not handshake._is_complete(claims)


@pytest.mark.parametrize(
    "value", ["edn_", "edn_é", "Bearer", "edn_" + "x" * 5000, "\t", "edn_\x00"]
)
async def test_a_malformed_bearer_token_is_refused(anonymous: Browser, value: str) -> None:
    headers = {"Authorization": f"Bearer {value}".encode("latin-1")}
    assert (await anonymous.get("/api/v1/auth/me", headers=headers)).status_code == 401
