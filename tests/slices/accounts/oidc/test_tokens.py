"""Which tokens of the provider are believed."""

import time
from typing import Any

import pytest

from tests.fake_providers.openid import (
    CLIENT_ID,
    OpenIdProvider,
)
from tests.slices.accounts.oidc.journey import (
    failure_of,
    sign_in,
)
from tests.support.browser import Browser

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
