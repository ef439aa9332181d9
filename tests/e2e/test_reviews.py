"""A review by keyboard: read, comment, add a case, edit, reject and approve."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.accessibility import overflow, serious_findings
from tests.e2e.conftest import create_project, post, press_enter_on

PATIENCE = 30_000


def send(page: Page, method: str, path: str, data: dict[str, Any]) -> Any:
    csrf = next(each["value"] for each in page.context.cookies() if each["name"] == "edison_csrf")
    response = page.context.request.fetch(
        f"/api/v1{path}", method=method, data=data, headers={"X-CSRF-Token": csrf}
    )
    assert response.ok, response.text()
    return response.json()


def with_experiment(page: Page, name: str) -> str:
    """A project with an experiment whose first iteration has begun; its slug."""
    slug = create_project(page, name)
    credential = post(
        page,
        f"/projects/{slug}/credentials",
        {"provider": "sim", "label": "Sim", "settings": {"latency_scale": 0.02}},
    )
    wanted = {"credential_id": credential["id"], "provider_models": ["sim-small", "sim-large"]}
    post(page, f"/projects/{slug}/models/import", wanted)
    models = {
        each["provider_model"]: each["id"]
        for each in page.context.request.get(f"/api/v1/projects/{slug}/models").json()["items"]
    }
    made = post(
        page, f"/projects/{slug}/experiments", {"name": "Kinder", "template": "customer_support"}
    )
    draft = made["draft"]
    draft["models"]["models"] = [{"model_id": models["sim-small"]}]
    draft["judges"] |= {"judges": [models["sim-large"]], "is_pairwise": False}
    draft["limits"] |= {"refiner_model_id": models["sim-large"], "candidates": 1}
    url = f"/projects/{slug}/experiments/{made['id']}"
    save = {"draft_version": made["draft_version"], "step": "limits", "draft": draft}
    send(page, "PUT", f"{url}/draft", save)
    send(page, "POST", f"{url}/confirm", {})
    post(page, f"{url}/iterations", {})
    return slug


def test_a_reviewer_decides_by_keyboard_alone(register: Callable[..., Page]) -> None:
    page = register("decides@example.org")
    slug = with_experiment(page, "Reviewed")
    page.goto(f"/p/{slug}")
    waiting = page.get_by_role("link", name=re.compile("^Reviews.*2 pending"))
    expect(waiting).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("g")
    page.keyboard.press("v")
    expect(page.get_by_role("table", name="Reviews").get_by_role("row")).to_have_count(3)
    assert serious_findings(page) == []
    press_enter_on(
        page.get_by_role("link", name=re.compile("^Kinder Iteration 1, suggestion 1")).first
    )
    expect(page.get_by_role("heading", name="Kinder")).to_be_visible()
    expect(page.locator(".cm-merge-b .cm-changedLine").first).to_be_visible()
    add_comment(page)
    add_a_case(page)
    assert serious_findings(page) == []
    for width in (1440, 768):
        page.set_viewport_size({"width": width, "height": 900})
        assert overflow(page) == 0
    page.set_viewport_size({"width": 1440, "height": 900})

    edit_too_much(page)
    decision = page.get_by_role("region", name="Decision")
    reject(page)
    expect(decision).to_contain_text("It is too long for us.")
    expect(decision).to_be_focused()
    expect(decision.get_by_role("link", name="Next suggestion")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_text("Baseline: adds the rubric to the prompt")).to_be_visible()
    approve(page)
    expect(decision).to_contain_text("by decides@example.org")
    expect(decision).to_contain_text("It says what we want.")
    assert serious_findings(page) == []
    press_enter_on(page.get_by_role("link", name="Open next iteration").first)
    expect(page).to_have_url(re.compile(r"/iterations/[0-9a-f-]{36}"))


def reject(page: Page) -> None:
    expect(page.get_by_role("button", name="Reject", exact=True)).to_be_enabled()
    page.keyboard.press(",")
    dialog = page.get_by_role("dialog", name="Reject this suggestion?")
    expect(dialog.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("It is too long for us.")
    page.keyboard.press("Control+Enter")
    expect(dialog).to_be_hidden()


def approve(page: Page) -> None:
    """The baseline exceeds guard rails, so approval needs a confirmation."""
    expect(page.get_by_role("button", name="Approve", exact=True)).to_be_enabled()
    page.keyboard.press(".")
    confirm = page.get_by_role("dialog", name="Approve despite exceeded guardrails?")
    expect(confirm.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("It says what we want.")
    press_enter_on(page.get_by_role("button", name="Approve anyway").first)
    expect(page.get_by_text("Approved. The next iteration started.")).to_be_visible()


def add_comment(page: Page) -> None:
    """Opens a second example and comments on the change."""
    expect(page.get_by_text(re.compile(r"^1 of \d+$"))).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    page.keyboard.press("c")
    page.keyboard.type("Do we want this?")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("listitem").filter(has_text="Do we want this?")).to_be_visible()
    page.keyboard.press("Escape")


def add_a_case(page: Page) -> None:
    press_enter_on(page.get_by_role("button", name="Add counterexample").first)
    dialog = page.get_by_role("dialog", name="Add counterexample")
    field = dialog.get_by_role("textbox").first
    expect(field).to_be_focused()
    page.keyboard.type("My parcel was stolen, and I am glad.")
    press_enter_on(page.get_by_role("button", name="Add case").first)
    expect(page.get_by_text("Added to the dataset")).to_be_visible()
    expect(dialog).to_be_hidden()


def edit_too_much(page: Page) -> None:
    """Violated guard rails are shown while editing; the edit is discarded."""
    page.keyboard.press("e")
    press_enter_on(page.get_by_role("tab", name="Main text").first)
    editor = page.get_by_role("textbox", name="Your text", exact=True)
    editor.focus()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\nBe brief and kind and say what comes next." * 40)
    expect(page.get_by_text(re.compile("guardrails? exceeded"))).to_be_visible()
    assert serious_findings(page) == []
    press_enter_on(page.get_by_role("button", name="Approve with edits").first)
    confirm = page.get_by_role("dialog", name="Approve despite exceeded guardrails?")
    expect(confirm).to_contain_text("Length")
    page.keyboard.press("Escape")
    expect(confirm).to_be_hidden()
    press_enter_on(page.get_by_role("button", name="Cancel").first)
    expect(page.get_by_role("button", name="Approve", exact=True)).to_be_visible()
