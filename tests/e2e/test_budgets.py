"""Budgets: a limit is set, money is spent under it, and the ledger lists the calls."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import THEMES_OF_PARTS, overflow, serious_findings
from tests.e2e.test_models import with_models


def spend(page: Page, slug: str, model_id: str) -> None:
    """Calls a model once and waits for the answer."""
    page.goto(f"/p/{slug}/models?try={model_id}")
    drawer = page.get_by_role("dialog", name="Try a model")
    drawer.get_by_label(re.compile("^Prompt")).fill("Greet a customer whose parcel is late.")
    page.keyboard.press("Control+Enter")
    expect(drawer.get_by_role("region", name="Answer").get_by_text("Output tokens")).to_be_visible()


def set_limit(page: Page, slug: str, period: str, usd: str) -> None:
    page.goto(f"/p/{slug}/budgets?create=true")
    dialog = page.get_by_role("dialog", name="New project budget")
    dialog.get_by_role("radio", name=re.compile(period)).click()
    dialog.get_by_label(re.compile("^Limit")).fill(usd)
    dialog.get_by_role("switch", name="Count simulated dollars").check()
    dialog.get_by_role("button", name="Create budget").click()
    expect(dialog).to_have_count(0)


def test_a_limit_is_set_used_and_raised(register: Callable[..., Page], tmp_path: Path) -> None:
    page = register("spends@example.org")
    slug, models = with_models(page, "Spending")
    page.goto(f"/p/{slug}/budgets")
    page.get_by_role("button", name="Create budget").click()
    set_limit(page, slug, "In total", "1")
    spend(page, slug, models["sim-large"])
    page.goto(f"/p/{slug}/budgets")
    card = page.get_by_role("region", name="Project, in total")
    expect(card).to_contain_text(re.compile(r"\$0\.0\d*\s*of \$1\.00"))
    expect(page.get_by_role("link", name=re.compile(r"^Within budget"))).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("per day"))).to_be_visible()
    row = page.get_by_role("table", name="Ledger").get_by_role("row", name=re.compile("sim-large"))
    expect(row).to_contain_text("Model trial")

    card.get_by_role("button", name=re.compile("^Actions for")).click()
    page.get_by_role("menuitem", name="Change limit").click()
    page.get_by_label(re.compile("^Limit")).fill("0")
    page.get_by_role("button", name="Save changes").click()
    expect(card).to_contain_text("Used up: calls are blocked")

    with page.expect_download() as download:
        page.get_by_role("link", name="Export CSV").click()
    file = tmp_path / "ledger.csv"
    download.value.save_as(file)
    header, line = file.read_text().splitlines()
    assert header.startswith("id,created_at,")
    assert ",try,,sim,sim-large,1," in line


def test_filters_of_the_ledger_are_in_the_address(register: Callable[..., Page]) -> None:
    page = register("ledger-filters@example.org")
    slug, models = with_models(page, "Filtered")
    for name in ("sim-small", "sim-large"):
        spend(page, slug, models[name])
    page.goto(f"/p/{slug}/budgets")
    rows = page.get_by_role("table", name="Ledger").get_by_role("row")
    expect(rows).to_have_count(3)
    page.get_by_role("combobox", name="Model", exact=True).click()
    page.get_by_role("option", name="sim-small").click()
    expect(rows).to_have_count(2)
    expect(page).to_have_url(re.compile(r"\?model=sim-small$"))
    page.reload()
    expect(rows).to_have_count(2)
    page.get_by_label("Search ledger").fill("no such thing")
    expect(page.get_by_text("No results")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    expect(rows).to_have_count(3)
    expect(page).to_have_url(re.compile(r"/budgets$"))


@pytest.mark.parametrize("theme", THEMES_OF_PARTS)
def test_budgets_and_charts_are_accessible(register: Callable[..., Page], theme: str) -> None:
    page = register(f"charts-{theme}@example.org", color_scheme=theme, reduced_motion="reduce")
    slug, models = with_models(page, "Charts")
    set_limit(page, slug, "Over 30 days", "0.5")
    spend(page, slug, models["sim-large"])
    for width in (1440, 768):
        page.set_viewport_size({"width": width, "height": 1000})
        page.goto(f"/p/{slug}/budgets")
        expect(page.get_by_role("img", name=re.compile("per day"))).to_be_visible()
        expect(
            page.get_by_role("img", name=re.compile("in 30 days")).locator("svg")
        ).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        assert serious_findings(page) == []
        assert overflow(page) == 0
    for _ in range(2):
        page.get_by_role("button", name="Show as table").first.click()
    expect(page.get_by_role("table", name="Burn-down")).to_contain_text("Spent")
    assert serious_findings(page) == []
