"""Takes screenshots of all kinds of linked pages, light and dark, in .tmp/screenshots, and writes
those of the guide to docs/images as WebP, less than half the size of PNG.

Starts a server with new demo data, so that the screenshots show a fresh installation.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, get_args

from playwright.sync_api import Browser, Page, StorageState, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / ".tmp" / "screenshots"
IMAGES = ROOT / "docs" / "images"
IN_THE_GUIDE = (
    "projects",
    "p-demo",
    "p-demo-playground",
    "p-demo-datasets",
    "p-demo-prompts",
    "p-demo-members",
    "p-demo-settings",
    "p-demo-settings-providers",
    "p-demo-models",
    "p-demo-runs-one",
    "p-demo-runs-one-results",
    "p-demo-scorers",
    "p-demo-scorers-rubrics-one",
    "p-demo-annotation",
    "p-demo-experiments",
    "p-demo-experiments-one",
    "p-demo-experiments-one-report",
    "p-demo-experiments-one-iterations-one-results",
    "p-demo-experiments-new",
    "p-demo-reviews-one",
    "p-demo-monitors-one",
    "p-demo-ab-tests-one",
    "p-demo-arena",
    "p-demo-optimizations-one",
    "p-demo-import",
    "p-demo-budgets",
    "p-demo-operations",
    "p-demo-audit",
    "account",
)
PUBLIC_PAGES = ("/login", "/register")
# The account page is only reachable by a menu.
FIRST_PAGES = ("/projects", "/account")
# Tabs and similar views, selected by a query.
VIEWS = {
    "p-demo-runs-one": ("results", "?tab=results"),
    "p-demo-experiments-one-iterations-one": ("results", "?tab=results"),
}
ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
WIDTHS = {"desktop": 1440, "tablet": 768}
HEIGHT = 900
SETTLING_MILLISECONDS = 300
MOST_PAGES = 90
# The demo's stories run one after the other; no run for this long means that they are told.
QUIET_LOOKS = 6
LOOK_MILLISECONDS = 5_000
Theme = Literal["light", "dark"]
# The browser can encode WebP, so no library for pictures is needed.
ENCODE = """async (png) => {
  const image = new Image();
  image.src = "data:image/png;base64," + png;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""


@contextmanager
def demo_server() -> Iterator[tuple[str, str]]:
    """Yields the address of a server with demo data, and a single-use sign-in link."""
    program = str(Path(sys.executable).with_name("edison"))
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "--json", "--data-dir", folder]
        command += ["serve", "--demo", "--no-open", "--port", "0"]
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"EDISON_LOG_LEVEL": "warning"},
        ) as server:
            try:
                started = json.loads(server.stdout.readline() if server.stdout else "")
                yield started["url"], started["sign_in_link"]
            finally:
                server.terminate()


def links_of(page: Page, url: str) -> list[str]:
    """Internal paths linked from the page, without queries."""
    addresses = page.locator("a[href]").evaluate_all("links => links.map(link => link.href)")
    paths = [re.split(r"[?#]", address.removeprefix(url))[0] for address in addresses]
    return [
        path for path in paths if path.startswith("/") and not path.startswith(("/api", "/docs"))
    ]


def photograph(page: Page, url: str, path: str, folder: Path) -> None:
    name = kind_of(path)
    take(page, url + path, folder, name)
    if name in VIEWS:
        view, query = VIEWS[name]
        take(page, url + path + query, folder, f"{name}-{view}")
        page.goto(url + path)


def kind_of(path: str) -> str:
    """The path with ids replaced: one screenshot per kind of page is enough."""
    return ID.sub("one", path).strip("/").replace("/", "-") or "start"


def take(page: Page, address: str, folder: Path, name: str) -> None:
    page.goto(address)
    page.wait_for_load_state("networkidle")
    for width_name, width in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.wait_for_timeout(SETTLING_MILLISECONDS)
        # Viewport as high as the page, so that sticky bars are at its end.
        whole = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": width, "height": whole})
        page.screenshot(path=folder / f"{name}.{width_name}.png")


def tour(browser: Browser, url: str, theme: Theme, state: StorageState) -> int:
    """Visits the public pages, then all pages reachable after signing in."""
    folder = TARGET / theme
    with browser.new_context(color_scheme=theme, reduced_motion="reduce") as context:
        for path in PUBLIC_PAGES:
            photograph(context.new_page(), url, path, folder)
    seen, waiting = set(map(kind_of, PUBLIC_PAGES)), list(FIRST_PAGES)
    with browser.new_context(
        color_scheme=theme, reduced_motion="reduce", storage_state=state
    ) as context:
        page = context.new_page()
        while waiting and len(seen) < MOST_PAGES:
            path = waiting.pop(0)
            if kind_of(path) not in seen:
                seen.add(kind_of(path))
                photograph(page, url, path, folder)
                waiting += links_of(page, url)
    return len(seen)


def wait_for_demo(page: Page, url: str) -> None:
    """Waits until the demo's runs have ended, and no further one has started."""
    quiet = 0
    while quiet < QUIET_LOOKS:
        page.wait_for_timeout(LOOK_MILLISECONDS)
        active = page.request.get(f"{url}/api/v1/projects/demo/runs?is_active=true&limit=1")
        quiet = quiet + 1 if active.json()["items"] == [] else 0


def save_for_the_guide(page: Page, png: Path) -> None:
    encoded = page.evaluate(ENCODE, b64encode(png.read_bytes()).decode())
    name = png.name.removesuffix(".desktop.png")
    (IMAGES / f"{name}.webp").write_bytes(b64decode(encoded))


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    shutil.rmtree(TARGET, ignore_errors=True)
    with demo_server() as (url, sign_in_link), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(sign_in_link)
            page.wait_for_url(lambda address: "/sign-in" not in address)
            # The offer of the tour is not part of the pages.
            page.get_by_role("button", name="Not now").click()
            state = context.storage_state()
            wait_for_demo(page, url)
        for theme in get_args(Theme):
            pages = tour(browser, url, theme, state)
            print(f"{pages} screens, {theme}: {(TARGET / theme).relative_to(ROOT)}")
        IMAGES.mkdir(exist_ok=True)
        page = browser.new_page()
        for name in IN_THE_GUIDE:
            save_for_the_guide(page, TARGET / "light" / f"{name}.desktop.png")


if __name__ == "__main__":
    main()
