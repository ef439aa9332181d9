"""Unreliable providers and invalid settings."""

from typing import Any

import pytest
from asgi_lifespan import LifespanManager
from pydantic import ValidationError

from edison.app.main import create_app
from edison.settings import Settings
from edison.workspace.accounts import service
from edison.workspace.accounts.single_sign_on import oauth
from tests.fake_providers.openid import (
    OpenIdProvider,
)
from tests.slices.accounts.oidc.journey import (
    START,
    failure_of,
    go_to_provider,
    sign_in,
)
from tests.support.browser import Browser


@pytest.mark.parametrize("trouble", ["fails_at", "html_at", "huge_at", "redirects_at"])
@pytest.mark.parametrize("place", ["openid-configuration", "token", "jwks", "userinfo"])
async def test_a_failing_provider_redirects_to_the_login_page(
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
async def test_a_slow_provider_times_out(
    anonymous: Browser, provider: OpenIdProvider, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    provider.wrong.slow_at = place
    address = START
    if place != "openid-configuration":
        address = await go_to_provider(anonymous, await anonymous.get(START))
    monkeypatch.setattr(oauth, "TIMEOUT_SECONDS", 0.2)
    response = await anonymous.get(address)
    assert failure_of(response) == "oidc_unavailable"


@pytest.mark.parametrize(
    "document",
    [
        {"issuer": "https://evil.example"},
        {"token_endpoint": "file:///etc/passwd"},
        {"jwks_uri": 7},
        {"authorization_endpoint": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"userinfo_endpoint": "ftp://127.0.0.1/"},
        {"jwks_uri": "http://["},
        {"issuer": 7},
        {"token_endpoint_auth_methods_supported": None},
    ],
)
async def test_an_untrustworthy_discovery_document_is_not_used(
    anonymous: Browser, provider: OpenIdProvider, document: dict[str, Any]
) -> None:
    provider.wrong.discovery = document
    assert failure_of(await anonymous.get(START)) == "oidc_unavailable"


async def test_a_provider_may_require_client_secret_post(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    provider.wrong.discovery = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    assert (await sign_in(anonymous)).headers["location"] == "/"


async def test_an_internal_error_does_not_redirect(
    anonymous: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(service, "begin_session", fail)
    response = await sign_in(anonymous)
    assert response.status_code == 500
    assert "secret detail" not in response.text


def test_an_issuer_without_a_client_is_an_invalid_setting() -> None:
    with pytest.raises(ValidationError, match="oidc_client_id"):
        Settings(oidc_issuer="https://accounts.google.com")


async def test_an_unreachable_provider_does_not_prevent_startup(
    settings: Settings,
) -> None:
    gone = settings.model_copy(update={"oidc_issuer": "http://127.0.0.1:9"})
    app = create_app(gone)
    async with LifespanManager(app), Browser(app) as browser:
        assert failure_of(await browser.get(START)) == "oidc_unavailable"
