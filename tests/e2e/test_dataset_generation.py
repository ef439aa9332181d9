"""Generated cases: the cost first, drafts to choose from, gaps to fill."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import create_project, post


def with_simulation(page: Page, name: str) -> str:
    """A project with a simulated model and a dataset; the address of the dataset's page."""
    slug = create_project(page, name)
    credential = post(
        page,
        f"/projects/{slug}/credentials",
        {"provider": "sim", "label": "Sim", "settings": {"latency_scale": 0.05}},
    )
    post(
        page,
        f"/projects/{slug}/models/import",
        {"credential_id": credential["id"], "provider_models": ["sim-medium"]},
    )
    dataset: dict[str, Any] = post(page, f"/projects/{slug}/datasets", {"name": "Written"})
    case = {"inputs": {"question": "Where is my parcel?"}, "tags": ["delivery"]}
    post(page, f"/projects/{slug}/datasets/{dataset['id']}/cases", case)
    return f"/p/{slug}/datasets/{dataset['id']}"


def generate(dialog: Locator) -> None:
    dialog.get_by_role("button", name="Estimate cost").click()
    expect(dialog.get_by_role("status", name="Estimate")).to_contain_text("calls")
    dialog.get_by_role("button", name=re.compile("^Generate ")).click()


def test_only_chosen_drafts_become_cases(register: Callable[..., Page]) -> None:
    page = register("generates@example.org")
    page.goto(with_simulation(page, "Generated"))
    page.get_by_role("button", name="Generate cases").click()
    dialog = page.get_by_role("dialog", name="Generate cases")
    expect(dialog.get_by_text("Simulated", exact=True).first).to_be_visible()
    dialog.get_by_role("button", name="Estimate cost").click()
    expect(dialog.get_by_text("Write 20 to 1,000 characters.")).to_be_visible()
    dialog.get_by_label(re.compile("^Hints")).fill("Questions of customers about late parcels")
    dialog.get_by_label(re.compile("^Number of cases")).fill("10")
    generate(dialog)
    expect(dialog.get_by_text(re.compile(r"wrote \d+ of 10"))).to_be_visible()
    drafts = dialog.get_by_role("listitem").get_by_role("checkbox")
    expect(drafts.first).to_be_visible(timeout=30_000)
    dialog.get_by_role("checkbox", name="All drafts").click()
    if drafts.first.is_checked():
        dialog.get_by_role("checkbox", name="All drafts").click()
    drafts.nth(0).click()
    drafts.nth(1).click()
    dialog.get_by_role("button", name="Add 2 cases").click()
    expect(page.get_by_text("2 cases added")).to_be_visible()
    expect(page.get_by_text("3 cases", exact=True)).to_be_visible()


def test_a_gap_of_the_coverage_leads_to_its_generation(register: Callable[..., Page]) -> None:
    page = register("gaps@example.org")
    page.goto(with_simulation(page, "Gaps") + "?tab=coverage")
    tags = page.get_by_role("region", name="Tags")
    expect(tags.get_by_text("Thin", exact=True)).to_be_visible()
    tags.get_by_role("button", name="Fill gap delivery").click()
    dialog = page.get_by_role("dialog", name="Generate cases")
    expect(dialog.get_by_role("radio", name="Fill gaps")).to_be_checked()
    expect(dialog.get_by_label(re.compile("^Hints"))).to_have_value("Tags: delivery")
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="Table").click()
    expect(page.get_by_role("row", name=re.compile("Tags delivery 1 .*Thin"))).to_be_visible()
