"""Signing in through an OpenID provider: the way there and back, and everything it can do wrong."""

import time
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from asgi_lifespan import LifespanManager
from cryptography.hazmat.primitives.asymmetric import rsa
from fastapi import FastAPI
from pydantic import ValidationError
from sqlalchemy import select

from edison.app.main import create_app
from edison.settings import Settings
from edison.workspace.accounts import service, sessions
from edison.workspace.accounts.models import ExternalIdentity, User
from edison.workspace.accounts.single_sign_on import calls, handshake
from edison.workspace.audit.models import AuditEntry
from tests.factories.accounts import make_user
from tests.fake_providers.openid import (
    CLIENT_ID,
    CLIENT_SECRET,
    OpenIdProvider,
    running_provider,
)
from tests.support.browser import Browser, error_of

START = "/api/v1/auth/oidc/start"
CALLBACK = "/api/v1/auth/oidc/callback"


@pytest.fixture(scope="session")
def rsa_keys() -> list[rsa.RSAPrivateKey]:
    """The provider's first key, the one it rotates to, and a stranger's."""
    return [rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(3)]


@pytest.fixture
async def provider(rsa_keys: list[rsa.RSAPrivateKey]) -> AsyncIterator[OpenIdProvider]:
    async with running_provider(rsa_keys) as provider:
        yield provider


@pytest.fixture
def settings(settings: Settings, provider: OpenIdProvider) -> Settings:
    return Settings(
        **settings.model_dump(exclude={"oidc_issuer", "oidc_client_id", "oidc_client_secret"}),
        oidc_issuer=provider.issuer,
        oidc_client_id=CLIENT_ID,
        oidc_client_secret=CLIENT_SECRET,
    )


async def go_to_provider(browser: Browser, start: httpx.Response) -> str:
    """Follow the redirect to the provider; returns where it sends the browser back to."""
    assert start.status_code == 302, start.text
    async with httpx.AsyncClient(verify=False) as outside:  # noqa: S501 - plain HTTP, and fast
        back = await outside.get(start.headers["location"])
    assert back.status_code == 302, back.text
    address = urlsplit(back.headers["location"])
    assert f"{address.scheme}://{address.netloc}" == str(browser.base_url)
    return f"{address.path}?{address.query}"


async def sign_in(browser: Browser, **params: str) -> httpx.Response:
    start = await browser.get(START, params=params)
    return await browser.get(await go_to_provider(browser, start))


def failure_of(response: httpx.Response) -> str:
    """The code on the login page's address."""
    assert response.status_code == 303, response.text
    address = urlsplit(response.headers["location"])
    assert (address.scheme, address.netloc, address.path) == ("", "", "/login")
    assert sessions.SESSION_COOKIE not in response.cookies
    return parse_qs(address.query)["error"][0]


async def actions(app: FastAPI) -> list[tuple[str, str]]:
    async with app.state.database.read() as session:
        rows = await session.execute(
            select(AuditEntry.action, AuditEntry.outcome).order_by(AuditEntry.at, AuditEntry.id)
        )
        return [(row.action, row.outcome) for row in rows]


async def test_a_stranger_gets_an_account_and_lands_on_the_page_they_wanted(
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
async def test_an_odd_name_is_left_out(
    anonymous: Browser, provider: OpenIdProvider, name: object
) -> None:
    provider.person["name"] = name
    assert (await sign_in(anonymous)).headers["location"] == "/"
    assert (await anonymous.get("/api/v1/auth/me")).json()["user"]["name"] is None


class TestByInvitationOnly:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"registration": "invited"})

    async def test_strangers_stay_outside(self, app: FastAPI, anonymous: Browser) -> None:
        assert failure_of(await sign_in(anonymous)) == "registration_closed"
        assert await actions(app) == [("user.oidc_login_failed", "denied")]

    async def test_people_with_an_account_come_in(self, app: FastAPI, anonymous: Browser) -> None:
        await make_user(app, "ada@example.org")
        assert (await sign_in(anonymous)).headers["location"] == "/"


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
async def test_the_way_back_never_leads_elsewhere(anonymous: Browser, wanted: str) -> None:
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
    assert asked[0]["redirect_uri"] == [f"http://edison.test{CALLBACK}"]


