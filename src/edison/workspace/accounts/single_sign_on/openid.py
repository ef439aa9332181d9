"""Sign-in at any OpenID Connect provider: discovery, authorization code with PKCE, ID token."""

from base64 import b64encode
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from edison.kit import clock
from edison.workspace.accounts.single_sign_on.calls import fetch_json
from edison.workspace.accounts.single_sign_on.errors import Failure, SignInFailed
from edison.workspace.accounts.single_sign_on.handshake import Handshake
from edison.workspace.accounts.single_sign_on.id_tokens import KeySet, verify
from edison.workspace.accounts.single_sign_on.provider import ProvenIdentity

DISCOVERY_HOURS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Endpoints:
    """What the discovery document says; `userinfo` may be missing."""

    issuer: str
    authorization: str
    token: str
    userinfo: str | None
    keys: KeySet
    takes_basic: bool
    fetched_hour: int


class OpenId:
    def __init__(self, *, issuer: str, client_id: str, client_secret: str | None) -> None:
        self._issuer = issuer
        self._client_id = client_id
        self._client_secret = client_secret
        self._known: _Endpoints | None = None

    async def authorization_url(self, handshake: Handshake, *, redirect_uri: str) -> str:
        endpoints = await self._discover()
        query = urlencode(
            {
                "response_type": "code",
                "client_id": self._client_id,
                "redirect_uri": redirect_uri,
                "scope": "openid email profile",
                "state": handshake.state,
                "nonce": handshake.nonce,
                "code_challenge": handshake.challenge,
                "code_challenge_method": "S256",
            }
        )
        return f"{endpoints.authorization}{'&' if '?' in endpoints.authorization else '?'}{query}"

    async def identify(
        self, handshake: Handshake, *, code: str, redirect_uri: str
    ) -> ProvenIdentity:
        endpoints = await self._discover()
        tokens = await self._exchange(
            endpoints, code=code, verifier=handshake.verifier, redirect_uri=redirect_uri
        )
        claims = await verify(
            str(tokens.get("id_token", "")),
            keys=endpoints.keys,
            issuer=endpoints.issuer,
            client_id=self._client_id,
            nonce=handshake.nonce,
        )
        if "email" not in claims and endpoints.userinfo is not None:
            claims = claims | await self._ask_more(endpoints.userinfo, tokens, claims["sub"])
        return ProvenIdentity(
            issuer=self._issuer,
            subject=str(claims["sub"]),
            email=_text(claims.get("email")),
            # Some providers send the flag as text.
            is_email_verified=claims.get("email_verified") is True
            or claims.get("email_verified") == "true",
            name=_text(claims.get("name")),
        )

    async def _exchange(
        self, endpoints: _Endpoints, *, code: str, verifier: str, redirect_uri: str
    ) -> dict[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        headers = {}
        if self._client_secret is not None and endpoints.takes_basic:
            pair = f"{quote(self._client_id, safe='')}:{quote(self._client_secret, safe='')}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        else:
            form["client_id"] = self._client_id
            if self._client_secret is not None:
                form["client_secret"] = self._client_secret
        tokens = await fetch_json(endpoints.token, form=form, headers=headers)
        if not isinstance(tokens, dict) or "id_token" not in tokens:
            error = tokens.get("error") if isinstance(tokens, dict) else None
            raise SignInFailed(Failure.REJECTED, f"no ID token for the code: {error}")
        return tokens

    async def _ask_more(self, url: str, tokens: dict[str, Any], subject: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {tokens.get('access_token', '')}"}
        more = await fetch_json(url, headers=headers)
        # Otherwise a token of somebody else could have been slipped in.
        if not isinstance(more, dict) or more.get("sub") != subject:
            raise SignInFailed(Failure.REJECTED, "userinfo speaks of somebody else")
        return {name: more[name] for name in ("email", "email_verified", "name") if name in more}

    async def _discover(self) -> _Endpoints:
        hour = int(clock.now().timestamp() // (3600 * DISCOVERY_HOURS))
        if self._known is None or self._known.fetched_hour != hour:
            document = await fetch_json(f"{self._issuer}/.well-known/openid-configuration")
            self._known = self._read(document, hour)
        return self._known

    def _read(self, document: Any, hour: int) -> _Endpoints:
        try:
            issuer = document["issuer"]
            endpoints = _Endpoints(
                issuer=issuer,
                authorization=self._own_kind(document["authorization_endpoint"]),
                token=self._own_kind(document["token_endpoint"]),
                userinfo=self._own_kind(document["userinfo_endpoint"])
                if "userinfo_endpoint" in document
                else None,
                keys=KeySet(self._own_kind(document["jwks_uri"])),
                takes_basic="client_secret_basic"
                in document.get("token_endpoint_auth_methods_supported", ["client_secret_basic"]),
                fetched_hour=hour,
            )
        except (KeyError, TypeError, AttributeError) as broken:
            raise SignInFailed(
                Failure.UNAVAILABLE, "the discovery document is incomplete"
            ) from broken
        if issuer.rstrip("/") != self._issuer:
            raise SignInFailed(Failure.UNAVAILABLE, "the discovery document names another issuer")
        return endpoints

    def _own_kind(self, url: str) -> str:
        """An issuer spoken to over TLS must not send us, or the browser, anywhere without."""
        allowed = {"https"} if self._issuer.startswith("https:") else {"http", "https"}
        if urlsplit(url).scheme not in allowed:
            raise SignInFailed(Failure.UNAVAILABLE, "the discovery document names an unsafe URL")
        return url


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
