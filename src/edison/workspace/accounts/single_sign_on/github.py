"""Sign-in at GitHub, which speaks OAuth 2 but not OpenID: who came back is asked of its API."""

from typing import Any
from urllib.parse import urlencode

from edison.workspace.accounts.single_sign_on.calls import fetch_json
from edison.workspace.accounts.single_sign_on.errors import Failure, SignInFailed
from edison.workspace.accounts.single_sign_on.handshake import Handshake
from edison.workspace.accounts.single_sign_on.provider import ProvenIdentity

ISSUER = "https://github.com"


class GitHub:
    """The two base URLs differ only in tests."""

    def __init__(
        self,
        *,
        client_id: str,
        client_secret: str,
        site_url: str = ISSUER,
        api_url: str = "https://api.github.com",
    ) -> None:
        self._client_id = client_id
        self._client_secret = client_secret
        self._site_url = site_url
        self._api_url = api_url

    async def authorization_url(self, handshake: Handshake, *, redirect_uri: str) -> str:
        query = urlencode(
            {
                "client_id": self._client_id,
                "redirect_uri": redirect_uri,
                "scope": "read:user user:email",
                "state": handshake.state,
                "code_challenge": handshake.challenge,
                "code_challenge_method": "S256",
            }
        )
        return f"{self._site_url}/login/oauth/authorize?{query}"

    async def identify(
        self, handshake: Handshake, *, code: str, redirect_uri: str
    ) -> ProvenIdentity:
        tokens = await fetch_json(
            f"{self._site_url}/login/oauth/access_token",
            form={
                "client_id": self._client_id,
                "client_secret": self._client_secret,
                "code": code,
                "redirect_uri": redirect_uri,
                "code_verifier": handshake.verifier,
            },
        )
        token = tokens.get("access_token") if isinstance(tokens, dict) else None
        if not isinstance(token, str):
            # GitHub answers 200 also when it refuses.
            error = tokens.get("error") if isinstance(tokens, dict) else None
            raise SignInFailed(Failure.REJECTED, f"no access token for the code: {error}")
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        user = await fetch_json(f"{self._api_url}/user", headers=headers)
        emails = await fetch_json(f"{self._api_url}/user/emails", headers=headers)
        try:
            return _read(user, emails)
        except (KeyError, TypeError, ValueError, AttributeError) as odd:
            raise SignInFailed(Failure.UNAVAILABLE, "GitHub's answer is incomplete") from odd


def _read(user: Any, emails: Any) -> ProvenIdentity:
    primary = next((email for email in emails if email["primary"]), None)
    return ProvenIdentity(
        issuer=ISSUER,
        # The number stays when people rename themselves; a freed login may go to somebody else.
        subject=str(int(user["id"])),
        email=primary["email"] if primary else None,
        is_email_verified=bool(primary and primary["verified"] is True),
        name=user.get("name"),
    )
