"""Size and load time of the pages in headless Chromium."""

import gzip
import re
import shutil
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.figures import Figure, milliseconds
from benchmarks.server import running_edison
from edison.app.pages import STATIC

MOST_SCRIPT_BYTES = 250_000
FIRST_PAINT_SECONDS = 1.0
INTERACTIVE_SECONDS = 1.5
VISITS = 5

_TIMES = """() => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  const navigation = performance.getEntriesByType("navigation")[0];
  return [paint ? paint.startTime : null, navigation.domInteractive];
}"""


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, running_edison(Path(folder)) as edison:
        paint, usable = _visit(f"{edison.url}/login")
    size = _initial_script_bytes()
    return [
        Figure(
            name="Initial script, gzipped",
            value=f"{size / 1000:.0f} kB",
            target=f"< {MOST_SCRIPT_BYTES / 1000:.0f} kB",
            is_met=size < MOST_SCRIPT_BYTES,
        ),
        Figure(
            name="First contentful paint, median",
            value=milliseconds(paint),
            target=f"< {FIRST_PAINT_SECONDS:.1f} s",
            is_met=paint < FIRST_PAINT_SECONDS,
        ),
        Figure(
            name="Form usable, median",
            value=milliseconds(usable),
            target=f"< {INTERACTIVE_SECONDS:.1f} s",
            is_met=usable < INTERACTIVE_SECONDS,
        ),
    ]


def _initial_script_bytes() -> int:
    """Compressed size of the scripts and preloads of the first page."""
    page = (STATIC / "index.html").read_text()
    files = set(re.findall(r'(?:src|href)="/(assets/[^"]+\.js)"', page))
    return sum(len(gzip.compress((STATIC / file).read_bytes())) for file in files)


def _visit(url: str) -> tuple[float, float]:
    paints, usables = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for _ in range(VISITS):
            page = browser.new_context().new_page()
            paint, usable = _time_visit(page, url)
            paints.append(paint)
            usables.append(usable)
        browser.close()
    return statistics.median(paints), statistics.median(usables)


def _time_visit(page: Page, url: str) -> tuple[float, float]:
    page.goto(url)
    page.get_by_label("Email").wait_for()
    usable = page.evaluate("() => performance.now()")
    paint, _ = page.evaluate(_TIMES)
    page.context.close()
    return paint / 1000, usable / 1000
