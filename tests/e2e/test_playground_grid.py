"""The playground's grid in a real browser: columns, grades, thumbs, re-runs and the keyboard."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.accessibility import serious_findings
from tests.e2e.conftest import create_project, post

CASES = 3
# The engine runs beside the browser; its speed is not tested here.
PATIENCE = 30_000
OVERLAP = {"kind": "word_overlap"}


def add_models(page: Page, slug: str, label: str, names: list[str], **settings: Any) -> list[str]:
    """Simulated models with a credential of their own; their ids."""
    credential = post(
        page,
        f"/projects/{slug}/credentials",
        {"provider": "sim", "label": label, "settings": {"latency_scale": 0.01, **settings}},
    )
    made = post(
        page,
        f"/projects/{slug}/models/import",
        {"credential_id": credential["id"], "provider_models": names},
    )
    return [model["id"] for model in made["created"]]


def start(page: Page, slug: str, models: list[str], **changes: Any) -> str:
    """A run of the playground over three cases; its id."""
    prompt = post(
        page,
        f"/projects/{slug}/prompts",
        {"name": "Echo", "text": "Repeat the word {{word}} and nothing else."},
    )
    dataset = post(page, f"/projects/{slug}/datasets", {"name": "Words"})
    for number in range(CASES):
        case = {"inputs": {"word": f"word{number}"}, "expected": f"word{number} alone"}
        post(page, f"/projects/{slug}/datasets/{dataset['id']}/cases", case)
    run = post(
        page,
        f"/projects/{slug}/playground/runs",
        {
            "prompt_id": prompt["id"],
            "columns": [{"model_id": model_id} for model_id in models],
            "dataset_id": dataset["id"],
            **changes,
        },
    )
    return str(run["id"])


def cell(page: Page, row: int, column: int) -> Locator:
    """Both counted from 1, without the header and the row number."""
    return page.locator(f'[role="row"][aria-rowindex="{row + 1}"]').locator(
        f'[role="gridcell"][aria-colindex="{column + 1}"]'
    )


def summary(page: Page, column: int) -> Locator:
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Mean"))
    return row.locator(f'[aria-colindex="{column + 1}"]')


def test_cells_show_grades_reasons_and_failures(register: Callable[..., Page]) -> None:
    page = register("grid-grades@example.org")
    slug = create_project(page, "Graded")
    models = add_models(page, slug, "Sim", ["sim-small", "sim-large"])
    broken = add_models(page, slug, "Broken", ["sim-medium"], content_filter_rate=1)
    run_id = start(page, slug, [*models, *broken], scorers=[OVERLAP])
    page.goto(f"/p/{slug}/playground?run={run_id}")

    grade = cell(page, 1, 1).get_by_role("button", name=re.compile(r"^Score \d"))
    expect(grade).to_be_visible(timeout=PATIENCE)
    text = cell(page, 1, 1).locator("p").first.inner_text()
    grade.click()
    reasons = page.get_by_role("list", name="Reasons")
    expect(reasons).to_contain_text("Word overlap")
    expect(cell(page, 1, 1)).not_to_contain_text(text)
    cell(page, 2, 2).hover()
    expect(reasons).to_be_hidden()
    expect(cell(page, 1, 1)).to_contain_text(text)
    expect(summary(page, 1)).to_contain_text(re.compile(r"\d\.\d/10"), timeout=PATIENCE)

    # A failure shows its reason and has no score.
    expect(cell(page, 1, 3)).to_contain_text("Content filter")
    expect(summary(page, 3)).to_contain_text("No scores yet")
    assert serious_findings(page) == []

    page.goto(f"/p/{slug}/playground?run={run_id}&metric=tokens")
    figures = re.compile(r"\d+(\.\d)?k? \| \d+(\.\d)?k?")
    expect(cell(page, 1, 1)).to_contain_text(figures, timeout=PATIENCE)
    expect(summary(page, 1)).to_contain_text(figures)

    cell(page, 1, 1).hover()
    cell(page, 1, 1).get_by_role("button", name="Compare", exact=True).click()
    compared = page.get_by_role("dialog", name="Case 1: word diff")
    expect(compared.locator("del, ins").first).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("Escape")

    cell(page, 1, 1).click()
    dialog = page.get_by_role("dialog", name="Case 1")
    expect(dialog.get_by_role("heading", name="Expected")).to_be_visible(timeout=PATIENCE)
    dialog.get_by_role("button", name="Save as expected answer").click()
    expect(page.get_by_text("Expected answer saved.")).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("dialog", name="Case 2")).to_be_visible(timeout=PATIENCE)
    assert serious_findings(page) == []


def test_columns_are_added_changed_and_removed(register: Callable[..., Page]) -> None:
    page = register("grid-columns@example.org")
    slug = create_project(page, "Columns")
    models = add_models(page, slug, "Sim", ["sim-small", "sim-large"])
    run_id = start(page, slug, models)
    page.goto(f"/p/{slug}/playground?run={run_id}")
    grid = page.get_by_role("grid")
    expect(cell(page, 1, 2).get_by_role("button", name=re.compile("^Not scored"))).to_be_visible(
        timeout=PATIENCE
    )
    kept = cell(page, 1, 2).locator("p").first.inner_text()

    page.get_by_role("button", name="Add model").click()
    page.get_by_role("combobox", name="Search models").fill("large")
    page.get_by_role("option", name=re.compile("large")).click()
    page.get_by_role("dialog").get_by_role("button", name="Add model").click()
    # The same model twice: the new column has no answers yet.
    expect(grid).to_have_attribute("aria-colcount", "4")
    expect(cell(page, 1, 3)).to_contain_text("Not run yet")

    grid.get_by_role("button", name=re.compile("^Edit .*small")).click()
    page.get_by_role("option", name=re.compile("large")).click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(cell(page, 1, 1)).to_contain_text("Not run yet")
    expect(cell(page, 1, 2)).to_contain_text(kept)

    grid.get_by_role("button", name=re.compile("^Remove")).first.click()
    expect(cell(page, 1, 1)).to_contain_text(kept)
    grid.get_by_role("button", name=re.compile("^Remove")).last.click()
    expect(grid.get_by_role("button", name=re.compile("^Remove"))).to_have_count(0)


def test_thumbs_and_re_runs_by_the_keyboard_while_answers_stream(
    register: Callable[..., Page],
) -> None:
    page = register("grid-keys@example.org")
    slug = create_project(page, "Keys")
    models = add_models(page, slug, "Slow", ["sim-small"], latency_scale=6)
    run_id = start(page, slug, models)
    page.goto(f"/p/{slug}/playground?run={run_id}")
    expect(page.get_by_text("Streaming:").first).to_be_attached(timeout=PATIENCE)
    thumb = cell(page, 1, 1).get_by_role("button", name=re.compile("^Not scored"))
    expect(thumb).to_be_visible(timeout=PATIENCE)

    cell(page, 1, 1).focus()
    page.keyboard.press("t")
    expect(cell(page, 1, 1).get_by_role("button", name="Thumbs up. Switch to down")).to_be_visible()
    expect(summary(page, 1)).to_contain_text("10.0/10", timeout=PATIENCE)
    page.keyboard.press("t")
    expect(cell(page, 1, 1).get_by_role("button", name="Thumbs down. Switch to up")).to_be_visible()
    expect(summary(page, 1)).to_contain_text("0.0/10", timeout=PATIENCE)

    page.keyboard.press("ArrowDown")
    expect(cell(page, 2, 1)).to_be_focused()
    page.keyboard.press("Control+Home")
    expect(page.locator('[data-row="0"] [role="rowheader"]')).to_be_focused()
    page.keyboard.press("ArrowRight")
    # A new answer replaces this one and its thumb.
    expect(cell(page, 3, 1).get_by_role("button", name=re.compile("^Not scored"))).to_be_visible(
        timeout=PATIENCE
    )
    page.keyboard.press("r")
    expect(cell(page, 1, 1)).to_contain_text("Streaming:", timeout=PATIENCE)
    expect(thumb).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Case 1")).to_be_visible()
