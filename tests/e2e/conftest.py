"""A running Edison and a real browser.

Every page is watched: an error in the console, a failed script or a violation of the content
security policy fails the test that caused it.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Route,
    expect,
)

from edison.cli.offline import offline_database
from edison.settings import Settings
from edison.workspace.accounts.sign_in_links import offer_link

PASSWORD = "Analytical-Engine-1843!"
WIDE_OPEN = {
    "EDISON_REQUESTS_PER_MINUTE": "1000000",
    "EDISON_REQUESTS_PER_MINUTE_SIGNED_IN": "1000000",
    "EDISON_LOGIN_ATTEMPTS": "1000000",
    "EDISON_LOG_LEVEL": "warning",
}
# The browser reports refused requests, which some tests provoke on purpose.
EXPECTED_NOISE = ("Failed to load resource",)
# Two browsers and two servers may share two cores.
expect.set_options(timeout=20_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningEdison:
    url: str
    sign_in_link: str
    data_dir: Path


@pytest.fixture(scope="session")
def edison(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningEdison]:
    program = Path(sys.executable).with_name("edison")
    data_dir = tmp_path_factory.mktemp("edison")
    command = [program, "--json", "--data-dir", data_dir, "serve", "--demo", "--no-open"]
    with subprocess.Popen(
        [*command, "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | WIDE_OPEN,
    ) as process:
        assert process.stdout is not None
        announced = json.loads(process.stdout.readline())
        yield RunningEdison(
            url=announced["url"], sign_in_link=announced["sign_in_link"], data_dir=data_dir
        )
        process.terminate()


# The headless shell behaves the same and takes a fifth less time.
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return browser_type_launch_args | {
        "executable_path": next(filter(None, map(shutil.which, BROWSERS)), None),
        "args": [
            "--no-sandbox",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
        ],
    }


@pytest.fixture
def new_context(browser: Browser, edison: RunningEdison) -> Iterator[Callable[..., BrowserContext]]:
    """Opens isolated browser contexts, as for different users."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def make(**options: Any) -> BrowserContext:
        options = {"viewport": {"width": 1440, "height": 900}} | options
        context = browser.new_context(base_url=edison.url, **options)
        context.on("console", lambda message: _note(message, complaints))
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


def _note(message: ConsoleMessage, complaints: list[str]) -> None:
    if message.type in ("error", "warning") and not message.text.startswith(EXPECTED_NOISE):
        complaints.append(message.text)


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    return new_context().new_page()


@pytest.fixture
def register(new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Creates an account through the API and returns a page that is signed in to it."""

    def make(email: str, **options: Any) -> Page:
        context = new_context(**options)
        response = context.request.post(
            "/api/v1/auth/register", data={"email": email, "password": PASSWORD}
        )
        assert response.status == 201, response.text()
        return context.new_page()

    return make


@pytest.fixture
def demo_owner(
    new_context: Callable[..., BrowserContext], edison: RunningEdison
) -> Callable[..., Page]:
    """Opens pages that are signed in as the owner of the demo project."""

    async def make_secret() -> str:
        settings = Settings(data_dir=edison.data_dir)
        async with offline_database(settings) as database, database.write() as session:
            secret = await offer_link(session)
        assert secret is not None
        return secret

    def make(**options: Any) -> Page:
        # The printed link works once, and another test uses it. Playwright owns this thread's loop.
        with ThreadPoolExecutor(max_workers=1) as threads:
            secret = threads.submit(asyncio.run, make_secret()).result()
        page = new_context(**options).new_page()
        page.goto(f"/sign-in?token={secret}")
        page.wait_for_url(re.compile(r"/p/demo/playground$"))
        return page

    return make


def press_enter_on(target: Locator) -> None:
    """Focus a control and press Enter once it is enabled: keys, unlike clicks, are lost
    on a control that waits for something.
    """
    expect(target).to_be_enabled()
    target.focus()
    target.page.keyboard.press("Enter")


@contextmanager
def requests_held(page: Page, address: str) -> Iterator[None]:
    """Keeps the page's requests to the address from the server until the end."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(address, hold)
    yield
    for route in held:
        route.continue_()
    page.unroute(address)


def add_member(owner: Page, slug: str, member: Page, *, email: str, role: str) -> None:
    """Invites an existing account, which accepts with the invitation's link."""
    result = post(owner, f"/projects/{slug}/invitations", {"email": email, "role": role})
    token = result["link"].rsplit("/", 1)[1]
    post(member, f"/invitations/{token}/accept", {}, status=200)


def post(page: Page, path: str, data: dict[str, Any], *, status: int = 201) -> Any:
    """Posts a body to the API as the signed-in user; returns the response body."""
    csrf = next(
        cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "edison_csrf"
    )
    response = page.context.request.post(
        f"/api/v1{path}", data=data, headers={"X-CSRF-Token": csrf}
    )
    assert response.status == status, response.text()
    return response.json()


def create_project(page: Page, name: str) -> str:
    """Creates a project through the API; returns its slug."""
    return str(post(page, "/projects", {"name": name})["slug"])
