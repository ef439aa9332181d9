"""Sign-in at GitHub, which has OAuth 2 but no ID tokens: its API names the person."""

from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter

from edison.workspace.accounts.single_sign_on.oauth import (
    Endpoints,
    IdentityProvider,
    ProvenIdentity,
    SignInFailed,
    SignInFailure,
    fetch_json,
)

ISSUER = "https://github.com"


class _User(BaseModel):
    model_config = ConfigDict(strict=True)

    id: int
    name: str | None = None


class _Address(BaseModel):
    model_config = ConfigDict(strict=True)

    email: str
    primary: bool
    verified: bool


_ADDRESSES = TypeAdapter(list[_Address])


class GitHub(IdentityProvider):
    """The two base URLs differ only in tests."""

    scope = "read:user user:email"

    def __init__(
        self,
        *,
        client_id: str,
        client_secret: str | None,
        site_url: str = ISSUER,
        api_url: str = "https://api.github.com",
    ) -> None:
        super().__init__(client_id=client_id, client_secret=client_secret)
        self._site_url = site_url
        self._api_url = api_url

    async def _endpoints(self) -> Endpoints:
        return Endpoints(
            authorization_endpoint=f"{self._site_url}/login/oauth/authorize",
            token_endpoint=f"{self._site_url}/login/oauth/access_token",
            token_endpoint_auth_methods_supported=["client_secret_post"],
        )

    async def _identity(self, tokens: dict[str, Any], *, nonce: str) -> ProvenIdentity:
        headers = {
            "Authorization": f"Bearer {tokens['access_token']}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        try:
            user = _User.model_validate(await fetch_json(f"{self._api_url}/user", headers=headers))
            addresses = _ADDRESSES.validate_python(
                await fetch_json(f"{self._api_url}/user/emails", headers=headers)
            )
        except ValueError as odd:
            raise SignInFailed(SignInFailure.UNAVAILABLE, "GitHub's answer is incomplete") from odd
        primary = next((address for address in addresses if address.primary), None)
        return ProvenIdentity(
            issuer=ISSUER,
            # Renaming keeps the number; a freed login can go to another person.
            subject=str(user.id),
            email=primary.email if primary else None,
            is_email_verified=primary is not None and primary.verified,
            name=user.name,
        )
