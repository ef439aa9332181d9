"""The sign-in redirects to the provider and back, and their outcome."""

from urllib.parse import parse_qs, urlsplit

import httpx
from fastapi import FastAPI
from sqlalchemy import select

from edison.workspace.accounts import cookies
from edison.workspace.audit.models import AuditEntry
from tests.support.browser import Browser
from tests.support.patience import PATIENCE_SECONDS

START = "/api/v1/auth/oidc/start"
CALLBACK = "/api/v1/auth/oidc/callback"


async def go_to_provider(browser: Browser, start: httpx.Response) -> str:
    """Follows the redirect to the provider; returns the address it sends the browser back to."""
    assert start.status_code == 302, start.text
    async with httpx.AsyncClient(verify=False, timeout=PATIENCE_SECONDS) as outside:  # noqa: S501 - plain HTTP, and fast
        back = await outside.get(start.headers["location"])
    assert back.status_code == 302, back.text
    address = urlsplit(back.headers["location"])
    assert f"{address.scheme}://{address.netloc}" == str(browser.base_url)
    return f"{address.path}?{address.query}"


async def sign_in(browser: Browser, **params: str) -> httpx.Response:
    start = await browser.get(START, params=params)
    return await browser.get(await go_to_provider(browser, start))


def failure_of(response: httpx.Response) -> str:
    """The error code in the address of the login page."""
    assert response.status_code == 303, response.text
    address = urlsplit(response.headers["location"])
    assert (address.scheme, address.netloc, address.path) == ("", "", "/login")
    assert cookies.SESSION_COOKIE not in response.cookies
    return parse_qs(address.query)["error"][0]


async def actions(app: FastAPI) -> list[tuple[str, str]]:
    async with app.state.database.read() as session:
        rows = await session.execute(
            select(AuditEntry.action, AuditEntry.outcome).order_by(AuditEntry.at, AuditEntry.id)
        )
        return [(row.action, row.outcome) for row in rows]
