"""What Edison asks of an identity provider."""

from dataclasses import dataclass
from typing import Protocol

from edison.workspace.accounts.single_sign_on.handshake import Handshake


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenIdentity:
    """Who the provider says has signed in there. Only a verified email proves anything."""

    issuer: str
    subject: str
    email: str | None
    is_email_verified: bool
    name: str | None


class IdentityProvider(Protocol):
    """A place to send the browser to, and a way to learn who came back. Raises SignInFailed."""

    async def authorization_url(self, handshake: Handshake, *, redirect_uri: str) -> str: ...

    async def identify(
        self, handshake: Handshake, *, code: str, redirect_uri: str
    ) -> ProvenIdentity: ...