async def test_another_browser_cannot_finish_what_this_one_began(
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
    session_token = person[1].cookies[sessions.SESSION_COOKIE]
    for value in ("forged", session_token):
        async with Browser(app) as other:
            other.cookies.set(handshake.COOKIE, value)
            assert failure_of(await other.get(back)) == "oidc_state"


async def test_a_handshake_cookie_is_no_session(app: FastAPI, anonymous: Browser) -> None:
    start = await anonymous.get(START)
    async with Browser(app) as other:
        other.cookies.set(sessions.SESSION_COOKIE, start.cookies[handshake.COOKIE])
        assert (await other.get("/api/v1/auth/me")).status_code == 401


async def test_a_code_works_once(app: FastAPI, anonymous: Browser) -> None:
    start = await anonymous.get(START)
    back = await go_to_provider(anonymous, start)
    cookie = start.cookies[handshake.COOKIE]
    assert (await anonymous.get(back)).headers["location"] == "/"
    async with Browser(app) as other:
        other.cookies.set(handshake.COOKIE, cookie)
        assert failure_of(await other.get(back)) == "oidc_rejected"


async def test_a_code_without_its_verifier_is_worth_nothing(
    app: FastAPI, anonymous: Browser
) -> None:
    """An attacker who saw the code still lacks what only the first browser's cookie holds."""
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
async def test_the_provider_may_say_no(
    anonymous: Browser, provider: OpenIdProvider, error: str, failure: str
) -> None:
    provider.wrong.denies = error
    assert failure_of(await sign_in(anonymous)) == failure


async def test_coming_back_with_nothing_is_a_denial(anonymous: Browser) -> None:
    start = await anonymous.get(START)
    state = parse_qs(urlsplit(start.headers["location"]).query)["state"][0]
    assert failure_of(await anonymous.get(CALLBACK, params={"state": state})) == "oidc_denied"


NOW = int(time.time())


@pytest.mark.parametrize(
    ("claims", "without"),
    [
        pytest.param({"nonce": "another"}, set(), id="wrong nonce"),
        pytest.param({}, {"nonce"}, id="no nonce"),
        pytest.param({"aud": "another-client"}, set(), id="wrong audience"),
        pytest.param({"aud": [CLIENT_ID, "another-client"]}, set(), id="shared audience"),
        pytest.param({"azp": "another-client"}, set(), id="another authorized party"),
        pytest.param({"iss": "https://evil.example"}, set(), id="wrong issuer"),
        pytest.param({"exp": NOW - 3600, "iat": NOW - 7200}, set(), id="expired"),
        pytest.param({"iat": NOW + 3600, "exp": NOW + 7200}, set(), id="from the future"),
        pytest.param({}, {"exp"}, id="no expiry"),
        pytest.param({}, {"sub"}, id="no subject"),
        pytest.param({"sub": "x" * 300}, set(), id="endless subject"),
    ],
)
async def test_a_token_with_wrong_claims_is_rejected(
    anonymous: Browser, provider: OpenIdProvider, claims: dict[str, Any], without: set[str]
) -> None:
    provider.wrong.claims, provider.wrong.without = claims, without
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
async def test_a_token_anybody_could_have_made_is_rejected(
    anonymous: Browser, provider: OpenIdProvider, algorithm: str
) -> None:
    provider.wrong.algorithm = algorithm
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"


async def test_a_token_signed_by_a_stranger_is_rejected(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    provider.wrong.signed_by_stranger = True
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"


async def test_elliptic_curve_signatures_are_fine(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    provider.wrong.algorithm = "ES256"
    assert (await sign_in(anonymous)).headers["location"] == "/"


async def test_documents_are_fetched_once_and_a_rotated_key_is_looked_up(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    await sign_in(anonymous)
    await sign_in(anonymous)
    assert provider.calls.count("jwks") == 1
    assert provider.calls.count("openid-configuration") == 1
    provider.rotate_key()
    assert (await sign_in(anonymous)).headers["location"] == "/"
    assert provider.calls.count("jwks") == 2


async def test_a_key_nobody_publishes_is_asked_for_only_once(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    await sign_in(anonymous)
    provider.rotate_key()
    provider.wrong.fails_at = "jwks"
    assert failure_of(await sign_in(anonymous)) == "oidc_unavailable"
    assert provider.calls.count("jwks") == 2


async def test_userinfo_adds_an_email_the_token_left_out(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    provider.wrong.without = {"email", "email_verified"}
    assert (await sign_in(anonymous)).headers["location"] == "/"
    assert provider.calls.count("userinfo") == 1


async def test_userinfo_about_somebody_else_is_rejected(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    provider.wrong.without = {"email"}
    provider.wrong.userinfo_subject = "charles"
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"


@pytest.mark.parametrize("trouble", ["fails_at", "html_at", "huge_at", "redirects_at"])
@pytest.mark.parametrize("place", ["openid-configuration", "token", "jwks", "userinfo"])
async def test_a_provider_in_trouble_ends_on_the_login_page(
    anonymous: Browser, provider: OpenIdProvider, trouble: str, place: str
) -> None:
    provider.wrong.without = {"email"}
    setattr(provider.wrong, trouble, place)
    if place == "openid-configuration":
        response = await anonymous.get(START)
    else:
        response = await sign_in(anonymous)
    assert failure_of(response) == "oidc_unavailable"
    assert "elsewhere" not in provider.calls


@pytest.mark.parametrize("place", ["openid-configuration", "token", "jwks"])
async def test_a_slow_provider_is_given_up_on(
    anonymous: Browser, provider: OpenIdProvider, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(calls, "TIMEOUT_SECONDS", 0.2)
    provider.wrong.slow_at = place
    if place == "openid-configuration":
        response = await anonymous.get(START)
    else:
        response = await sign_in(anonymous)
    assert failure_of(response) == "oidc_unavailable"


@pytest.mark.parametrize(
    "document",
    [
        {"issuer": "https://evil.example"},
        {"token_endpoint": "file:///etc/passwd"},
        {"jwks_uri": 7},
        {"authorization_endpoint": None},
    ],
)
async def test_an_untrustworthy_discovery_document_is_not_used(
    anonymous: Browser, provider: OpenIdProvider, document: dict[str, Any]
) -> None:
    provider.wrong.discovery = document
    assert failure_of(await anonymous.get(START)) == "oidc_unavailable"


async def test_a_provider_may_want_the_secret_in_the_form(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    provider.wrong.discovery = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    assert (await sign_in(anonymous)).headers["location"] == "/"


async def test_a_failure_of_ours_is_no_redirect(
    anonymous: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(service, "begin_session", fail)
    response = await sign_in(anonymous)
    assert response.status_code == 500
    assert "secret detail" not in response.text


class TestBehindAProxy:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"public_url": "https://edison.example.org"})

    async def test_the_public_address_is_the_way_back(self, anonymous: Browser) -> None:
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


def test_an_issuer_without_a_client_is_a_mistake_in_the_settings() -> None:
    with pytest.raises(ValidationError, match="oidc_client_id"):
        Settings(oidc_issuer="https://accounts.google.com")


async def test_an_unreachable_provider_does_not_keep_edison_from_starting(
    settings: Settings,
) -> None:
    gone = settings.model_copy(update={"oidc_issuer": "http://127.0.0.1:9"})
    app = create_app(gone)
    async with LifespanManager(app), Browser(app) as browser:
        assert failure_of(await browser.get(START)) == "oidc_unavailable"
