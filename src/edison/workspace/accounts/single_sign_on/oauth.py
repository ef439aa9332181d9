"""The OAuth 2 authorization code flow with PKCE, shared by OpenID Connect and GitHub.

Authlib writes the protocol's requests. They leave through the guarded client of model calls,
bounded in time and size and without redirects: the operator names the issuer, which may be in a
private network, but its documents can never point to a metadata service, nor to the internet
without encryption.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote

import orjson
from pydantic import BaseModel, ConfigDict

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.fault import OutboundFailed

if TYPE_CHECKING:
    from authlib.oauth2.auth import ClientAuth

TIMEOUT_SECONDS = 10
MAX_RESPONSE_BYTES = 256 * 1024
POLICY = NetworkPolicy(allow_loopback=True, allow_private=True)


class SignInFailure(StrEnum):
    """Why a sign-in failed; the login page turns the code into a sentence."""

    DENIED = "oidc_denied"
    STATE = "oidc_state"
    UNAVAILABLE = "oidc_unavailable"
    REJECTED = "oidc_rejected"
    EMAIL_MISSING = "oidc_email_missing"
    EMAIL_UNVERIFIED = "oidc_email_unverified"
    REGISTRATION_CLOSED = "registration_closed"


class SignInFailed(Exception):
    """`reason` is for the log; the browser only gets the code."""

    def __init__(self, failure: SignInFailure, reason: str) -> None:
        super().__init__(reason)
        self.failure = failure
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Handshake:
    """`state` binds the browser, `nonce` the ID token, `verifier` the code (PKCE)."""

    state: str
    nonce: str
    verifier: str
    next_path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenIdentity:
    """The person who signed in at the provider. Only a verified email proves an address."""

    issuer: str
    subject: str
    email: str | None
    is_email_verified: bool
    name: str | None


class Endpoints(BaseModel):
    """The provider's addresses, under the names of RFC 8414."""

    model_config = ConfigDict(strict=True, frozen=True)

    authorization_endpoint: str
    token_endpoint: str
    token_endpoint_auth_methods_supported: list[str] = ["client_secret_basic"]


class IdentityProvider(ABC):
    """Edison as a client of one provider; public when it has no secret. Raises SignInFailed."""

    scope: ClassVar[str]

    def __init__(self, *, client_id: str, client_secret: str | None) -> None:
        self._client_id = client_id
        self._client_secret = client_secret

    @abstractmethod
    async def _endpoints(self) -> Endpoints: ...

    @abstractmethod
    async def _identity(self, tokens: dict[str, Any], *, nonce: str) -> ProvenIdentity:
        """The person the tokens are about; `tokens` has an access token."""

    async def authorization_url(self, handshake: Handshake, *, redirect_uri: str) -> str:
        from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
        from authlib.oauth2.rfc7636 import create_s256_code_challenge

        url: str = prepare_grant_uri(
            (await self._endpoints()).authorization_endpoint,
            self._client_id,
            "code",
            redirect_uri=redirect_uri,
            scope=self.scope,
            state=handshake.state,
            nonce=handshake.nonce,
            code_challenge=create_s256_code_challenge(handshake.verifier),
            code_challenge_method="S256",
        )
        return url

    async def identify(
        self, handshake: Handshake, *, code: str, redirect_uri: str
    ) -> ProvenIdentity:
        """Exchange the code for tokens and read the person from them."""
        from authlib.oauth2.rfc6749.parameters import prepare_token_request

        endpoints = await self._endpoints()
        form = prepare_token_request(
            "authorization_code",
            code=code,
            redirect_uri=redirect_uri,
            code_verifier=handshake.verifier,
        )
        client = self._authentication(endpoints.token_endpoint_auth_methods_supported)
        url, headers, form = client.prepare("POST", endpoints.token_endpoint, {}, form)
        tokens = await fetch_json(url, form=form, headers=headers)
        # GitHub answers 200 also when it refuses.
        if not isinstance(tokens, dict) or not isinstance(tokens.get("access_token"), str):
            error = tokens.get("error") if isinstance(tokens, dict) else None
            raise SignInFailed(SignInFailure.REJECTED, f"no access token for the code: {error}")
        return await self._identity(tokens, nonce=handshake.nonce)

    def _authentication(self, methods: list[str]) -> "ClientAuth":
        from authlib.oauth2.auth import ClientAuth

        if self._client_secret is None:
            return ClientAuth(self._client_id, None, "none")
        if "client_secret_basic" not in methods:
            return ClientAuth(self._client_id, self._client_secret, "client_secret_post")
        # RFC 6749 §2.3.1 encodes both before joining them; Authlib leaves that out.
        pair = (quote(text, safe="") for text in (self._client_id, self._client_secret))
        return ClientAuth(*pair, "client_secret_basic")


async def fetch_json(
    url: str, *, form: str | None = None, headers: Mapping[str, str] | None = None
) -> Any:
    """GET, or POST when there is a form. Raises SignInFailed for anything but JSON and 200.

    A refused POST (400, 401, 403) is JSON too: it has the provider's error code.
    """
    from edison.pipeline.generate.outbound import OutboundClient

    sent = {"Accept": "application/json", "User-Agent": "edison", **(headers or {})}
    if form is not None:
        sent["Content-Type"] = "application/x-www-form-urlencoded"
    place = url.partition("?")[0]
    client = OutboundClient(POLICY, max_response_bytes=MAX_RESPONSE_BYTES)
    try:
        async with await client.send(
            "GET" if form is None else "POST",
            url,
            headers=sent,
            body=None if form is None else form.encode(),
            timeout_seconds=TIMEOUT_SECONDS,
        ) as response:
            body = await response.read()
    except OutboundFailed as failed:
        raise SignInFailed(SignInFailure.UNAVAILABLE, f"{place}: {failed.fault}") from failed
    finally:
        await client.close()
    is_refusal = form is not None and response.status in (400, 401, 403)
    if response.status != 200 and not is_refusal:
        raise SignInFailed(SignInFailure.UNAVAILABLE, f"{place} answered {response.status}")
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as broken:
        raise SignInFailed(SignInFailure.UNAVAILABLE, f"{place} did not send JSON") from broken
