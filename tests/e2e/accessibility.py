"""What pages are checked for: axe, motion, and width."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page, ViewportSize, expect

from tests.support.thorough import IS_THOROUGH

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
DESKTOP = ViewportSize(width=1440, height=900)
# 1440 x 900 at 200 % zoom, and the narrowest width that WCAG 1.4.10 asks for.
NARROW = (ViewportSize(width=720, height=450), ViewportSize(width=320, height=640))
# Waits for colour transitions under way to finish, before contrast is measured.
AT_REST = """async () => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const ending = document.getAnimations().filter(
    each => each.effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(each => each.finished));
}"""
SERIOUS = ("serious", "critical")
# Only colours differ between themes.
RULES: dict[str, dict[str, Any]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
# Dialogs share the colours of their pages, so everyday runs check them in one theme.
THEMES_OF_PARTS = THEMES if IS_THOROUGH else THEMES[1:]


def findings(
    page: Page, impacts: Sequence[str], options: Mapping[str, Any], within: str = "html"
) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text())
    result: dict[str, Any] = page.evaluate(
        "([within, options]) =>"
        " axe.run(within, {resultTypes: ['violations'], preload: false, ...options})",
        [within, options],
    )
    return [
        f"{found['id']}: {node['target']} {node['failureSummary']}"
        for found in result["violations"]
        if found["impact"] in impacts
        for node in found["nodes"]
    ]


@contextmanager
def motion_reduced(page: Page) -> Iterator[None]:
    """Colours change at once, so that none is measured in the middle of its change."""
    is_reduced = page.evaluate("() => matchMedia('(prefers-reduced-motion: reduce)').matches")
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(AT_REST)
    yield
    if not is_reduced:
        page.emulate_media(reduced_motion="no-preference")


def serious_findings(page: Page) -> list[str]:
    with motion_reduced(page):
        return findings(page, SERIOUS, {})


def overflow(page: Page) -> int:
    """By how many pixels the page, and not only a box on it, scrolls sideways."""
    width: int = page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return width


def findings_of_themes(
    page: Page, within: str = "html", *, themes: Sequence[Theme] = THEMES
) -> list[str]:
    """Moderate findings count too."""
    found = []
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html.dark")).to_have_count(int(theme == "dark"))
        with motion_reduced(page):
            found += findings(page, ("moderate", *SERIOUS), RULES[theme], within)
    page.emulate_media(color_scheme="light")
    return found


def overflows(page: Page) -> list[str]:
    """Widths at which something scrolls sideways other than tables and code in their own boxes."""
    found = []
    for size in NARROW:
        page.set_viewport_size(size)
        if overflow(page) > 0:
            found.append(f"{overflow(page)} px wider than {size['width']} px")
    page.set_viewport_size(DESKTOP)
    return found


def animations(page: Page) -> list[str]:
    """What moves for longer than an instant."""
    found: list[str] = page.evaluate(
        """() => document.getAnimations()
          .map(each => [each.effect.target?.className, each.effect.getComputedTiming()])
          .filter(([, {endTime}]) => endTime > 1)
          .map(([name, {endTime}]) => `${name} moves for ${endTime} ms`)"""
    )
    return found
