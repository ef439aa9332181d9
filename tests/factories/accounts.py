"""Builders for users. They skip the slow password hash unless a test is about passwords."""

from fastapi import FastAPI, Request, Response

from edison.kit import clock, ids
from edison.workspace.accounts import cookies, sessions
from edison.workspace.accounts.models import User, UserSession
from tests.support.browser import Browser


async def make_user(
    app: FastAPI, email: str | None = None, *, name: str | None = None, is_verified: bool = True
) -> User:
    async with app.state.database.write() as session:
        user = User(
            id=ids.new_id(),
            email=email or f"{ids.new_id().hex}@example.org",
            name=name,
            email_verified_at=clock.now() if is_verified else None,
        )
        session.add(user)
    return user


async def sign_in(app: FastAPI, user: User, *, remember_me: bool = False) -> Browser:
    """A browser in which `user` is signed in."""
    async with app.state.database.write() as session:
        opened = sessions.open_session(
            session, user, remember_me=remember_me, settings=app.state.settings
        )
    return with_cookies(app, user, opened)


def with_cookies(app: FastAPI, user: User, opened: UserSession) -> Browser:
    response = Response()
    request = Request(
        {
            "type": "http",
            "app": app,
            "headers": [],
            "path": "/",
            "scheme": "http",
            "server": ("edison.localhost", 80),
            "method": "GET",
            "query_string": b"",
        }
    )
    cookies.set_cookies(response, request, opened, user)
    browser = Browser(app)
    for header in response.headers.getlist("set-cookie"):
        name, _, rest = header.partition("=")
        browser.set_cookie(name, rest.partition(";")[0])
    return browser


async def make_person(app: FastAPI, email: str | None = None) -> tuple[User, Browser]:
    user = await make_user(app, email)
    return user, await sign_in(app, user)
