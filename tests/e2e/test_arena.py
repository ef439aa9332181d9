"""A first board from the empty state, then a short round of blind votes by keyboard."""

import itertools
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.accessibility import overflow, serious_findings
from tests.e2e.conftest import create_project
from tests.e2e.test_runs import PATIENCE

PAIRS = 4
MODELS = re.compile("simulated|sim-", re.IGNORECASE)


def first_board(page: Page, slug: str) -> None:
    """Three clicks from any page of an empty project."""
    page.goto(f"/p/{slug}")
    page.get_by_role("link", name="Arena", exact=True).click()
    page.get_by_role("button", name="Try with simulated models").click()
    dialog = page.get_by_role("dialog", name="Compare models")
    expect(dialog.get_by_text("40 answers", exact=False)).to_be_visible()
    dialog.get_by_role("button", name="Start with 2 models").click()
    board = page.get_by_role("table", name="Models")
    expect(board).to_contain_text("Simulated large", timeout=PATIENCE)
    expect(board).to_contain_text("Simulated small")
    expect(page.get_by_role("region", name="Result")).to_contain_text("on 20 cases")


def start_round(page: Page) -> None:
    page.get_by_role("link", name="Blind voting", exact=True).click()
    page.get_by_role("button", name="New round").first.click()
    dialog = page.get_by_role("dialog", name="New round of votes")
    dialog.get_by_label("Run", exact=False).first.click()
    page.get_by_role("option").first.click()
    dialog.get_by_label("Pairs", exact=False).fill(str(PAIRS))
    dialog.get_by_role("button", name="Start round").click()
    expect(page).to_have_url(re.compile(r"/arena/voting/[0-9a-f-]{36}$"))
    # The address changes before the page does.
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("main").get_by_text("Which answer is better?")).to_be_visible()


def vote_by_keyboard(page: Page) -> None:
    """Every choice at least once; the first vote is undone and given again."""
    main = page.get_by_role("main")
    question = main.get_by_text("Which answer is better?")
    end = main.get_by_text("All votes are in")
    expect(question).to_be_focused()
    page.keyboard.press("a")
    expect(main.get_by_text("Pair 2.")).to_be_attached()
    page.keyboard.press("u")
    expect(main.get_by_text("0 by you")).to_be_visible()
    keys = itertools.cycle(("1", "b", "t", "x"))
    # Pairs may come back reversed, which does not count as another vote.
    for shown in range(3, 3 + 2 * PAIRS):
        pair = main.get_by_text(f"Pair {shown}.")
        expect(pair.or_(end)).to_be_attached()
        if end.is_visible():
            break
        expect(question).to_be_focused()
        expect(main).not_to_contain_text(MODELS)
        page.keyboard.press(next(keys))
    expect(end).to_be_visible()
    expect(main.get_by_text(f"{PAIRS} by you")).to_be_visible()


def test_a_newcomer_gets_a_board_and_votes_blindly(register: Callable[..., Page]) -> None:
    page = register("arena@example.org")
    slug = create_project(page, "Newcomer")
    first_board(page, slug)
    assert serious_findings(page) == []

    start_round(page)
    assert serious_findings(page) == []
    vote_by_keyboard(page)
    page.get_by_role("button", name="Close and reveal").click()
    page.get_by_role("dialog").get_by_role("button", name="Close and reveal").click()
    revealed = page.get_by_role("table", name="Models")
    expect(revealed).to_contain_text("Simulated large")
    for width in (1440, 768):
        page.set_viewport_size({"width": width, "height": 900})
        assert overflow(page) == 0

    page.get_by_role("link", name="Open board").click()
    expect(page.get_by_role("radio", name="People")).to_be_visible()


def test_weak_questions_are_found_and_dropped_by_a_person(register: Callable[..., Page]) -> None:
    page = register("questions@example.org")
    slug = create_project(page, "Quality")
    page.goto(f"/p/{slug}/arena")
    page.get_by_role("button", name="Try with simulated models").click()
    dialog = page.get_by_role("dialog", name="Compare models")
    dialog.get_by_role("button", name="Start with 2 models").click()
    expect(page.get_by_role("table", name="Models")).to_be_visible(timeout=PATIENCE)

    page.get_by_role("link", name="Questions", exact=True).click()
    page.get_by_role("button", name="Judge questions").first.click()
    dialog = page.get_by_role("dialog", name="Judge questions")
    dialog.get_by_label("Set of questions", exact=False).click()
    page.get_by_role("option").first.click()
    for name in ("Simulated large", "Simulated small"):
        dialog.get_by_role("checkbox", name=name).check()
    expect(dialog.get_by_text("judge", exact=False).last).to_be_visible()
    dialog.get_by_role("button", name="Start judging").click()
    expect(page.get_by_text("All questions have a verdict.")).to_be_visible(timeout=PATIENCE)
    assert serious_findings(page) == []

    questions = page.get_by_role("table", name="Questions")
    questions.get_by_role("button").first.click()
    page.get_by_role("button", name="Drop", exact=True).click()
    page.get_by_role("dialog", name="Drop this question?").get_by_role(
        "button", name="Drop"
    ).click()
    expect(questions.get_by_text("Dropped")).to_have_count(1)
    for width in (1440, 768):
        page.set_viewport_size({"width": width, "height": 900})
        assert overflow(page) == 0
