"""The cookie that ties the browser coming back from the provider to the one sent there.

Signed and valid for ten minutes, so the server stores nothing for visitors who never return. It is
`Lax`, not `Strict`: the way back is a navigation from the provider's site.
"""

import hmac
import re
import secrets
from datetime import timedelta
from typing import Any

from fastapi import Request, Response

from edison.kit import clock, ids
from edison.workspace.accounts.signing_keys import SigningKeys
from edison.workspace.accounts.single_sign_on.oauth import Handshake, SignInFailed, SignInFailure

COOKIE = "edison_oidc"
COOKIE_PATH = "/api/v1/auth/oidc"
VALID_FOR = timedelta(minutes=10)
MAX_PATH_LENGTH = 500

_SUBJECT = "oidc"
# One leading slash and no backslash or control character: browsers read `//` and `/\` as a host.
_LOCAL_PATH = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f]*")


def begin(next_path: str | None) -> Handshake:
    return Handshake(
        state=secrets.token_urlsafe(32),
        nonce=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(48),
        next_path=local_path(next_path),
    )


def local_path(wanted: str | None) -> str:
    """`wanted` if it is a path of this site, else the start page."""
    if wanted and len(wanted) <= MAX_PATH_LENGTH and _LOCAL_PATH.fullmatch(wanted):
        return wanted
    return "/"


def remember(
    response: Response, handshake: Handshake, *, keys: SigningKeys, is_secure: bool
) -> None:
    now = clock.now()
    # The same claims as a session's token: used in its place, this one names no session.
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
    """The handshake this browser began. Raises SignInFailed when `state` is another's."""
    claims = keys.read(request.cookies.get(COOKIE, ""))
    if claims is None or not _is_complete(claims) or state is None:
        raise SignInFailed(SignInFailure.STATE, "this browser has no sign-in in progress")
    if not hmac.compare_digest(state.encode(), claims["csrf"].encode()):
        raise SignInFailed(SignInFailure.STATE, "the state is of another sign-in")
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
