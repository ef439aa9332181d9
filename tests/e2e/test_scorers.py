"""Scorers in a real browser: from a rubric over a judge and its test bench to a run."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import THEMES_OF_PARTS, overflow, serious_findings
from tests.e2e.conftest import post
from tests.e2e.test_runs import CASES, PATIENCE, with_cases

CRITERIA = (("Echo", "Repeats the word that was given.", "1"), ("Brevity", "Adds nothing.", "0.6"))


def write_rubric(page: Page, slug: str) -> None:
    page.goto(f"/p/{slug}/scorers/rubrics/new")
    page.get_by_label("Name").first.fill("Echo rubric")
    for place, (name, description, weight) in enumerate(CRITERIA):
        criterion = page.get_by_role("list", name="Criteria").get_by_role("listitem").nth(place)
        criterion.get_by_label("Name").fill(name)
        criterion.get_by_label("Description").fill(description)
        criterion.get_by_label("Weight", exact=False).last.fill(weight)


def start_run_with(page: Page, slug: str, scorer: str) -> None:
    page.goto(f"/p/{slug}/runs/new")
    page.get_by_role("combobox", name="Prompt 1").click()
    page.get_by_role("option", name="Echo").click()
    page.get_by_role("checkbox", name=re.compile("small")).check()
    page.get_by_role("combobox", name="Dataset").click()
    page.get_by_role("option", name="Words", exact=True).click()
    page.get_by_role("button", name="Add saved scorer").click()
    page.get_by_role("menuitem", name=re.compile(scorer)).click()
    page.get_by_role("button", name="Start run with 1 variant").click()


def test_a_rubric_becomes_a_judge_that_is_tried_and_used_in_a_run(
    register: Callable[..., Page],
) -> None:
    page = register("scorers@example.org")
    slug = with_cases(page, "Judging")
    page.goto(f"/p/{slug}")
    page.get_by_role("link", name="Scorers", exact=True).click()
    expect(page.get_by_text("No scorers yet")).to_be_visible()
    write_rubric(page, slug)
    expect(page.get_by_text("1.60")).to_be_visible()
    expect(page.get_by_text('"Echo": <0 to 5>')).to_be_visible()
    page.get_by_role("button", name="Move criterion 2", exact=True).press("ArrowUp")
    expect(page.get_by_text("Criterion 2 moved to position 1")).to_be_attached()
    page.get_by_role("button", name="Save rubric").click()
    expect(page.get_by_text("The weights summed to 1.6.")).to_be_visible()
    expect(page.get_by_role("heading", name="Echo rubric")).to_be_visible()
    expect(page.get_by_label("Weight", exact=False).last).to_have_value("0.625")

    page.get_by_role("link", name="Create judge").click()
    expect(page.get_by_role("combobox", name="Rubric")).to_contain_text("Echo rubric v1")
    page.get_by_label("Name").first.fill("Echo judge")
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name=re.compile("large", re.IGNORECASE)).click()
    page.get_by_role("combobox", name="Case from").click()
    page.get_by_role("option", name="Words", exact=True).click()
    page.get_by_role("button", name="Use the expected answer").click()
    page.get_by_role("button", name="Score answer").click()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("Brevity", timeout=PATIENCE)
    expect(result.get_by_text("Model call")).to_be_visible()
    page.get_by_role("button", name="Save scorer").click()
    expect(page.get_by_role("heading", name="Echo judge")).to_be_visible()
    expect(page.get_by_role("button", name="v1")).to_be_visible()

    start_run_with(page, slug, "Echo judge")
    expect(page.get_by_text("The run is completed.")).to_be_attached(timeout=PATIENCE)
    expect(page.get_by_text(f"{CASES} of {CASES} cells").first).to_be_visible()
    page.goto(f"/p/{slug}/scorers")
    expect(page.get_by_role("row", name=re.compile("Echo judge"))).to_contain_text("1 run")


@pytest.mark.parametrize("theme", THEMES_OF_PARTS)
def test_pages_of_scorers_are_accessible(register: Callable[..., Page], theme: str) -> None:
    page = register(f"scorers-{theme}@example.org", color_scheme=theme)
    slug = with_cases(page, f"Scorers {theme}")
    scorer = post(
        page,
        f"/projects/{slug}/scorers",
        {"name": "Short", "kind": "length", "options": {"maximum": 3}},
    )
    criterion = {"name": "Echo", "description": "Repeats the word.", "weight": 1}
    rubric = post(page, f"/projects/{slug}/rubrics", {"name": "Echo", "criteria": [criterion]})
    pages = {
        "scorers": "Short",
        "scorers/rubrics": "Not used",
        "scorers/new": "Word overlap",
        f"scorers/{scorer['id']}": "Test bench",
        f"scorers/{scorer['id']}?history=true": "First version",
        f"scorers/rubrics/{rubric['rubric']['id']}": "You are a strict evaluator",
    }
    for width in (1440, 768):
        page.set_viewport_size({"width": width, "height": 900})
        for path, mark in pages.items():
            page.goto(f"/p/{slug}/{path}")
            shown = page.get_by_text(mark).first
            expect(shown).to_be_visible(timeout=PATIENCE)
            assert overflow(page) == 0, path
            assert serious_findings(page) == [], path
