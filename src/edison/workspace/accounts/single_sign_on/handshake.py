"""What ties the browser that comes back from the provider to the one that was sent there.

Kept in a signed cookie for ten minutes, so the server stores nothing for visitors who never come
back. The cookie is `Lax`, not `Strict`: the way back is a navigation from the provider's site.
"""

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from fastapi import Request, Response

from edison.kit import clock, ids
from edison.workspace.accounts.signing_keys import SigningKeys
from edison.workspace.accounts.single_sign_on.errors import Failure, SignInFailed

COOKIE = "edison_oidc"
COOKIE_PATH = "/api/v1/auth/oidc"
VALID_FOR = timedelta(minutes=10)
LONGEST_PATH = 500

_SUBJECT = "oidc"
# One leading slash and no backslash or control character: browsers read `//` and `/\` as a host.
_LOCAL_PATH = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Handshake:
    """`state` proves the browser, `nonce` the token, `verifier` the exchange (PKCE)."""

    state: str
    nonce: str
    verifier: str
    next_path: str

    @property
    def challenge(self) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return urlsafe_b64encode(digest).decode().rstrip("=")


def begin(next_path: str | None) -> Handshake:
    return Handshake(
        state=secrets.token_urlsafe(32),
        nonce=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(48),
        next_path=local_path(next_path),
    )


def local_path(wanted: str | None) -> str:
    """`wanted` if it is a page of ours, else the start page: never an address elsewhere."""
    if wanted and len(wanted) <= LONGEST_PATH and _LOCAL_PATH.fullmatch(wanted):
        return wanted
    return "/"


def remember(
    response: Response, handshake: Handshake, *, keys: SigningKeys, is_secure: bool
) -> None:
    now = clock.now()
    # The claims a session's token has too: put in its place, this one names no session and is
    # refused like any stranger's.
    token = keys.sign(
        {
            "sub": _SUBJECT,
            "jti": str(ids.new_id()),
            "iat": now,
            "exp": now + VALID_FOR,
            "csrf": handshake.state,
            "nonce": handshake.nonce,
            "verifier": handshake.verifier,
            "next": handshake.next_path,
        }
    )
    response.set_cookie(
        COOKIE,
        token,
        max_age=round(VALID_FOR.total_seconds()),
        path=COOKIE_PATH,
        httponly=True,
        samesite="lax",
        secure=is_secure,
    )


def recall(request: Request, *, keys: SigningKeys, state: str | None) -> Handshake:
    """The handshake this browser began. Raises SignInFailed when `state` is not its own."""
    claims = keys.read(request.cookies.get(COOKIE, ""))
    if claims is None or not _is_complete(claims) or state is None:
        raise SignInFailed(Failure.STATE, "this browser began no sign-in lately")
    if not hmac.compare_digest(state.encode(), claims["csrf"].encode()):
        raise SignInFailed(Failure.STATE, "this browser began another sign-in")
    return Handshake(
        state=state,
        nonce=claims["nonce"],
        verifier=claims["verifier"],
        next_path=local_path(claims["next"]),
    )


def _is_complete(claims: dict[str, Any]) -> bool:
    names = ("csrf", "nonce", "verifier", "next")
    return claims["sub"] == _SUBJECT and all(isinstance(claims.get(each), str) for each in names)


def forget(response: Response) -> None:
    response.delete_cookie(COOKIE, path=COOKIE_PATH, httponly=True, samesite="lax")
