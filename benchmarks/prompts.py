"""Long prompts: diffing two, and typing latency in headless Chromium."""

import shutil
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.server import RunningEdison, running_edison
from edison.library.prompts.diff import compare

LENGTH = 20_000
DIFF_ROUNDS = 20
KEYS = 60
# Two frames: below what users notice.
KEY_SECONDS = 0.034

_LINE = (
    "Rule {number}: answer {{{{question}}}} in the words of the customer, within {number} lines."
)

# From the key event to the frame that shows it.
_WATCH = """() => {
  window.seconds = [];
  document.addEventListener("keydown", () => {
    const pressed = performance.now();
    requestAnimationFrame(() => setTimeout(() => {
      window.seconds.push((performance.now() - pressed) / 1000);
    }));
  }, { capture: true });
}"""


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, running_edison(Path(folder)) as edison:
        typing = _type_into_long_prompt(edison)
    return [_diff_figure(), _typing_figure(typing)]


def _diff_figure() -> Figure:
    before = _long_text()
    lines = before.split("\n")
    after = "\n".join(f"{line} Always." if at % 7 == 0 else line for at, line in enumerate(lines))
    samples = []
    for _ in range(DIFF_ROUNDS):
        started = time.perf_counter()
        compare(before, after, left_title="v1", right_title="v2")
        samples.append(time.perf_counter() - started)
    return Figure(
        name=f"Diff of two prompts of {LENGTH:,} characters, median",
        value=milliseconds(statistics.median(samples)),
    )


def _typing_figure(samples: list[float]) -> Figure:
    p95 = percentile(samples, 0.95)
    return Figure(
        name=f"A key in the editor at {LENGTH:,} characters, p95 to its frame",
        value=milliseconds(p95),
        target=f"< {milliseconds(KEY_SECONDS)}",
        is_met=p95 < KEY_SECONDS,
    )


def _long_text() -> str:
    lines: list[str] = []
    while sum(map(len, lines)) + len(lines) < LENGTH:
        lines.append(_LINE.format(number=len(lines)))
    return "\n".join(lines)[:LENGTH]


def _type_into_long_prompt(edison: RunningEdison) -> list[float]:
    assert edison.sign_in_link is not None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_context().new_page()
        page.goto(edison.sign_in_link)
        page.wait_for_url("**/projects")
        samples = _type(page, f"{edison.url}/p/demo/prompts")
        browser.close()
    return samples


def _type(page: Page, url: str) -> list[float]:
    page.goto(url)
    page.get_by_role("link", name="Support replies").first.click()
    editor = page.get_by_role("textbox", name="Main").first
    editor.click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(_long_text())
    page.evaluate(_WATCH)
    for key in "the quick brown fox " * (KEYS // 20):
        page.keyboard.press("Space" if key == " " else key, delay=20)
    page.wait_for_timeout(500)
    return [float(seconds) for seconds in page.evaluate("() => window.seconds")]
