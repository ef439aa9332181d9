"""The playground in a real browser: write, run, open earlier runs, share them."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.accessibility import overflow, serious_findings
from tests.e2e.conftest import add_member, create_project, post, press_enter_on

# The engine runs beside the browser; its speed is not tested here.
PATIENCE = 30_000
WORDS = ("alpha", "beta", "gamma")


def with_words(page: Page, name: str) -> str:
    """A project with a simulated model, a prompt and three cases with an unused input; its slug."""
    slug = create_project(page, name)
    credential: dict[str, Any] = {"provider": "sim", "label": "Sim"}
    credential["settings"] = {"latency_scale": 0.05}
    credential = post(page, f"/projects/{slug}/credentials", credential)
    models = {"credential_id": credential["id"], "provider_models": ["sim-small", "sim-large"]}
    post(page, f"/projects/{slug}/models/import", models)
    text = "Repeat the word {{word}} and nothing else, please, whatever it may be."
    post(page, f"/projects/{slug}/prompts", {"name": "Echo", "text": text})
    dataset = post(page, f"/projects/{slug}/datasets", {"name": "Words"})
    for word in WORDS:
        case = {"inputs": {"word": word, "unused": "x"}, "expected": word}
        post(page, f"/projects/{slug}/datasets/{dataset['id']}/cases", case)
    return slug


def editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Main text")


def layout(page: Page) -> Locator:
    return page.locator("[data-layout]")


def run_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Run", exact=True)


def choose_dataset(page: Page) -> None:
    page.get_by_role("button", name="Dataset: No dataset").click()
    page.get_by_role("menuitemradio", name="Words (3)").click()


def finish(page: Page) -> None:
    expect(page.get_by_text("The run is completed.")).to_be_attached(timeout=PATIENCE)
    expect(run_button(page)).to_be_visible()


def write(page: Page, text: str) -> None:
    editor(page).click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


def version(page: Page) -> Locator:
    return page.get_by_role("region", name="Prompt").get_by_text(re.compile(r"^v\d+$"))


def answer(page: Page, word: str) -> Locator:
    return page.get_by_role("grid").get_by_role("gridcell", name=re.compile(word))


def opened(register: Callable[..., Page], name: str) -> Page:
    """The playground of a new project without runs."""
    page = register(f"playground-{name}@example.org", reduced_motion="reduce")
    page.goto(f"/p/{with_words(page, name)}/playground")
    expect(page.get_by_role("heading", name="Echo", level=1)).to_be_visible()
    return page


def test_only_a_run_with_a_changed_text_creates_a_version(register: Callable[..., Page]) -> None:
    page = opened(register, "versions")
    expect(page.get_by_text("No version yet")).to_be_visible()
    # Without a dataset the variable is filled by hand, and the answer is one row.
    page.get_by_role("textbox", name="word").fill("delta")
    run_button(page).click()
    finish(page)
    expect(answer(page, "delta")).to_be_visible()
    expect(version(page)).to_have_text("v1")

    # A dataset with inputs that the prompt does not use. The same text makes no new version.
    choose_dataset(page)
    expect(page.get_by_role("region", name="Active dataset")).to_contain_text("3 cases")
    run_button(page).click()
    expect(answer(page, "gamma")).to_be_visible(timeout=PATIENCE)
    finish(page)
    expect(version(page)).to_have_text("v1")

    # Leaving the editor saves the draft without making a version.
    write(page, " Thank you.")
    page.get_by_role("button", name="Metric: Score").focus()
    expect(page.get_by_text("Draft saved")).to_be_visible()
    expect(page.get_by_text("Changed since v1")).to_be_visible()
    page.reload()
    expect(editor(page)).to_contain_text("Thank you.")
    expect(run_button(page)).to_be_enabled()
    page.keyboard.press("Control+Enter")
    expect(version(page)).to_have_text("v2", timeout=PATIENCE)
    finish(page)

    # Escape keeps the old name, Enter takes the new one, whose versions start at 1.
    page.get_by_role("button", name="Rename").click()
    page.keyboard.type("Nothing")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Echo", level=1)).to_be_visible()
    page.get_by_role("button", name="Rename").click()
    page.keyboard.type("Parrot")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Parrot", level=1)).to_be_visible()
    expect(version(page)).to_have_text("v1")


def test_the_layout_follows_the_focus_and_problems_are_shown(
    register: Callable[..., Page],
) -> None:
    page = opened(register, "room")
    choose_dataset(page)
    expect(layout(page)).to_have_attribute("data-layout", "balanced")
    editor(page).click()
    expect(layout(page)).to_have_attribute("data-layout", "focus")
    page.reload()
    expect(layout(page)).to_have_attribute("data-layout", "focus")
    editor(page).click()
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("dialog").get_by_role("row")).to_have_count(len(WORDS) + 1)
    assert serious_findings(page) == []
    page.keyboard.press("Escape")
    expect(layout(page)).to_have_attribute("data-layout", "balanced")

    # A file becomes a dataset and is selected; one that is not a table leaves nothing.
    upload = page.locator("input[type=file]")
    upload.set_input_files({"name": "more.csv", "mimeType": "text/csv", "buffer": b"word\none\n"})
    expect(page.get_by_text("more: 1 case added")).to_be_visible()
    expect(page.get_by_role("region", name="Active dataset")).to_contain_text("more")
    upload.set_input_files({"name": "no.json", "mimeType": "text/json", "buffer": b'{"a": ['})
    expect(page.get_by_text("no.json needs review")).to_be_visible()

    # All missing fields are reported at once, with links to them.
    write(page, " {{tone}} {{mood}}")
    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("tone")
    expect(dialog).to_contain_text("mood")
    assert serious_findings(page) == []
    dialog.get_by_role("button", name="Go to dataset").first.click()
    expect(page.get_by_role("button", name="Dataset: more")).to_be_focused()

    page.set_viewport_size({"width": 768, "height": 1024})
    assert overflow(page) == 0
    splitter = page.get_by_role("separator")
    splitter.focus()
    page.keyboard.press("ArrowRight")
    expect(splitter).to_have_attribute("aria-valuenow", "35")


def test_history_links_and_keys(register: Callable[..., Page]) -> None:
    page = opened(register, "history")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    # By keyboard alone: the dataset, the run, the metric.
    press_enter_on(page.get_by_role("button", name="Dataset: No dataset"))
    expect(page.get_by_role("menuitemradio", name="Words (3)")).to_be_visible()
    page.keyboard.press("w")
    expect(page.get_by_role("menuitemradio", name="Words (3)")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Dataset: Words")).to_be_focused()
    expect(run_button(page)).to_be_enabled()
    page.keyboard.press("Control+Enter")
    finish(page)
    for metric in ("Tokens", "Cost", "Latency", "Score", "Tokens"):
        page.keyboard.press("m")
        expect(page.get_by_role("button", name=f"Metric: {metric}")).to_be_visible()

    # A second run, of versions side by side; the first is opened again.
    write(page, " Now.")
    page.get_by_role("button", name="Compare: Models").click()
    page.get_by_role("menuitemradio", name="Prompt versions on one model").click()
    page.get_by_role("button", name="Show 2 columns").click()
    draft = page.get_by_role("columnheader").filter(has_text="Draft")
    run_button(page).click()
    finish(page)
    expect(draft).to_be_visible()
    page.get_by_role("button", name="History", exact=True).click()
    runs = page.get_by_role("dialog").get_by_role("listitem")
    expect(runs).to_have_count(2)
    runs.nth(1).get_by_role("button").first.click()
    past = page.get_by_text("Showing an earlier run")
    expect(past).to_be_visible()
    expect(draft).to_have_count(0)
    show_to_others(page, register)
    assert serious_findings(page) == []
    page.get_by_role("button", name="Back to latest run").click()
    expect(past).to_have_count(0)


def show_to_others(page: Page, register: Callable[..., Page]) -> None:
    """The link shows the same to a member of the project, and nothing to other users."""
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_role("textbox", name="Search inputs and answers").fill("beta")
    expect(page).to_have_url(re.compile("metric=tokens.*q=beta|q=beta.*metric=tokens"))
    page.get_by_role("button", name="More actions", exact=True).click()
    page.get_by_role("menuitem", name="Copy link to this view").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("() => navigator.clipboard.readText()")

    member = register("playground-reader@example.org")
    slug = re.findall("/p/([^/]+)/", link)[0]
    add_member(page, slug, member, email="playground-reader@example.org", role="VIEWER")
    member.goto(link)
    expect(member.get_by_role("button", name="Metric: Tokens")).to_be_visible()
    expect(answer(member, "beta")).to_be_visible()
    expect(answer(member, "alpha")).to_have_count(0)
    expect(member.get_by_text("as it was run. It cannot be changed here.")).to_be_visible()
    expect(member.get_by_role("button", name="Restore")).to_have_count(0)

    stranger = register("playground-stranger@example.org")
    stranger.goto(link)
    expect(stranger.get_by_role("heading", name="Project not found")).to_be_visible()
    expect(stranger.get_by_text("Ask a project admin for an invitation")).to_be_visible()
    for other in (member, stranger):
        other.close()
