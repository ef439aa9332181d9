"""Exchanges a service account's key for a short-lived access token, through the guarded client.

Google's own library would use an unguarded connection to whatever address the key names.
"""

import asyncio
from time import monotonic, time
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import jwt
from pydantic import SecretStr

from edison.pipeline.generate.fault import OutboundFailed, OutboundFault
from edison.pipeline.generate.fields import UnusableCredential
from edison.pipeline.generate.wire.json_value import Json

if TYPE_CHECKING:
    from edison.pipeline.generate.outbound import OutboundClient

SCOPE = "https://www.googleapis.com/auth/cloud-platform"
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
LIFETIME_SECONDS = 3600
# Renewed while the old token is valid, so that no call is rejected.
MARGIN_SECONDS = 300


class TokenSource:
    """One token, shared by all calls of a provider until shortly before it expires."""

    def __init__(self, key: SecretStr) -> None:
        self._key = key
        self._token = ""
        self._ends = 0.0
        self._lock = asyncio.Lock()

    async def token(self, client: "OutboundClient", timeout_seconds: float) -> str:
        async with self._lock:
            if monotonic() >= self._ends:
                self._token, lifetime = await self._fetch(client, timeout_seconds)
                self._ends = monotonic() + max(lifetime - MARGIN_SECONDS, 0)
            return self._token

    async def _fetch(self, client: "OutboundClient", timeout_seconds: float) -> tuple[str, int]:
        address, assertion = self._assertion()
        form = urlencode({"grant_type": GRANT, "assertion": assertion}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        async with await client.send(
            "POST", address, headers=headers, body=form, timeout_seconds=timeout_seconds
        ) as response:
            document = Json.parse(await response.read()) or Json(None)
        if response.status >= 500 or response.status == 429:
            message = f"Google's sign-in failed (HTTP {response.status}). Try again later."
            raise OutboundFailed(OutboundFault.BROKEN, message)
        token = document.text_of("access_token")
        if response.status != 200 or not token:
            raise UnusableCredential(
                "Google did not accept the key of the service account. It may have been revoked."
            )
        return token, document.count_of("expires_in") or LIFETIME_SECONDS

    def _assertion(self) -> tuple[str, str]:
        key = service_account(self._key)
        now = int(time())
        address = key.text_of("token_uri") or "https://oauth2.googleapis.com/token"
        claims = {
            "iss": key.text_of("client_email"),
            "scope": SCOPE,
            "aud": address,
            "iat": now,
            "exp": now + LIFETIME_SECONDS,
        }
        identity = {"kid": key.text_of("private_key_id") or ""}
        try:
            signed = jwt.encode(
                claims, key.text_of("private_key") or "", algorithm="RS256", headers=identity
            )
        except (ValueError, TypeError, jwt.PyJWTError):
            # The exception may quote the key.
            raise UnusableCredential("The private key of the service account is broken.") from None
        return address, signed


def service_account(key: SecretStr) -> Json:
    document = Json.parse(key.get_secret_value().encode())
    if (
        document is None
        or not document.text_of("client_email")
        or not document.text_of("private_key")
    ):
        raise UnusableCredential(
            "The key of the service account is not the JSON file that Google offers for download."
        )
    return document
