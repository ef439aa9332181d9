"""Every page in light and dark: no serious axe violations, nothing cut off, usable by keyboard."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from tests.e2e.conftest import create_project, press_enter_on
from tests.support.thorough import IS_THOROUGH

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
PUBLIC_PAGES = {
    "/login": "Sign in to Edison",
    "/register": "Create your account",
    "/sign-in?token=spent": "This link no longer works",
    "/invitations/unknown": "Invitation",
    "/confirm-email": "This link no longer works",
}
SIGNED_IN_PAGES = {
    "/projects": "Projects",
    "/account": "Account",
    "/account?tab=security": "Two-factor authentication",
    "/account?tab=sessions": "Account",
    "/account?tab=tokens": "Account",
    "/account?tab=appearance": "Account",
    "/p/{slug}": "Looked at",
    "/p/{slug}/playground": "Run your first prompt",
    "/p/{slug}/prompts": "Write your first prompt",
    "/p/{slug}/prompts?create=true": "Variable syntax",
    "/p/{slug}/members": "Members",
    "/p/{slug}/settings": "Settings",
    "/p/{slug}/settings/providers": "No providers connected",
    "/p/{slug}/datasets": "Test cases for your prompts",
    "/p/{slug}/annotation": "No queues yet",
    "/p/{slug}/annotation?create=true": "No run has answers",
    "/p/{slug}/models": "Connect a provider first",
    "/p/{slug}/budgets": "No budgets yet",
    "/p/{slug}/budgets?create=true": "Counts spending from now on",
    "/p/{slug}/audit": "Audit log",
    "/p/{slug}/operations": "No failed jobs",
    "/nowhere": "not found",
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Waits for colour transitions to finish, before contrast is measured.
AT_REST = """async () => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const ending = document.getAnimations().filter(
    each => each.effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(each => each.finished));
}"""
DESKTOP = ViewportSize(width=1440, height=900)
TABLET = ViewportSize(width=768, height=1024)
# Dialogs share the colours of their pages, so everyday runs check them in one theme.
THEMES_OF_PARTS = THEMES if IS_THOROUGH else ("dark",)


def serious_findings(page: Page) -> list[str]:
    page.evaluate(AXE.read_text())
    result: dict[str, Any] = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{found['id']}: {node['target']} {node['failureSummary']}"
        for found in result["violations"]
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"]
    ]


def overflow(page: Page) -> int:
    width: int = page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return width


def settle(page: Page, text: str) -> None:
    expect(page.get_by_text(re.compile(text, re.IGNORECASE)).first).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.wait_for_load_state("networkidle" if "/p/" not in page.url else "load")


def check_page(page: Page, text: str) -> None:
    """Checks every theme at full width, and then the width of a tablet."""
    settle(page, text)
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html.dark")).to_have_count(int(theme == "dark"))
        page.evaluate(AT_REST)
        assert serious_findings(page) == [], (page.url, theme)
    page.set_viewport_size(TABLET)
    assert overflow(page) == 0, page.url
    page.set_viewport_size(DESKTOP)


def test_public_pages(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(reduced_motion="reduce").new_page()
    for path, text in PUBLIC_PAGES.items():
        page.goto(path)
        check_page(page, text)


@pytest.mark.parametrize("half", [0, 1])
def test_signed_in_pages(register: Callable[..., Page], half: int) -> None:
    page = register(f"axe-{half}@example.org", reduced_motion="reduce")
    name = "Looked at " + "w" * 80
    slug = create_project(page, name)
    for path, text in list(SIGNED_IN_PAGES.items())[half::2]:
        page.goto(path.replace("{slug}", slug))
        check_page(page, text)


def test_the_keyboard_alone_reaches_everything(register: Callable[..., Page]) -> None:
    page = register("keys@example.org")
    slug = create_project(page, "By keyboard")
    page.goto(f"/p/{slug}")
    expect(page.get_by_role("heading", name="By keyboard", level=1)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog")
    expect(palette).to_be_visible()
    page.keyboard.type("members")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/p/{slug}/members$"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Control+b")
    expect(page.get_by_role("link", name="All projects").last).to_be_visible()
    press_enter_on(page.get_by_role("button", name="Unfold sidebar"))
    expect(page.get_by_role("button", name="Fold sidebar", exact=True)).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("p")
    expect(page).to_have_url(re.compile(r"/projects$"))


def test_a_dialog_keeps_the_focus_and_gives_it_back(register: Callable[..., Page]) -> None:
    page = register("focus@example.org")
    page.goto("/projects")
    opener = page.get_by_role("button", name="Create your first project")
    press_enter_on(opener)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert dialog.evaluate("node => node.contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
