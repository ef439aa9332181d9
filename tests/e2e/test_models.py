"""The models of a project: tried, priced, recommended, and shown in both themes."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility import THEMES_OF_PARTS, overflow, serious_findings
from tests.e2e.conftest import create_project, post


def with_models(page: Page, name: str) -> tuple[str, dict[str, str]]:
    """A project with the simulated models; their ids by the provider's name."""
    slug = create_project(page, name)
    credential = post(
        page,
        f"/projects/{slug}/credentials",
        {"provider": "sim", "label": "Sim", "settings": {"latency_scale": 0.05}},
    )
    imported: dict[str, Any] = post(
        page,
        f"/projects/{slug}/models/import",
        {
            "credential_id": credential["id"],
            "provider_models": ["sim-small", "sim-medium", "sim-large", "sim-unheard-of"],
        },
    )
    return slug, {model["provider_model"]: model["id"] for model in imported["created"]}


def test_trying_a_model_shows_its_answer_and_what_it_cost(register: Callable[..., Page]) -> None:
    page = register("tries@example.org")
    slug, models = with_models(page, "Tried")
    page.goto(f"/p/{slug}/models?try={models['sim-small']}")
    drawer = page.get_by_role("dialog", name="Try a model")
    drawer.get_by_label(re.compile("^Prompt")).fill("Greet <b>a customer</b> whose parcel is late.")
    page.keyboard.press("Control+Enter")
    answer = drawer.get_by_role("region", name="Answer")
    expect(answer.get_by_text("Output tokens")).to_be_visible()
    expect(answer).to_contain_text(re.compile(r"Cost\s*\$0\.0"))
    expect(answer).to_contain_text("Stop")
    expect(answer).to_contain_text("sim-small")
    expect(answer.get_by_text("Simulated", exact=True)).to_be_visible()
    drawer.get_by_role("button", name="Run", exact=True).click()
    expect(answer.get_by_text("Free (cached)")).to_be_visible()
    drawer.get_by_role("button", name="Re-run without cache").click()
    expect(answer.get_by_text("Free (cached)")).to_have_count(0)
    expect(answer.get_by_text("Output tokens")).to_be_visible()


def test_a_slow_answer_can_be_stopped(register: Callable[..., Page]) -> None:
    page = register("stops@example.org")
    slug = create_project(page, "Stopped")
    credential = post(
        page,
        f"/projects/{slug}/credentials",
        {"provider": "sim", "label": "Slow", "settings": {"latency_scale": 10}},
    )
    model = post(
        page,
        f"/projects/{slug}/models",
        {"credential_id": credential["id"], "provider_model": "sim-large"},
    )
    page.goto(f"/p/{slug}/models?try={model['id']}")
    drawer = page.get_by_role("dialog", name="Try a model")
    drawer.get_by_label(re.compile("^Prompt")).fill("Write a long story.")
    drawer.get_by_role("button", name="Run", exact=True).click()
    drawer.get_by_role("button", name="Stop").click()
    expect(drawer.get_by_role("region", name="Answer")).to_contain_text("Stopped")
    expect(drawer.get_by_role("button", name="Run", exact=True)).to_be_visible()


def test_an_unknown_price_is_asked_for_and_set(register: Callable[..., Page]) -> None:
    page = register("prices@example.org")
    slug, _ = with_models(page, "Priced")
    page.goto(f"/p/{slug}/models")
    row = page.get_by_role("row", name=re.compile("sim-unheard-of"))
    expect(row).to_contain_text("Price unknown")
    row.get_by_role("button", name=re.compile("^Set price")).click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_label(re.compile("^Input")).fill("2.5")
    drawer.get_by_label(re.compile("^Output")).fill("ten")
    drawer.get_by_role("button", name="Save changes").click()
    expect(drawer.get_by_label(re.compile("^Output"))).to_be_focused()
    drawer.get_by_label(re.compile("^Output")).fill("10")
    drawer.get_by_role("button", name="Save changes").click()
    expect(row).to_contain_text("$2.50")
    page.get_by_role("radio", name="per 1K").click()
    expect(row).to_contain_text("$0.0025")
    page.reload()
    expect(row).to_contain_text("$0.0025")


def test_only_the_recommended_models_stay_in_use(register: Callable[..., Page]) -> None:
    page = register("advised@example.org")
    slug, _ = with_models(page, "Advised")
    page.goto(f"/p/{slug}/models")
    page.get_by_role("button", name="Recommend a balanced set").click()
    dialog = page.get_by_role("dialog")
    for role in ("Fast", "Balanced", "Smart"):
        expect(dialog.get_by_text(role, exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Enable only these").click()
    expect(page.get_by_role("switch", name="Enable sim-unheard-of")).not_to_be_checked()
    expect(page.get_by_role("switch", name="Enable Simulated large")).to_be_checked()


@pytest.mark.parametrize("theme", THEMES_OF_PARTS)
def test_dialogs_and_menus_are_accessible(register: Callable[..., Page], theme: str) -> None:
    page = register(f"overlays-{theme}@example.org", color_scheme=theme, reduced_motion="reduce")
    slug, models = with_models(page, "Overlaid")
    for path in (
        "settings/providers",
        "settings/providers?add=choose",
        "settings/providers?add=bedrock",
        "models",
        f"models?model={models['sim-unheard-of']}",
        f"models?try={models['sim-small']}",
        "models?import=choose",
        "models?advice=balanced",
        "models?advice=costly",
    ):
        page.goto(f"/p/{slug}/{path}")
        expect(page.get_by_role("dialog" if "?" in path else "table")).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        assert serious_findings(page) == [], path


def test_nothing_is_cut_off_on_a_tablet(register: Callable[..., Page]) -> None:
    page = register("models-tablet@example.org", viewport={"width": 768, "height": 1024})
    slug, models = with_models(page, "Narrow")
    for path in ("settings/providers", "models", f"models?model={models['sim-large']}"):
        page.goto(f"/p/{slug}/{path}")
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        assert overflow(page) == 0, path
