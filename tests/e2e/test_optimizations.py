"""An optimization in a real browser: form, live page, verdict and candidate."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.accessibility import overflow, serious_findings
from tests.e2e.conftest import create_project, post
from tests.e2e.test_reviews import send

PATIENCE = 90_000
TRAIN, HOLDOUT = 8, 11
HELD_OUT = {"split": "holdout"}


def prepare(page: Page) -> str:
    """A project with a confirmed experiment, whose dataset has held-out cases; its page."""
    slug = create_project(page, "Searched")
    path = f"/projects/{slug}"
    settings = {"latency_scale": 0.01}
    credential = post(
        page, f"{path}/credentials", {"provider": "sim", "label": "Sim", "settings": settings}
    )
    wanted = {"credential_id": credential["id"], "provider_models": ["sim-small", "sim-large"]}
    post(page, f"{path}/models/import", wanted)
    found = page.context.request.get(f"/api/v1{path}/models").json()["items"]
    models = {each["provider_model"]: each["id"] for each in found}
    wanted = {"name": "Kinder replies", "template": "customer_support"}
    made = post(page, f"{path}/experiments", wanted)
    draft = made["draft"]
    # The template has 3 held-out cases.
    trained = [each for each in draft["data"]["cases"] if each["split"] == "train"]
    draft["data"]["cases"] += [
        each | {"inputs": {"message": f"{each['inputs']['message']} Please help."}} | HELD_OUT
        for each in trained
    ]
    draft["models"]["models"] = [{"model_id": models["sim-small"]}]
    draft["judges"] |= {"judges": [models["sim-large"]], "is_pairwise": False}
    draft["limits"] |= {"refiner_model_id": models["sim-large"]}
    url = f"{path}/experiments/{made['id']}"
    save = {"draft_version": made["draft_version"], "step": "limits", "draft": draft}
    send(page, "PUT", f"{url}/draft", save)
    send(page, "POST", f"{url}/confirm", {})
    return f"/p/{slug}/experiments/{made['id']}"


def create(page: Page) -> None:
    """From the menu of the experiment, with everything filled in."""
    page.get_by_role("main").get_by_role("button", name="Improve").click()
    page.get_by_role("menuitem", name=re.compile("Start an optimization")).click()
    name = page.get_by_role("textbox", name="Name", exact=True).first
    expect(name).to_have_value("Kinder replies")
    split = f"{TRAIN} training cases, {HOLDOUT} held-out cases."
    expect(page.get_by_text(split)).to_be_visible()
    page.get_by_label("Candidates per generation").fill("4")
    page.get_by_role("textbox", name="Generations", exact=True).fill("2")
    expect(page.get_by_text("The budget pays for no generation.")).to_be_visible()
    page.get_by_role("textbox", name="Budget (USD)").fill("50")
    expect(page.get_by_text("About 2 generations of 4 candidates.")).to_be_visible()
    assert serious_findings(page) == []
    page.get_by_role("button", name="Create optimization").click()
    expect(page.get_by_text("Not started. Nothing has been spent.")).to_be_visible()


def test_an_optimization_from_its_form_to_its_verdict(register: Callable[..., Page]) -> None:
    page = register("optimizations@example.org")
    page.goto(prepare(page))
    create(page)
    page.get_by_role("button", name="Start", exact=True).click()
    verdict = page.get_by_label("Verdict")
    # Whether so few cases suffice for a promotion is a matter of chance.
    expect(verdict).to_contain_text(f"on {HOLDOUT} cases: ", timeout=PATIENCE)
    table = page.get_by_role("table", name="Candidates")
    finalist = table.get_by_role("row").filter(has_text="Finalist")
    expect(finalist).to_have_count(1)
    assert serious_findings(page) == []
    page.set_viewport_size({"width": 768, "height": 900})
    assert overflow(page) == 0
    page.set_viewport_size({"width": 1440, "height": 900})
    finalist.get_by_role("button").click()
    drawer = page.get_by_role("dialog")
    expect(drawer.locator(".cm-changedLine").first).to_be_visible()
    scores = drawer.get_by_role("table", name="Scores by training case")
    expect(scores.get_by_role("row")).to_have_count(TRAIN + 1)
    assert serious_findings(page) == []
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
