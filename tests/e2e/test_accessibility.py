"""Every route in light and dark: no axe violations, nothing cut off when zoomed, nothing that moves
against the user's wish, usable by keyboard.
"""

import re
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.accessibility import THEMES, Theme, animations, findings_of_themes, overflows
from tests.e2e.app_routes import ADDRESSES, DEMO, PUBLIC, addresses_of, list_routes
from tests.e2e.conftest import create_project, press_enter_on
from tests.support.thorough import IS_THOROUGH

# Everyday runs check the first view of each route, in the dark only a few: colours are shared.
VIEWS = "all" if IS_THOROUGH else "first"
DEMO_THEMES = THEMES if IS_THOROUGH else THEMES[:1]
PARTS = 3
# Changes the page as a link does, without loading the application again, and marks what is left
# of the page before.
NAVIGATE = """address => {
  for (const heading of document.querySelectorAll("h1")) heading.dataset.left = "";
  history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate", {state: {}}));
}"""
MARK_SEEN = """() => {
  for (const heading of document.querySelectorAll("h1")) heading.dataset.seen = "";
}"""
MOST_LOOKS = 3
NOTHING = "01a1ec00-0000-7000-8000-000000000000"
EMPTY_PAGES = ("", "/playground", "/prompts", "/datasets", "/models", "/budgets", "/operations")


def go_to(page: Page, address: str) -> None:
    if urlsplit(page.url).path == urlsplit(address).path:
        page.goto(address)
    else:
        page.evaluate(NAVIGATE, address)
        page.wait_for_url(f"**{address}")


def settle(page: Page) -> None:
    expect(page.locator("h1:not([data-left])").first).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def problems_of(page: Page, *, themes: Sequence[Theme] = THEMES) -> list[str]:
    """Looks again only if the page was replaced meanwhile: the look was at two pages then."""
    for _ in range(MOST_LOOKS):
        settle(page)
        page.evaluate(MARK_SEEN)
        found = [*animations(page), *findings_of_themes(page, themes=themes), *overflows(page)]
        if page.locator("h1[data-seen]").count():
            return [f"{page.url}: {each}" for each in found]
    raise AssertionError(f"{page.url} is replaced over and over.")


def test_no_route_is_left_out() -> None:
    assert sorted(ADDRESSES) == list_routes()


def test_public_pages(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(reduced_motion="reduce").new_page()
    problems = []
    for addresses in PUBLIC.values():
        for address in addresses:
            page.goto(address)
            problems += problems_of(page)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("part", range(PARTS))
def test_pages_of_the_demo(demo_owner: Callable[..., Page], part: int) -> None:
    page = demo_owner(reduced_motion="reduce")
    settle(page)
    problems = []
    for address in list(addresses_of(page, VIEWS))[part::PARTS]:
        go_to(page, address)
        problems += problems_of(page, themes=DEMO_THEMES)
    assert not problems, "\n".join(problems)


def test_pages_of_an_empty_project(register: Callable[..., Page]) -> None:
    page = register("axe@example.org", reduced_motion="reduce")
    slug = create_project(page, "Looked at " + "w" * 80)
    problems = []
    for path in EMPTY_PAGES:
        page.goto(f"/p/{slug}{path}")
        problems += problems_of(page)
    page.goto("/nowhere")
    problems += problems_of(page)
    assert not problems, "\n".join(problems)


def test_pages_of_what_does_not_exist_have_one_title(demo_owner: Callable[..., Page]) -> None:
    page = demo_owner(reduced_motion="reduce")
    settle(page)
    titles = {}
    for route in list_routes():
        if not route.startswith("/p/$slug/") or route.count("$") == 1:
            continue
        go_to(page, re.sub(r"\$\w+", NOTHING, route.replace("$slug", "demo")))
        settle(page)
        titles[route] = page.locator("h1").count()
    assert [route for route, count in titles.items() if count != 1] == []
    assert len(titles) > 15


def test_dialogs_menus_and_drawers(demo_owner: Callable[..., Page]) -> None:
    page = demo_owner(reduced_motion="reduce")

    def check_open(role: str) -> None:
        expect(page.get_by_role(role).first).to_be_visible()  # type: ignore[arg-type]
        # An open menu hides the page from screen readers and ignores Tab; axe sees only the former
        # and would report every control of the page.
        within = "[role=menu]" if role == "menu" else "html"
        assert [*animations(page), *findings_of_themes(page, within)] == []
        page.keyboard.press("Escape")
        expect(page.get_by_role(role)).to_have_count(0)  # type: ignore[arg-type]

    page.goto(f"{DEMO}/prompts")
    settle(page)
    page.keyboard.press("Control+k")
    check_open("dialog")
    page.keyboard.press("?")
    check_open("dialog")
    for name in ("Account menu", "Help"):
        opener = page.get_by_role("button", name=name)
        press_enter_on(opener)
        check_open("menu")
        expect(opener).to_be_focused()
    page.goto(f"{DEMO}/prompts?create=true")
    check_open("dialog")
    page.set_viewport_size({"width": 720, "height": 450})
    opener = page.get_by_role("button", name="Open menu")
    press_enter_on(opener)
    check_open("dialog")
    expect(opener).to_be_focused()


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
