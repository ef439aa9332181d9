"""ID tokens: fetching the provider's keys, and believing a token only after every check."""

import hmac
from typing import Any

import jwt

from edison.workspace.accounts.single_sign_on.calls import fetch_json
from edison.workspace.accounts.single_sign_on.errors import Failure, SignInFailed

# Public-key signatures only. With `none` or a shared-secret algorithm anybody could sign.
KEY_TYPES = {"RS256": "RSA", "ES256": "EC"}
LEEWAY_SECONDS = 60


def _rejected(reason: str) -> SignInFailed:
    return SignInFailed(Failure.REJECTED, f"ID token: {reason}")


class KeySet:
    """A provider's public keys, fetched once and again when a token names one not seen yet.

    Tokens come from the provider itself, so strangers cannot provoke fetches.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._keys: list[dict[str, Any]] | None = None

    async def find(self, *, kid: str | None, algorithm: str) -> jwt.PyJWK:
        fetched_now = self._keys is None
        key = _choose(self._keys or await self._fetch(), kid=kid, algorithm=algorithm)
        if key is None and not fetched_now:
            key = _choose(await self._fetch(), kid=kid, algorithm=algorithm)
        if key is None:
            raise _rejected("signed with a key the provider does not publish")
        try:
            return jwt.PyJWK(key, algorithm)
        except jwt.PyJWTError as broken:
            raise _rejected("the provider published a broken key") from broken

    async def _fetch(self) -> list[dict[str, Any]]:
        document = await fetch_json(self._url)
        keys = document.get("keys") if isinstance(document, dict) else None
        if not isinstance(keys, list):
            raise SignInFailed(Failure.UNAVAILABLE, "the provider's key document has no keys")
        self._keys = [key for key in keys if isinstance(key, dict)]
        return self._keys


def _choose(
    keys: list[dict[str, Any]], *, kid: str | None, algorithm: str
) -> dict[str, Any] | None:
    fitting = [
        key
        for key in keys
        if key.get("kty") == KEY_TYPES[algorithm]
        and key.get("use", "sig") == "sig"
        and key.get("alg", algorithm) == algorithm
        and (kid is None or key.get("kid") == kid)
    ]
    # A token may leave out the key id only where there is nothing to choose.
    return fitting[0] if len(fitting) == 1 else None


async def verify(
    token: str, *, keys: KeySet, issuer: str, client_id: str, nonce: str
) -> dict[str, Any]:
    """The token's claims, or SignInFailed."""
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError as broken:
        raise _rejected("not a token") from broken
    algorithm = header.get("alg")
    if algorithm not in KEY_TYPES:
        raise _rejected(f"signed with {algorithm}")
    key = await keys.find(kid=header.get("kid"), algorithm=algorithm)
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            audience=client_id,
            issuer=issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": ["exp", "iat", "iss", "aud", "sub"]},
        )
    except jwt.PyJWTError as wrong:
        raise _rejected(type(wrong).__name__) from wrong
    if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
        raise _rejected("the nonce is not ours")
    audience = claims["aud"]
    is_shared = isinstance(audience, list) and len(audience) > 1
    if claims.get("azp", None if is_shared else client_id) != client_id:
        raise _rejected("made out to another client")
    return claims
