"""The first experiment of a new user, in a real browser."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.conftest import PASSWORD
from tests.support.patience import PATIENCE_SECONDS

EMAIL = "first-experiment@example.org"
HINTS = "customer support inquiries about password resets, billing, and technical issues"
# Models run beside the browser; their speed is not tested here.
PATIENCE = 1000 * PATIENCE_SECONDS


def sign_up(page: Page) -> None:
    """A new user with an empty project."""
    page.goto("/register")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label(re.compile("^Password")).fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("button", name="Create your first project").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Customer Support Bot")
    dialog.get_by_role("button", name="Create project").click()
    page.wait_for_url(re.compile(r"/p/[^/]+"))


def begin(page: Page) -> None:
    """Starts with a template and adds simulated models."""
    page.get_by_role("button", name="Improve").click()
    page.get_by_role("link", name="Experiments", exact=True).click()
    page.get_by_role("link", name="New experiment").first.click()
    page.get_by_role("button", name=re.compile("^Customer support")).click()
    expect(page.get_by_role("heading", name="What should the answers achieve?")).to_be_visible()
    page.get_by_role("button", name="Use simulated models").click()
    expect(page.get_by_text("No models in this project yet")).to_be_hidden()


def next_step(page: Page, heading: str) -> None:
    """Opens the next step, whose heading then has the focus."""
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.get_by_role("heading", name=heading)).to_be_focused()


def write_about_the_task(page: Page) -> None:
    """Objective, rubric and prompt as in the template, with small changes."""
    objective = page.get_by_role("textbox", name=re.compile("^Objective"))
    expect(objective).to_have_value(re.compile("^Write replies to customers"))
    page.get_by_role("button", name="Add details").click()
    page.get_by_role("button", name="Use Improved").click()
    expect(page.get_by_text("Applied. Nothing else changed.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    next_step(page, "How are answers judged?")
    weights = page.get_by_role("spinbutton", name=re.compile("^Weight"))
    weights.first.fill("1.35")
    page.get_by_role("button", name="Normalise").click()
    expect(weights.first).to_have_value("0.675")
    next_step(page, "Which prompt do you want to improve?")
    page.get_by_label("Name in the library").fill("Support replies")
    next_step(page, "Which cases test it?")


def generate_cases(page: Page) -> None:
    page.get_by_role("button", name="Generate cases").click()
    dialog = page.get_by_role("dialog", name="Generate cases")
    dialog.get_by_label(re.compile("^Hints")).fill(HINTS)
    dialog.get_by_label(re.compile("^Number of cases")).fill("10")
    dialog.get_by_role("button", name="Estimate cost").click()
    dialog.get_by_role("button", name=re.compile("^Generate ")).click()
    add = dialog.get_by_role("button", name=re.compile(r"^Add \d+ cases"))
    expect(add).to_be_enabled(timeout=PATIENCE)
    add.click()
    expect(dialog).to_be_hidden()


def choose_the_rest(page: Page) -> None:
    """Models, judges and limits."""
    next_step(page, "Which models answer?")
    page.get_by_role("checkbox", name=re.compile("Simulated large")).check()
    expect(page.get_by_text("= 2 of max 10 variants")).to_be_visible()
    next_step(page, "Who scores the answers?")
    page.get_by_role("switch", name="Compare answers in pairs").check()
    next_step(page, "When should it stop?")
    page.get_by_label(re.compile("^Max iterations")).fill("5")
    page.get_by_label(re.compile("^Spending limit")).fill("10")


def test_from_signing_up_to_the_second_iteration(page: Page) -> None:
    sign_up(page)
    begin(page)
    write_about_the_task(page)
    generate_cases(page)
    choose_the_rest(page)

    page.get_by_role("button", name="Review and create").click()
    dialog = page.get_by_role("dialog", name="Create Customer support?")
    expect(dialog).to_contain_text("$10.00")
    expect(dialog.get_by_text("Simulated", exact=True)).to_have_count(4)
    dialog.get_by_role("button", name="Create & run").click()
    expect(page).to_have_url(re.compile(r"/iterations/[0-9a-f-]{36}"))
    expect(page.get_by_role("heading", name="Iteration 1")).to_be_visible()
    waits = page.get_by_text("The iteration is awaiting review.")
    expect(waits).to_be_attached(timeout=PATIENCE)

    page.get_by_role("link", name=re.compile("^Reviews")).click()
    suggestion = re.compile("^Customer support Iteration 1, suggestion 1")
    page.get_by_role("link", name=suggestion).click()
    page.get_by_role("button", name="Approve", exact=True).click()
    page.get_by_role("link", name="Open next iteration").click()
    expect(page.get_by_role("heading", name="Iteration 2")).to_be_visible()
    expect(waits).to_be_attached(timeout=PATIENCE)
