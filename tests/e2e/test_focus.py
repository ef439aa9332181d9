"""The focus is never lost: what has it may be deleted, closed or replaced."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.conftest import PASSWORD, create_project, post, press_enter_on, requests_held

CRITERION = {"name": "Echo", "description": "Repeats the word.", "weight": 1}
# Lists whose rows have a menu, and what a row is made of.
LISTS: dict[str, tuple[str, dict[str, Any]]] = {
    "prompts": ("prompts", {"text": "Repeat {{word}}."}),
    "datasets": ("datasets", {}),
    "scorers": ("scorers", {"kind": "length", "options": {"maximum": 3}}),
    "scorers/rubrics": ("rubrics", {"criteria": [CRITERION]}),
    "experiments": ("experiments", {}),
}
# Deleting them asks for the name.
TYPED = ("datasets",)
# The engine runs beside the browser; its speed is not tested here.
PATIENCE = 30_000


def expect_focus_inside_main(page: Page) -> None:
    expect(page.locator("main :focus")).to_have_count(1)


def menu_of(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=f"Actions for {name}", exact=True)


def delete_by_keyboard(page: Page, name: str, *, typed: bool) -> None:
    press_enter_on(menu_of(page, name))
    page.get_by_role("menuitem", name="Delete").press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    if typed:
        dialog.get_by_role("textbox").fill(name)
    press_enter_on(dialog.get_by_role("button", name="Delete"))
    expect(dialog).to_have_count(0)
    expect(menu_of(page, name)).to_have_count(0)


def test_after_deleting_a_row_its_neighbour_has_the_focus(register: Callable[..., Page]) -> None:
    page = register("rows@example.org")
    slug = create_project(page, "Rows")
    for path, (resource, fields) in LISTS.items():
        for name in ("First", "Second", "Third"):
            post(page, f"/projects/{slug}/{resource}", fields | {"name": name})
        page.goto(f"/p/{slug}/{path}")
        # The newest row comes first.
        delete_by_keyboard(page, "Third", typed=path in TYPED)
        expect(menu_of(page, "Second")).to_be_focused()
        delete_by_keyboard(page, "Second", typed=path in TYPED)
        expect(menu_of(page, "First")).to_be_focused()
        delete_by_keyboard(page, "First", typed=path in TYPED)
        expect_focus_inside_main(page)


def test_archiving_a_row_without_a_question_keeps_the_focus(register: Callable[..., Page]) -> None:
    page = register("archived-rows@example.org")
    slug = create_project(page, "Archived rows")
    for name in ("First", "Second"):
        post(page, f"/projects/{slug}/prompts", {"name": name, "text": "Say hello."})
    page.goto(f"/p/{slug}/prompts")
    press_enter_on(menu_of(page, "Second"))
    page.get_by_role("menuitem", name="Archive").press("Enter")
    expect(menu_of(page, "First")).to_be_focused()


def test_rows_with_their_own_button_and_rows_of_a_form(register: Callable[..., Page]) -> None:
    page = register("buttons@example.org")
    for name in ("laptop", "server"):
        post(page, "/auth/tokens", {"name": name, "scope": "read"})
    page.goto("/account?tab=tokens")
    press_enter_on(page.get_by_role("button", name="Revoke server"))
    press_enter_on(page.get_by_role("dialog").get_by_role("button", name="Revoke"))
    expect(page.get_by_text("Token revoked")).to_be_visible()
    expect(page.get_by_role("button", name="Revoke laptop")).to_be_focused()
    press_enter_on(page.get_by_role("button", name="Revoke laptop"))
    press_enter_on(page.get_by_role("dialog").get_by_role("button", name="Revoke"))
    expect(page.get_by_role("button", name="Revoke laptop")).to_have_count(0)
    expect_focus_inside_main(page)

    slug = create_project(page, "Buttons")
    page.goto(f"/p/{slug}/scorers/rubrics/new")
    criteria = page.get_by_role("list", name="Criteria").get_by_role("listitem")
    press_enter_on(page.get_by_role("button", name="Add criterion"))
    expect(criteria).to_have_count(3)
    press_enter_on(page.get_by_role("button", name="Remove criterion 3", exact=True))
    expect(criteria).to_have_count(2)
    expect(page.get_by_role("button", name="Remove criterion 2", exact=True)).to_be_focused()


def test_a_saved_or_cancelled_dialog_returns_to_its_opener(register: Callable[..., Page]) -> None:
    page = register("openers@example.org")
    slug = create_project(page, "Openers")
    post(page, f"/projects/{slug}/prompts", {"name": "Echo", "text": "Say hello."})
    page.goto(f"/p/{slug}/prompts")
    for key in ("Escape", "Enter"):
        press_enter_on(menu_of(page, "Echo"))
        page.get_by_role("menuitem", name="Rename").press("Enter")
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name").fill("Echo")
        page.keyboard.press(key)
        expect(dialog).to_have_count(0)
        expect(menu_of(page, "Echo")).to_be_focused()


def tab_to(target: Locator) -> None:
    """Reaches a control with Tab alone."""
    expect(target).to_be_visible()
    for _ in range(40):
        if target.evaluate("node => node === document.activeElement"):
            return
        target.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {target}.")


def press(target: Locator) -> None:
    tab_to(target)
    target.page.keyboard.press("Enter")


def write_in(target: Locator, text: str) -> None:
    tab_to(target)
    target.page.keyboard.type(text)


def jump_to(page: Page, name: str) -> None:
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
    page.keyboard.type(name)
    expect(page.get_by_role("option", selected=True)).to_contain_text(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


def with_model(owner: Page, name: str) -> None:
    slug = create_project(owner, name)
    sim = {"provider": "sim", "label": "Sim", "settings": {"latency_scale": 0.05}}
    credential = post(owner, f"/projects/{slug}/credentials", sim)
    models = {"credential_id": credential["id"], "provider_models": ["sim-small"]}
    post(owner, f"/projects/{slug}/models/import", models)


def test_from_signing_in_to_answers_by_keyboard_alone(
    register: Callable[..., Page], new_context: Callable[..., BrowserContext]
) -> None:
    with_model(register("no-mouse@example.org"), "No mouse")
    page = new_context().new_page()
    page.goto("/login")
    write_in(page.get_by_label("Email"), "no-mouse@example.org")
    write_in(page.get_by_label(re.compile("^Password")), PASSWORD)
    page.keyboard.press("Enter")
    press(page.get_by_role("main").get_by_role("link", name="No mouse").first)

    press(page.get_by_role("link", name=re.compile("^Write a prompt")))
    press(page.get_by_role("main").get_by_role("button", name="New prompt").first)
    expect(page.get_by_role("dialog").get_by_role("textbox").first).to_be_focused()
    page.keyboard.type("Echo")
    page.keyboard.press("Enter")
    write_in(page.get_by_role("textbox", name="Main text"), "Repeat the word {{word}}, please.")

    jump_to(page, "Datasets")
    press(page.get_by_role("main").get_by_role("button", name="New dataset").first)
    expect(page.get_by_role("dialog").get_by_role("textbox").first).to_be_focused()
    page.keyboard.type("Words")
    page.keyboard.press("Enter")
    press(page.get_by_role("button", name="Add case"))
    drawer = page.get_by_role("dialog", name="New case")
    write_in(drawer.get_by_label("Variable"), "word")
    write_in(drawer.get_by_label("Value"), "alpha")
    press(drawer.get_by_role("button", name="Add case", exact=True))
    expect(drawer).to_have_count(0)
    expect(page.get_by_role("button", name="Add case")).to_be_focused()

    jump_to(page, "Playground")
    press(page.get_by_role("button", name="Dataset: No dataset"))
    page.keyboard.type("Words")
    expect(page.get_by_role("menuitemradio", name="Words (1)")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Dataset: Words")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("The run is completed.")).to_be_attached(timeout=PATIENCE)
    answer = page.get_by_role("grid").get_by_role("gridcell").first
    expect(answer).to_contain_text(re.compile(r"\w+ \w+"))
    tab_to(page.get_by_role("grid").locator("[tabindex='0']").first)
    expect_focus_inside_main(page)


def test_a_drawer_that_closes_late_leaves_the_focus_to_a_newer_dialog(
    register: Callable[..., Page],
) -> None:
    page = register("late@example.org")
    slug = create_project(page, "Late")
    dataset = post(page, f"/projects/{slug}/datasets", {"name": "Words"})
    page.goto(f"/p/{slug}/datasets/{dataset['id']}")
    with requests_held(page, "**/cases"):
        press_enter_on(page.get_by_role("button", name="Add case"))
        drawer = page.get_by_role("dialog", name="New case")
        drawer.get_by_label("Variable").fill("word")
        press_enter_on(drawer.get_by_role("button", name="Add case", exact=True))
        page.keyboard.press("Control+k")
        search = page.get_by_role("combobox", name="Command palette")
        expect(search).to_be_focused()
        page.keyboard.type("Play")
    expect(page.get_by_text("Case added")).to_be_attached()
    expect(drawer).to_have_count(0)
    expect(search).to_be_focused()
    page.keyboard.type("ground")
    expect(search).to_have_value("Playground")


def test_a_closed_drawer_does_not_explain_the_button_that_opened_it(
    demo_owner: Callable[..., Page],
) -> None:
    page = demo_owner()
    opener = page.get_by_role("button", name="History", exact=True)
    opener.click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(opener).to_be_focused()
    # The tooltip of a button that is reached by keyboard would be there at once.
    expect(page.get_by_role("tooltip")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("tooltip", name="History")).to_have_count(1)


def test_switching_prompts_in_the_playground_keeps_the_focus(
    register: Callable[..., Page],
) -> None:
    page = register("switching@example.org")
    slug = create_project(page, "Switching")
    names = ("First", "Second")
    for name in names:
        post(page, f"/projects/{slug}/prompts", {"name": name, "text": "Say hello."})
    page.goto(f"/p/{slug}/playground")
    switcher = page.get_by_role("button", name="Switch prompt", exact=True)
    # The second time both prompts are loaded already.
    for name in names * 2:
        press_enter_on(switcher)
        press_enter_on(page.get_by_role("dialog").get_by_role("button", name=re.compile(name)))
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        expect(switcher).to_be_focused()
