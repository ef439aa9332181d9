"""Human scores: in the cell of a run, and by two reviewers of one blind queue, by keyboard."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.accessibility import overflow, serious_findings
from tests.e2e.conftest import add_member
from tests.e2e.test_runs import PATIENCE, start_run, with_cases

OUTPUTS = 2


def make_queue(page: Page) -> None:
    """From the menu of the open run."""
    page.get_by_role("button", name=re.compile("^Actions for")).click()
    page.get_by_role("menuitem", name="Request human scores").click()
    dialog = page.get_by_role("dialog", name="Request human scores")
    dialog.get_by_label("Name").fill("Words")
    dialog.get_by_label("Number of answers").fill(str(OUTPUTS))
    dialog.get_by_label("Annotators per answer").fill("2")
    expect(dialog.get_by_text(f"{OUTPUTS} of 5 answers selected.")).to_be_visible()
    dialog.get_by_role("button", name="Create queue").click()
    expect(page).to_have_url(re.compile(r"/annotation/[0-9a-f-]{36}$"))


def score_all(page: Page, *answers: str) -> None:
    """By keyboard only."""
    for left, answer in zip(range(len(answers), 0, -1), answers, strict=True):
        expect(page.get_by_text(f"{left} left for you", exact=False).last).to_be_visible()
        page.keyboard.press(answer)
        expect(page.get_by_role("radio", name=f"{answer}/5")).to_be_checked()
        page.keyboard.press("Enter")


def test_two_reviewers_score_a_cell_and_a_blind_queue(
    register: Callable[..., Page],
) -> None:
    owner, reviewer = register("asks@example.org"), register("answers@example.org")
    slug = with_cases(owner, "Annotated")
    add_member(owner, slug, reviewer, email="answers@example.org", role="REVIEWER")
    start_run(owner, slug, "small")
    expect(owner.get_by_text("The run is completed.")).to_be_attached(timeout=PATIENCE)

    score_a_cell(owner, watched_by=reviewer)
    make_queue(owner)
    expect(owner.get_by_role("main")).not_to_contain_text("small")
    score_and_undo(reviewer, owner.url, watched_by=owner)
    score_all(reviewer, "5", "4")
    expect(reviewer.get_by_text("Nothing left for you", exact=True)).to_be_visible()

    assert serious_findings(owner) == []
    for width in (1440, 768):
        owner.set_viewport_size({"width": width, "height": 900})
        assert overflow(owner) == 0
    score_all(owner, "5", "2")
    expect(owner.get_by_text("All done")).to_be_visible()
    owner.get_by_role("main").get_by_role("link", name="Results").first.click()
    expect(owner.get_by_text("50% within one step")).to_be_visible()
    expect(owner.get_by_role("table", name="Variants")).to_contain_text("small")
    with owner.expect_download() as download:
        owner.get_by_role("link", name="Export CSV").click()
    assert download.value.suggested_filename == "Words.csv"


def score_a_cell(page: Page, *, watched_by: Page) -> None:
    """In the dialog of the run's first cell, while another user looks at the grid."""
    watched_by.goto(page.url)
    watched = watched_by.get_by_role("gridcell").first
    expect(watched).to_contain_text("Score")
    page.get_by_role("gridcell").first.click()
    dialog = page.get_by_role("dialog", name="Case 1")
    dialog.get_by_role("radio", name="Down").click()
    expect(dialog.get_by_text("asks@example.org (you)")).to_be_visible()
    expect(watched).to_contain_text("Human score")
    expect(watched).to_contain_text("0.0/10")
    page.keyboard.press("Escape")


def score_and_undo(page: Page, queue: str, *, watched_by: Page) -> None:
    """Scores with a comment, then undoes the score."""
    page.goto(queue)
    expect(page.get_by_role("heading", name="Answer", exact=True)).to_be_focused()
    page.keyboard.press("5")
    page.keyboard.press("c")
    page.keyboard.type("Short and right")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("1 by you · 1 left for you")).to_be_visible()
    expect(watched_by.get_by_text("1 of 4 scores")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_role("textbox")).to_have_value("Short and right")
