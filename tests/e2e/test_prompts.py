"""Writing a prompt in a real browser: by mouse, by keyboard, and with a second user."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.accessibility import THEMES_OF_PARTS, overflow, serious_findings
from tests.e2e.conftest import add_member, create_project, post, requests_held

TEXT = "Write a kind reply to {{customer}} about the order {{number}} and greet {{customer}}."
SAVED = "Draft saved"


def create_prompt(page: Page, slug: str, name: str, **parts: Any) -> str:
    """Creates a prompt through the API; returns the path of its page."""
    answer = post(page, f"/projects/{slug}/prompts", {"name": name, **parts})
    return f"/p/{slug}/prompts/{answer['id']}"


def main_text(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Main text")


def write(page: Page, text: str) -> None:
    """Types at the end of the text."""
    main_text(page).click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


def chip(page: Page, name: str) -> Locator:
    return page.get_by_role("list", name="Variables").get_by_role("button", name=f"{name} used")


def save_version(page: Page, changelog: str) -> None:
    page.get_by_role("button", name="Save as new version").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("What changed").fill(changelog)
    dialog.get_by_role("button", name="Save version").click()
    expect(dialog).to_have_count(0)


def test_a_prompt_from_its_name_to_production(register: Callable[..., Page]) -> None:
    page = register("prompts@example.org")
    slug = create_project(page, "Letters")
    page.goto(f"/p/{slug}/prompts")
    page.get_by_role("button", name="Write a prompt").click()
    page.get_by_role("textbox", name="Name").fill("Reply")
    page.get_by_role("button", name="Create prompt").click()
    expect(page.get_by_role("heading", name="Reply", level=1)).to_be_visible()

    write(page, TEXT)
    expect(chip(page, "customer")).to_contain_text("2")
    expect(chip(page, "number")).to_contain_text("1")
    expect(page.get_by_test_id("character-count").first).to_contain_text(f"{len(TEXT)} of 20,000")
    expect(page.get_by_test_id("save-state")).to_have_text(SAVED)
    save_version(page, "The first words of a reply")
    expect(page.get_by_text("v1", exact=True)).to_be_visible()

    write(page, " Be brief.")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Changed since v1")).to_be_visible()
    page.get_by_role("button", name="Save as new version").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Main +1 −1")).to_be_visible()  # noqa: RUF001
    expect(dialog.locator(".cm-merge-b .cm-changedText")).to_have_text(" Be brief.")
    dialog.get_by_label("What changed").fill("too short")
    dialog.get_by_role("button", name="Save version").click()
    expect(dialog.get_by_text("at least 10 characters")).to_be_visible()
    dialog.get_by_label("What changed").fill("Ask for brevity in the end")
    dialog.get_by_role("button", name="Save version").click()
    expect(page.get_by_text("v2", exact=True)).to_be_visible()

    page.get_by_role("button", name="History").click()
    page.get_by_role("button", name="Mark v1 as production").click()
    expect(page.get_by_role("button", name="Remove the production mark from v1")).to_be_visible()
    page.get_by_role("button", name="Compare v2").click()
    compare = page.get_by_role("dialog", name="Compare versions")
    expect(compare.locator(".cm-merge-a .cm-line").first).to_contain_text("greet {{customer}}.")
    compare.get_by_role("radio", name="Unified").click()
    expect(compare.locator(".cm-deletedChunk")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Restore v1 to the draft").click()
    page.keyboard.press("Escape")
    expect(main_text(page)).to_have_text(TEXT)
    expect(page.get_by_text("v1 in production")).to_be_visible()


def test_two_tabs_edit_one_draft(register: Callable[..., Page]) -> None:
    first = register("meet@example.org")
    slug = create_project(first, "Meeting")
    path = create_prompt(first, slug, "Shared", text=TEXT)
    first.goto(path)
    expect(main_text(first)).to_have_text(TEXT)
    second = first.context.new_page()
    second.goto(path)
    expect(main_text(second)).to_have_text(TEXT)

    # The second tab's text is on its way to the server while the first one's is saved.
    with requests_held(second, "**/draft"):
        with second.expect_request("**/draft"):
            write(second, " From the second.")
            second.keyboard.press("Control+s")
        write(first, " From the first.")
        first.keyboard.press("Control+s")
        expect(first.get_by_test_id("save-state")).to_have_text(SAVED)

    dialog = second.get_by_role("dialog", name="Draft changed by another editor")
    theirs = dialog.get_by_role("textbox", name="Theirs (saved)")
    mine = dialog.get_by_role("textbox", name=re.compile(r"^Mine \(unsaved"))
    expect(theirs).to_contain_text("From the first.")
    expect(mine).to_contain_text("From the second.")
    mine.click()
    second.keyboard.press("Control+End")
    second.keyboard.type(" And both.")
    dialog.get_by_role("button", name="Save my choice").click()
    expect(dialog).to_have_count(0)
    merged = f"{TEXT} From the second. And both."
    expect(main_text(second)).to_have_text(merged)
    expect(main_text(first)).to_have_text(merged)


def test_a_lost_connection_keeps_the_text_and_saves_it_later(register: Callable[..., Page]) -> None:
    page = register("offline@example.org")
    slug = create_project(page, "Offline")
    page.goto(create_prompt(page, slug, "Kept", text=TEXT))
    expect(main_text(page)).to_have_text(TEXT)
    page.route("**/draft", lambda route: route.abort())
    write(page, " Kept.")
    page.keyboard.press("Control+s")
    expect(page.get_by_test_id("save-state")).to_contain_text("Offline")
    page.unroute("**/draft")
    page.get_by_role("button", name="Retry now").click()
    expect(page.get_by_test_id("save-state")).to_have_text(SAVED)
    page.reload()
    expect(main_text(page)).to_have_text(f"{TEXT} Kept.")


def test_the_keyboard_writes_and_leaves_the_editor(register: Callable[..., Page]) -> None:
    page = register("prompt-typist@example.org")
    slug = create_project(page, "Typing")
    page.goto(create_prompt(page, slug, "Typed", text=""))
    editor = main_text(page)
    expect(editor).to_be_visible()
    page.get_by_role("tab", name="Main").focus()
    for _ in range(3):
        page.keyboard.press("Tab")
        if editor.evaluate("node => node === document.activeElement"):
            break
    expect(editor).to_be_focused()
    # Tab passes through an editor in which nothing is written.
    page.keyboard.press("Tab")
    expect(editor).not_to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(editor).to_be_focused()
    page.keyboard.type("Steps:\n")
    page.keyboard.press("Tab")
    page.keyboard.type("greet {{name}}")
    expect(editor).to_be_focused()
    expect(page.locator(".cm-variable")).to_have_text("{{name}}")
    page.keyboard.press("Control+Shift+Z")
    expect(page.get_by_role("button", name="Wrap long lines")).to_have_attribute(
        "aria-pressed", "false"
    )
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(editor).not_to_be_focused()
    expect(page.get_by_test_id("save-state")).to_have_text(SAVED)
    page.keyboard.press("v")
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()


def test_a_preview_names_what_is_missing(register: Callable[..., Page]) -> None:
    page = register("preview@example.org")
    slug = create_project(page, "Rendered")
    page.goto(create_prompt(page, slug, "Shown", text=TEXT, system="Today is {{day}}."))
    page.get_by_role("button", name="Preview", exact=True).click()
    page.get_by_label("customer", exact=True).fill("Ada")
    messages = page.get_by_role("list", name="Messages")
    expect(messages).to_contain_text("Write a kind reply to Ada")
    expect(page.get_by_text("No values for day, number.")).to_be_visible()
    expect(page.locator(".cm-lintRange-info")).to_have_text("{{number}}")
    chip(page, "day").click()
    expect(page.get_by_role("textbox", name="System prompt")).to_be_focused()


def test_a_nunjucks_prompt_is_previewed_with_a_list(register: Callable[..., Page]) -> None:
    page = register("nunjucks@example.org")
    slug = create_project(page, "Logic")
    text = "Answer {{ question }}{% for fact in facts %}\n- {{ fact | upper }}{% endfor %}"
    page.goto(create_prompt(page, slug, "Facts", syntax="nunjucks", text=text))
    expect(page.get_by_role("list", name="Variables").get_by_role("button")).to_have_count(2)
    page.get_by_role("button", name="Preview", exact=True).click()
    page.get_by_label("question", exact=True).fill("Why?")
    page.get_by_label("facts", exact=True).fill('["late", "lost"]')
    messages = page.get_by_role("list", name="Messages")
    expect(messages).to_contain_text(re.compile(r"Answer Why\?.*- LATE.*- LOST", re.DOTALL))


def test_examples_are_moved_by_keyboard_and_tools_are_checked(
    register: Callable[..., Page],
) -> None:
    page = register("parts@example.org")
    slug = create_project(page, "Parts")
    pairs = [{"user": name, "assistant": f"Hello {name}"} for name in ("Ada", "Bob")]
    page.goto(create_prompt(page, slug, "Parts", text=TEXT, few_shots=pairs))
    page.get_by_role("tab", name="Few-shots").click()
    expect(page.get_by_role("textbox", name="Example 1, user")).to_have_text("Ada")
    page.get_by_role("button", name="Move example 1 with the arrow keys").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("textbox", name="Example 1, user")).to_have_text("Bob")
    handle = page.get_by_role("button", name="Move example 2 with the arrow keys")
    expect(handle).to_be_focused()

    page.get_by_role("tab", name="Tools").click()
    page.get_by_role("textbox", name="Tools as JSON").click()
    page.keyboard.insert_text('[{"name": "find", "parameters": {"type": "objekt"}}]')
    expect(page.get_by_text("saved once their JSON is valid")).to_be_visible()
    expect(page.locator(".cm-lintRange-error")).to_have_text('{"type": "objekt"}')
    page.get_by_role("tab", name="Main").click()
    expect(page.get_by_test_id("save-state")).to_contain_text("except the tools")


def test_a_viewer_reads_and_cannot_write(register: Callable[..., Page]) -> None:
    owner = register("owner-of-prompts@example.org")
    slug = create_project(owner, "Read only")
    path = create_prompt(owner, slug, "Read", text=TEXT)
    viewer = register("viewer-of-prompts@example.org")
    add_member(owner, slug, viewer, email="viewer-of-prompts@example.org", role="VIEWER")
    viewer.goto(path)
    expect(viewer.get_by_text("Editing requires the Editor role.")).to_be_visible()
    main_text(viewer).click()
    expect(main_text(viewer)).to_be_focused()
    viewer.keyboard.type("Not mine")
    expect(main_text(viewer)).to_have_text(TEXT)
    expect(viewer.get_by_role("button", name="Save as new version")).to_have_count(0)


@pytest.mark.parametrize("theme", THEMES_OF_PARTS)
def test_the_pages_are_accessible(register: Callable[..., Page], theme: str) -> None:
    page = register(f"axe-prompts-{theme}@example.org", color_scheme=theme, reduced_motion="reduce")
    slug = create_project(page, "Looked at")
    pairs = [{"user": "Hi {{name}}", "assistant": "Hello"}] * 2
    path = create_prompt(
        page, slug, "W" * 100, text=TEXT, system="You are {{role}}.", few_shots=pairs
    )
    for address in (
        f"/p/{slug}/prompts",
        f"{path}?preview=true",
        f"{path}?part=few_shots",
        f"{path}?part=tools",
        f"{path}?history=true",
    ):
        page.goto(address)
        expect(page.get_by_text("W" * 100).first).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        assert serious_findings(page) == [], address
        assert overflow(page) == 0, address
