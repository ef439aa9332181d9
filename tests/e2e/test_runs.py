"""Runs in a real browser: started from a form, watched live, opened cell by cell, and re-run."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import THEMES_OF_PARTS, overflow, serious_findings
from tests.e2e.conftest import create_project, post

CASES = 6
# The engine runs beside the browser; its speed is not tested here.
PATIENCE = 30_000
PAGES = {"runs": "6 of 6 cells", "runs/new": "Simulated models"}


def with_cases(page: Page, name: str, *, latency_scale: float = 0.05) -> str:
    """A project with two simulated models, a prompt and cases; its slug."""
    slug = create_project(page, name)
    settings = {"latency_scale": latency_scale}
    credential = post(
        page,
        f"/projects/{slug}/credentials",
        {"provider": "sim", "label": "Sim", "settings": settings},
    )
    post(
        page,
        f"/projects/{slug}/models/import",
        {"credential_id": credential["id"], "provider_models": ["sim-small", "sim-large"]},
    )
    prompt = {"name": "Echo", "text": "Repeat the word {{word}} and nothing else."}
    post(page, f"/projects/{slug}/prompts", prompt)
    dataset: dict[str, Any] = post(page, f"/projects/{slug}/datasets", {"name": "Words"})
    for number in range(CASES):
        case = {"inputs": {"word": f"word{number}"}, "expected": f"word{number}"}
        post(page, f"/projects/{slug}/datasets/{dataset['id']}/cases", case)
    return slug


def start_run(page: Page, slug: str, *models: str, repeats: int = 1) -> None:
    page.goto(f"/p/{slug}/runs/new")
    page.get_by_role("combobox", name="Prompt 1").click()
    page.get_by_role("option", name="Echo").click()
    for model in models:
        page.get_by_role("checkbox", name=re.compile(model)).check()
    page.get_by_role("combobox", name="Dataset").click()
    page.get_by_role("option", name="Words").click()
    page.get_by_role("button", name="Add scorer").click()
    page.get_by_role("menuitem", name=re.compile("Word overlap")).click()
    page.get_by_label("Repeats").fill(str(repeats))
    count = f"{len(models)} variant" + ("s" if len(models) > 1 else "")
    page.get_by_role("button", name=f"Start run with {count}").click()
    expect(page).to_have_url(re.compile(r"/runs/[0-9a-f]{8}-[0-9a-f-]{27}$"))


def test_a_run_from_its_form_to_a_single_cell(register: Callable[..., Page]) -> None:
    page = register("runs@example.org")
    slug = with_cases(page, "Runs")
    page.goto(f"/p/{slug}/runs")
    expect(page.get_by_role("link", name="Start your first run")).to_be_visible(timeout=PATIENCE)
    start_run(page, slug, "small", "large")
    expect(page.get_by_text("The run is completed.")).to_be_attached(timeout=PATIENCE)
    expect(page.get_by_text(f"{2 * CASES} of {2 * CASES} cells").first).to_be_visible()

    grid = page.get_by_role("grid", name=re.compile("^Results of"))
    expect(grid.get_by_role("rowheader")).to_have_count(CASES)
    first = grid.get_by_role("row").nth(1).get_by_role("gridcell").first
    expect(first).to_contain_text("Score")
    grid.get_by_role("rowheader").first.focus()
    page.keyboard.press("ArrowRight")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Case 1")
    dialog.get_by_role("tab", name="Sent to the model").click()
    expect(dialog).to_contain_text("Repeat the word word0 and nothing else.")
    dialog.get_by_role("button", name="Next case").click()
    expect(page.get_by_role("dialog", name="Case 2")).to_be_visible()
    expect(page).to_have_url(re.compile("output="))
    page.keyboard.press("Escape")

    page.reload()
    expect(grid.get_by_role("rowheader")).to_have_count(CASES)
    page.get_by_label("Search cases and answers").fill("word3")
    expect(grid.get_by_role("rowheader")).to_have_count(1)

    page.get_by_role("button", name="Re-run").click()
    page.get_by_role("dialog").get_by_role("button", name="Re-run").click()
    expect(page.get_by_text("The run is completed.")).to_be_attached(timeout=PATIENCE)
    expect(page.get_by_text(f"{2 * CASES} from cache").first).to_be_visible()
    read_results(page)


def read_results(page: Page) -> None:
    """Results of a re-run: the page says that nothing differs from the original."""
    page.get_by_role("tab", name="Results").click()
    variants = page.get_by_role("table", name="Variants")
    expect(variants.get_by_role("row")).to_have_count(3, timeout=PATIENCE)
    expect(variants).to_contain_text("Not enough evidence")
    page.get_by_role("tab", name="Compare").click()
    page.get_by_role("combobox", name="Run to compare with").click()
    page.get_by_role("option").nth(1).click()
    counts = f"0 improved · 0 regressed · {CASES} unchanged, on {CASES} cases"
    expect(page.get_by_text(counts)).to_be_visible()
    assert serious_findings(page) == []
    for width in (1440, 768):
        page.set_viewport_size({"width": width, "height": 900})
        assert overflow(page) == 0


def test_a_run_is_paused_reloaded_resumed_and_cancelled(register: Callable[..., Page]) -> None:
    page = register("steering@example.org")
    slug = with_cases(page, "Steering", latency_scale=10)
    start_run(page, slug, "large", repeats=20)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("The run is paused.")).to_be_attached(timeout=PATIENCE)
    page.reload()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("The run is generating answers.")).to_be_attached(timeout=PATIENCE)
    expect(page.get_by_role("link", name="1 run in progress")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Cancel run").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This cannot be undone.")
    dialog.get_by_role("button", name="Cancel run").click()
    expect(page.get_by_text("The run is cancelled.")).to_be_attached(timeout=PATIENCE)
    expect(page.get_by_role("link", name="1 run in progress")).to_have_count(0, timeout=PATIENCE)


@pytest.mark.parametrize("theme", THEMES_OF_PARTS)
def test_pages_of_runs_are_accessible(register: Callable[..., Page], theme: str) -> None:
    page = register(f"runs-{theme}@example.org", color_scheme=theme)
    slug = with_cases(page, f"Looked at {theme}")
    start_run(page, slug, "small")
    expect(page.get_by_text("The run is completed.")).to_be_attached(timeout=PATIENCE)
    address = page.url
    for width in (1440, 768):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(address)
        cell = page.get_by_role("gridcell").first
        expect(cell).to_contain_text("Score")
        assert overflow(page) == 0
        assert serious_findings(page) == []
        cell.click()
        expect(
            page.get_by_role("dialog", name="Case 1").get_by_text("Answer").first
        ).to_be_visible()
        assert serious_findings(page) == []
        for path, mark in PAGES.items():
            page.goto(f"/p/{slug}/{path}")
            shown = page.get_by_role("main").get_by_text(mark).first
            expect(shown).to_be_visible(timeout=PATIENCE)
            assert overflow(page) == 0
            assert serious_findings(page) == []
