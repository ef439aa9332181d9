"""The OpenID handshake: no forged sign-in, and no open redirect."""

from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi import FastAPI

from edison.settings import Settings
from edison.workspace.accounts import cookies
from edison.workspace.accounts.models import User
from edison.workspace.accounts.single_sign_on import handshake
from tests.fake_providers.openid import (
    OpenIdProvider,
)
from tests.slices.accounts.oidc.journey import (
    CALLBACK,
    START,
    failure_of,
    go_to_provider,
    sign_in,
)
from tests.support.browser import Browser, error_of


@pytest.mark.parametrize(
    "wanted",
    [
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "evil.example",
        "/ok\r\nLocation: //evil.example",
        "/\t/evil.example",
        " /projects",
        "/" + "x" * 600,
        "",
    ],
)
async def test_the_redirect_stays_on_this_server(anonymous: Browser, wanted: str) -> None:
    assert (await sign_in(anonymous, next=wanted)).headers["location"] == "/"


async def test_the_handshake_cookie_is_narrow_and_short_lived(anonymous: Browser) -> None:
    start = await anonymous.get(START)
    (cookie,) = start.headers.get_list("set-cookie")
    attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {
        "httponly",
        "samesite=lax",
        "max-age=600",
        f"path={handshake.COOKIE_PATH}",
    } <= attributes
    finish = await anonymous.get(await go_to_provider(anonymous, start))
    cleared = [c for c in finish.headers.get_list("set-cookie") if c.startswith(handshake.COOKIE)]
    assert "max-age=0" in cleared[0].lower()


async def test_the_request_to_the_provider_has_a_fresh_state_nonce_and_challenge(
    anonymous: Browser,
) -> None:
    asked = []
    for _ in range(2):
        start = await anonymous.get(START)
        asked.append(parse_qs(urlsplit(start.headers["location"]).query))
    for name in ("state", "nonce", "code_challenge"):
        assert asked[0][name] != asked[1][name]
        assert len(asked[0][name][0]) >= 43
    assert asked[0]["redirect_uri"] == [f"http://edison.localhost{CALLBACK}"]


async def test_another_browser_cannot_finish_the_handshake(
    app: FastAPI, anonymous: Browser
) -> None:
    back = await go_to_provider(anonymous, await anonymous.get(START))
    async with Browser(app) as other:
        assert failure_of(await other.get(back)) == "oidc_state"
        await other.get(START)
        assert failure_of(await other.get(back)) == "oidc_state"


async def test_a_forged_or_foreign_cookie_is_no_handshake(
    app: FastAPI, anonymous: Browser, person: tuple[User, Browser]
) -> None:
    back = await go_to_provider(anonymous, await anonymous.get(START))
    session_token = person[1].cookies[cookies.SESSION_COOKIE]
    for value in ("forged", session_token):
        async with Browser(app) as other:
            other.cookies.set(handshake.COOKIE, value)
            assert failure_of(await other.get(back)) == "oidc_state"


async def test_a_handshake_cookie_is_no_session(app: FastAPI, anonymous: Browser) -> None:
    start = await anonymous.get(START)
    async with Browser(app) as other:
        other.cookies.set(cookies.SESSION_COOKIE, start.cookies[handshake.COOKIE])
        assert (await other.get("/api/v1/auth/me")).status_code == 401


async def test_a_code_works_once(app: FastAPI, anonymous: Browser) -> None:
    start = await anonymous.get(START)
    back = await go_to_provider(anonymous, start)
    cookie = start.cookies[handshake.COOKIE]
    assert (await anonymous.get(back)).headers["location"] == "/"
    async with Browser(app) as other:
        other.cookies.set(handshake.COOKIE, cookie)
        assert failure_of(await other.get(back)) == "oidc_rejected"


async def test_a_code_without_its_verifier_is_refused(app: FastAPI, anonymous: Browser) -> None:
    """An attacker who saw the code lacks the verifier in the first browser's cookie."""
    back = await go_to_provider(anonymous, await anonymous.get(START))
    code = parse_qs(urlsplit(back).query)["code"][0]
    async with Browser(app) as other:
        start = await other.get(START)
        state = parse_qs(urlsplit(start.headers["location"]).query)["state"][0]
        stolen = await other.get(CALLBACK, params={"code": code, "state": state})
        assert failure_of(stolen) == "oidc_rejected"


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        ("access_denied", "oidc_denied"),
        ("login_required", "oidc_denied"),
        ("server_error", "oidc_unavailable"),
        ("temporarily_unavailable", "oidc_unavailable"),
    ],
)
async def test_a_denial_of_the_provider_is_reported(
    anonymous: Browser, provider: OpenIdProvider, error: str, failure: str
) -> None:
    provider.wrong.denies = error
    assert failure_of(await sign_in(anonymous)) == failure


async def test_coming_back_with_nothing_is_a_denial(anonymous: Browser) -> None:
    start = await anonymous.get(START)
    state = parse_qs(urlsplit(start.headers["location"]).query)["state"][0]
    assert failure_of(await anonymous.get(CALLBACK, params={"state": state})) == "oidc_denied"


class TestBehindAProxy:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"public_url": "https://edison.example.org"})

    async def test_the_redirect_uri_uses_the_public_address(self, anonymous: Browser) -> None:
        start = await anonymous.get(START)
        asked = parse_qs(urlsplit(start.headers["location"]).query)
        assert asked["redirect_uri"] == [f"https://edison.example.org{CALLBACK}"]
        assert "secure" in start.headers["set-cookie"].lower()


class TestNotConfigured:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"oidc_issuer": None, "oidc_client_id": None})

    @pytest.mark.parametrize("path", [START, CALLBACK])
    async def test_the_routes_do_not_exist(self, anonymous: Browser, path: str) -> None:
        response = await anonymous.get(path)
        assert response.status_code == 404
        assert error_of(response)["code"] == "NOT_FOUND"
