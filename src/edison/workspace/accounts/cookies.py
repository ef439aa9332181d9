"""Cookies of browser sessions: set, read, clear, check.

The cookie holds a signed token that names a row. The signature makes forgeries cheap to refuse; the
row makes sessions listable and revocable. The token also carries the session's CSRF value, which
the page reads from a second cookie and must send back in a header.
"""

import hmac
from uuid import UUID

from fastapi import Request, Response

from edison.kit import clock, ids
from edison.workspace.accounts.errors import WrongCsrfToken
from edison.workspace.accounts.models import User, UserSession
from edison.workspace.accounts.signing_keys import SigningKeys

SESSION_COOKIE = "edison_session"
CSRF_COOKIE = "edison_csrf"
CSRF_HEADER = "X-CSRF-Token"


def set_cookies(
    response: Response, request: Request, opened: UserSession, user: User, csrf: str | None = None
) -> None:
    """Set the session's cookies. `csrf` keeps the CSRF value of a session that is extended."""
    keys: SigningKeys = request.app.state.signing_keys
    csrf = csrf or ids.new_secret()
    token = keys.sign(
        {
            "sub": str(user.id),
            "email": user.email,
            "jti": str(opened.id),
            "iat": clock.now(),
            "exp": opened.expires_at,
            "csrf": csrf,
        }
    )
    # Without "remember me", the cookies expire when the browser is closed.
    max_age = (
        round((opened.expires_at - clock.now()).total_seconds()) if opened.remember_me else None
    )
    for name, value, hidden in ((SESSION_COOKIE, token, True), (CSRF_COOKIE, csrf, False)):
        response.set_cookie(
            name,
            value,
            max_age=max_age,
            path="/",
            httponly=hidden,
            samesite="strict",
            secure=request.url.scheme == "https",
        )


def clear_cookies(response: Response) -> None:
    for name in (SESSION_COOKIE, CSRF_COOKIE):
        response.delete_cookie(name, path="/")


def read_cookie(request: Request) -> tuple[UUID, str] | None:
    """Session id and CSRF value of a genuine cookie."""
    token = request.cookies.get(SESSION_COOKIE)
    if token is None:
        return None
    keys: SigningKeys = request.app.state.signing_keys
    claims = keys.read(token)
    if claims is None:
        return None
    # Other tokens are signed with the same keys; only session tokens have a CSRF value.
    session_id, csrf = ids.parse_id(claims["jti"]), claims.get("csrf")
    if session_id is None or not isinstance(csrf, str):
        return None
    return session_id, csrf


def check_csrf(request: Request, expected: str) -> None:
    sent = request.headers.get(CSRF_HEADER, "")
    doubled = request.cookies.get(CSRF_COOKIE, "")
    is_right = hmac.compare_digest(sent.encode(), expected.encode())
    if not is_right or not hmac.compare_digest(doubled.encode(), expected.encode()):
        raise WrongCsrfToken
