"""Validation of the provider's tokens."""

import base64
import hashlib
import math
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
async def test_a_forgeable_token_is_rejected(
    anonymous: Browser, provider: OpenIdProvider, algorithm: str
) -> None:
    provider.wrong.algorithm = algorithm
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"


async def test_a_token_signed_with_another_key_is_rejected(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    provider.wrong.signed_by_stranger = True
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"


async def test_elliptic_curve_signatures_are_accepted(
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


async def test_an_unknown_key_is_fetched_only_once(
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


async def test_userinfo_of_another_subject_is_rejected(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    provider.wrong.without = {"email"}
    provider.wrong.userinfo_subject = "charles"
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"


def half_hash(access_token: str) -> str:
    digest = hashlib.sha256(access_token.encode()).digest()
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


async def test_the_hash_of_the_access_token_must_fit(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    provider.wrong.claims = {"at_hash": half_hash("at")}
    assert (await sign_in(anonymous)).headers["location"] == "/"
    provider.wrong.claims = {"at_hash": half_hash("another")}
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"


ODD_VALUES: list[tuple[str, list[Any]]] = [
    ("iss", [None, 7, [], ["https://evil.example"], {}]),
    ("aud", [None, 7, [], {}, [7], [[CLIENT_ID]]]),
    ("sub", [None, 7, [], {}, ""]),
    ("exp", [None, "soon", [], True, math.inf, math.nan]),
    ("iat", [None, "then", [], math.inf, 10**12]),
    ("nbf", [None, "then", [], math.inf, NOW + 3600]),
    ("azp", ["", 0, [], {}, [CLIENT_ID]]),
    ("nonce", [None, 7, [], {}, ""]),
    ("at_hash", [7, ["x"], {"x": 1}, "é"]),
]


@pytest.mark.parametrize(("claim", "values"), ODD_VALUES, ids=lambda value: str(value)[:9])
async def test_a_malformed_claim_is_rejected(
    anonymous: Browser, provider: OpenIdProvider, claim: str, values: list[Any]
) -> None:
    for value in values:
        provider.wrong.claims = {claim: value}
        assert failure_of(await sign_in(anonymous)) == "oidc_rejected", value


@pytest.mark.parametrize(
    "tokens",
    [
        {"id_token": None},
        {"id_token": 7},
        {"id_token": ""},
        {"id_token": "a.b.c"},
        {"id_token": "a.b.c.d.e"},
        {"id_token": base64.urlsafe_b64encode(b"[" * 20_000).decode() + ".e30.e30"},
        {"access_token": None},
        {"access_token": ["at"]},
    ],
    ids=range(8),
)
async def test_a_malformed_token_is_rejected(
    anonymous: Browser, provider: OpenIdProvider, tokens: dict[str, Any]
) -> None:
    provider.wrong.tokens = tokens
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"


async def test_an_unknown_critical_header_is_rejected_and_others_are_ignored(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    provider.wrong.header = {"x-provider": "1"}
    assert (await sign_in(anonymous)).headers["location"] == "/"
    provider.wrong.header = {"crit": ["x-provider"], "x-provider": "1"}
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"


async def test_malformed_keys_beside_the_right_one_are_ignored(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    right = {**provider.public_key(), "kid": "key-0"}
    odd = [
        7,
        None,
        {},
        {"kty": "RSA", "kid": "key-0"},
        {"kty": "RSA", "kid": "a", "n": "?", "e": 7},
        {"kty": "EC", "kid": "b", "crv": "P-257", "x": "AA", "y": "AA"},
        {"kty": ["RSA"], "kid": "c"},
        {"kty": "AKP", "alg": "ML-DSA-44", "kid": "d"},
        {**right, "use": "enc"},
    ]
    provider.wrong.keys = [*odd, right]
    assert (await sign_in(anonymous)).headers["location"] == "/"


@pytest.mark.parametrize(
    "change",
    [
        {"use": "enc"},
        {"alg": "RS512"},
        {"alg": "ES256"},
        {"kid": "another"},
        {"kty": "oct", "k": "c2VjcmV0"},
        {"n": "AQAB"},
    ],
)
async def test_a_key_that_is_not_for_this_signature_is_not_used(
    anonymous: Browser, provider: OpenIdProvider, change: dict[str, Any]
) -> None:
    provider.wrong.keys = [{**provider.public_key(), "kid": "key-0", **change}]
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"


async def test_a_token_may_leave_out_the_key_id_of_the_only_signing_key(
    anonymous: Browser, provider: OpenIdProvider
) -> None:
    provider.wrong.header = {"kid": None}
    assert failure_of(await sign_in(anonymous)) == "oidc_rejected"
    provider.wrong.keys = [provider.public_key(), {**provider.public_key(), "use": "enc"}]
    assert (await sign_in(anonymous)).headers["location"] == "/"
