"""A/B tests in a real browser: from the form to the recommendation."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.accessibility import overflow, serious_findings
from tests.e2e.conftest import create_project, post
from tests.e2e.test_runs import PATIENCE

CASES = 10
# Answers that a request may record, half of them by each arm.
ANSWERS = 100


def prepare(page: Page) -> str:
    """A project with a prompt version, two simulated models and cases; its slug."""
    slug = create_project(page, "Compared")
    path = f"/projects/{slug}"
    credential = post(page, f"{path}/credentials", {"provider": "sim", "label": "Sim"})
    models = ["sim-small", "sim-large"]
    post(
        page,
        f"{path}/models/import",
        {"credential_id": credential["id"], "provider_models": models},
    )
    prompt = post(page, f"{path}/prompts", {"name": "Echo", "text": "Repeat {{word}}."})
    version = {"version": prompt["draft"]["version"], "changelog": "First version."}
    post(page, f"{path}/prompts/{prompt['id']}/versions", version)
    dataset = post(page, f"{path}/datasets", {"name": "Words"})
    for number in range(CASES):
        case = {"inputs": {"word": f"word{number}"}, "expected": f"word{number}"}
        post(page, f"{path}/datasets/{dataset['id']}/cases", case)
    return slug


def create(page: Page, slug: str) -> None:
    page.goto(f"/p/{slug}/ab-tests")
    page.get_by_role("link", name="New A/B test").first.click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Larger model")
    prompts = page.get_by_role("combobox", name="Prompt")
    prompts.first.click()
    page.get_by_role("option", name="Echo").click()
    # The second arm follows the first.
    expect(prompts.last).to_have_text("Echo")
    models = page.get_by_role("combobox", name="Model", exact=True)
    for at, name in enumerate(("small", "large")):
        page.get_by_role("combobox", name="Version").nth(at).click()
        page.get_by_role("option", name="v1").click()
        models.nth(at).click()
        page.get_by_role("option", name=re.compile(name)).click()
    page.get_by_role("button", name="Add scorer").click()
    page.get_by_role("menuitem", name=re.compile("Word overlap")).click()
    page.get_by_role("textbox", name="Pairs at most").fill(str(CASES))
    source = page.get_by_role("combobox", name="Answers come from")
    source.click()
    page.get_by_role("option", name=re.compile("Words")).click()
    expect(page.get_by_text(f"{2 * CASES} answers, 0 judge calls")).to_be_visible()
    source.click()
    page.get_by_role("option", name=re.compile("Recorded through the API")).click()
    expect(page.get_by_text(re.compile("^Your program makes the answers"))).to_be_visible()
    assert serious_findings(page) == []
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_role("heading", name="Larger model")).to_be_visible()


def record(page: Page, slug: str) -> None:
    """Answers of a program that prefers the second arm."""
    test_id = page.url.rpartition("/")[2]
    answers: list[dict[str, Any]] = [
        {
            "id": f"{arm}-{number}",
            "arm": arm,
            "answer": f"Answer {number}",
            "score": round(mean + number % 2 / 10, 1),
        }
        for number in range(ANSWERS // 2)
        for arm, mean in (("first", 0.2), ("second", 0.8))
    ]
    for first in range(2):
        sent = [each | {"id": f"{first}-{each['id']}"} for each in answers]
        post(page, f"/projects/{slug}/ab-tests/{test_id}/answers", {"answers": sent})


def test_an_ab_test_from_its_form_to_the_recommendation(register: Callable[..., Page]) -> None:
    page = register("ab-tests@example.org")
    slug = prepare(page)
    create(page, slug)
    page.get_by_role("link", name="Edit", exact=True).click()
    pairs = page.get_by_role("textbox", name="Pairs at most")
    expect(pairs).to_have_value(str(CASES))
    pairs.fill("200")
    page.get_by_role("button", name="Save changes").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    record(page, slug)
    expect(page.get_by_text("Take the second: it is better.")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(re.compile(r"^Difference \+6\.0 points over"))).to_be_visible()
    table = page.get_by_role("table", name="Recorded answers")
    expect(table.get_by_role("row")).to_have_count(51)
    assert serious_findings(page) == []
    page.set_viewport_size({"width": 768, "height": 900})
    assert overflow(page) == 0
