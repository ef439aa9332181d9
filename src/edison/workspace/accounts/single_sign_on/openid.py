"""Sign-in at any OpenID Connect provider: discovery, authorization code with PKCE, ID token.

joserfc verifies the token's signature and Authlib its claims. Edison decides which algorithms
count, which discovery documents to trust, and when to fetch documents and keys again.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from authlib.oidc.core import CodeIDToken
from cryptography.exceptions import UnsupportedAlgorithm
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import Key, KeySet, import_key
from joserfc.jws import JWSRegistry

from edison.kit import clock
from edison.workspace.accounts.single_sign_on.oauth import (
    Endpoints,
    IdentityProvider,
    ProvenIdentity,
    SignInFailed,
    SignInFailure,
    fetch_json,
)

DISCOVERY_MAX_AGE = timedelta(hours=1)
LEEWAY_SECONDS = 60

# Public-key signatures only: with `none` or a shared secret, anyone can sign.
# Unknown header fields are allowed, as providers add some; unknown critical ones are not.
_SIGNATURES = JWSRegistry(algorithms=["RS256", "ES256"], strict_check_header=False)
_KEY_TYPES = ("RSA", "EC")
# Malformed keys and tokens also raise these.
_MALFORMED = (
    JoseError,
    UnsupportedAlgorithm,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    OverflowError,
    RecursionError,
)


class Discovery(Endpoints):
    """The fields Edison uses of `/.well-known/openid-configuration`."""

    issuer: str
    jwks_uri: str
    userinfo_endpoint: str | None = None

    def check(self, issuer: str) -> None:
        """Raises ValueError unless the document is about `issuer` and safe to follow."""
        if self.issuer.rstrip("/") != issuer:
            raise ValueError("it names another issuer")
        # An issuer reached over TLS must not send Edison, or the browser, anywhere without it.
        schemes = {"https"} if issuer.startswith("https:") else {"http", "https"}
        urls = [self.authorization_endpoint, self.token_endpoint, self.jwks_uri]
        for url in [*urls, self.userinfo_endpoint or self.issuer]:
            if urlsplit(url).scheme not in schemes:
                raise ValueError("it names an unsafe URL")


class OpenId(IdentityProvider):
    scope = "openid email profile"

    def __init__(self, *, issuer: str, client_id: str, client_secret: str | None) -> None:
        super().__init__(client_id=client_id, client_secret=client_secret)
        self._issuer = issuer
        self._discovery: tuple[datetime, Discovery] | None = None
        self._keys: KeySet | None = None

    async def _endpoints(self) -> Discovery:
        now = clock.now()
        if self._discovery is None or now - self._discovery[0] >= DISCOVERY_MAX_AGE:
            document = await fetch_json(f"{self._issuer}/.well-known/openid-configuration")
            try:
                discovery = Discovery.model_validate(document)
                discovery.check(self._issuer)
            except ValueError as wrong:
                reason = f"the discovery document cannot be used: {wrong}"
                raise SignInFailed(SignInFailure.UNAVAILABLE, reason) from wrong
            self._discovery, self._keys = (now, discovery), None
        return self._discovery[1]

    async def _identity(self, tokens: dict[str, Any], *, nonce: str) -> ProvenIdentity:
        discovery = await self._endpoints()
        try:
            token = await self._decode(tokens["id_token"], discovery.jwks_uri)
            claims = CodeIDToken(
                token.claims,
                token.header,
                {
                    "iss": {"value": discovery.issuer},
                    "aud": {"value": self._client_id},
                    "azp": {"value": self._client_id},
                },
                {
                    "nonce": nonce,
                    "client_id": self._client_id,
                    "access_token": tokens["access_token"],
                },
            )
            claims.validate(leeway=LEEWAY_SECONDS)
        except _MALFORMED as wrong:
            raise SignInFailed(
                SignInFailure.REJECTED, f"ID token: {type(wrong).__name__}"
            ) from wrong
        if "email" not in claims and discovery.userinfo_endpoint is not None:
            claims |= await _fetch_profile(discovery.userinfo_endpoint, tokens, claims["sub"])
        return ProvenIdentity(
            issuer=self._issuer,
            subject=claims["sub"],
            email=_text(claims.get("email")),
            # Some providers send the flag as text.
            is_email_verified=claims.get("email_verified") is True
            or claims.get("email_verified") == "true",
            name=_text(claims.get("name")),
        )

    async def _decode(self, id_token: str, jwks_uri: str) -> jwt.Token:
        """Fetches the keys once, and again for a token that names an unknown one (rotation).

        Tokens come from the provider itself, so strangers cannot cause fetches.
        """
        if self._keys is not None:
            with suppress(InvalidKeyIdError):
                return jwt.decode(id_token, self._keys, registry=_SIGNATURES)
        self._keys = await _fetch_keys(jwks_uri)
        return jwt.decode(id_token, self._keys, registry=_SIGNATURES)


async def _fetch_keys(url: str) -> KeySet:
    """The provider's signing keys. Skips keys that are broken or of an unknown kind."""
    document = await fetch_json(url)
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise SignInFailed(SignInFailure.UNAVAILABLE, "the provider's key document has no keys")
    keys: list[Key] = []
    for entry in entries:
        with suppress(*_MALFORMED):
            if entry["kty"] in _KEY_TYPES and entry.get("use", "sig") == "sig":
                keys.append(import_key(entry))
    return KeySet(keys)


async def _fetch_profile(url: str, tokens: dict[str, Any], subject: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    profile = await fetch_json(url, headers=headers)
    # Otherwise the token of another person could have been slipped in.
    if not isinstance(profile, dict) or profile.get("sub") != subject:
        raise SignInFailed(SignInFailure.REJECTED, "userinfo is about another subject")
    return {name: profile[name] for name in ("email", "email_verified", "name") if name in profile}


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
