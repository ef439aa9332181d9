"""Connecting a provider: by mouse, by keyboard, and with a key that is refused at first."""

import re
from collections.abc import Callable, Iterator

import pytest
from anyio.from_thread import start_blocking_portal
from playwright.sync_api import Page, expect

from tests.e2e.conftest import create_project, press_enter_on
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import ScriptedServer, running


@pytest.fixture
def provider_server() -> Iterator[ScriptedServer]:
    """On a separate thread, since browser tests wait without an event loop."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(running()) as server:
        yield server


def test_simulated_models_are_connected_and_imported(register: Callable[..., Page]) -> None:
    page = register("connects@example.org")
    slug = create_project(page, "Connected")
    page.goto(f"/p/{slug}/playground")
    page.get_by_role("link", name="Connect a provider").click()
    expect(page).to_have_url(re.compile(r"/settings/providers\?add=choose&next="))
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Simulated models")).click()
    page.get_by_role("button", name="Test and save").click()
    page.get_by_role("button", name="Choose models").click()
    expect(page).to_have_url(re.compile(rf"/p/{slug}/models\?import="))
    dialog = page.get_by_role("dialog", name="Add models")
    dialog.get_by_label("Search the list").fill("large")
    expect(dialog.get_by_role("checkbox")).to_have_count(2)
    dialog.get_by_label("sim-large").check()
    dialog.get_by_label("Search the list").fill("")
    dialog.get_by_label("sim-small").check()
    dialog.get_by_role("button", name="Add 2 models").click()
    expect(page).to_have_url(re.compile(rf"/p/{slug}/playground$"))
    page.goto(f"/p/{slug}/models")
    expect(page.get_by_role("row", name=re.compile("sim-large"))).to_contain_text("Simulated")
    expect(page.get_by_role("row", name=re.compile("sim-medium"))).to_have_count(0)
    page.goto(f"/p/{slug}/settings/providers")
    row = page.get_by_role("row", name=re.compile("Simulated models"))
    expect(row).to_contain_text("Works")
    expect(row.get_by_role("link", name="2 models")).to_be_visible()


def test_a_refused_key_is_explained_and_nothing_is_lost(
    register: Callable[..., Page], provider_server: ScriptedServer
) -> None:
    provider_server.script(openai.error(401, code="invalid_api_key"))
    page = register("refused@example.org")
    slug = create_project(page, "Refused")
    page.goto(f"/p/{slug}/settings/providers?add=openai_compatible")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(re.compile("^Label")).fill("Our own server")
    dialog.get_by_label(re.compile("^Base URL")).fill(f"{provider_server.url}/v1")
    key = dialog.get_by_role("textbox", name=re.compile("^API key"))
    key.fill("sk-planted-wrong")
    dialog.get_by_role("button", name="Test and save").click()
    expect(dialog.get_by_text("Invalid key")).to_be_visible()
    expect(key).to_have_attribute("aria-invalid", "true")
    expect(key).to_be_focused()
    expect(key).to_have_value("sk-planted-wrong")
    expect(dialog.get_by_label(re.compile("^Label"))).to_have_value("Our own server")
    provider_server.script(openai.MODELS)
    key.fill("sk-planted-right-5678")
    dialog.get_by_role("button", name="Test and save").click()
    dialog.get_by_role("button", name="Later").click()
    row = page.get_by_role("row", name=re.compile("Our own server"))
    expect(row).to_contain_text("••••5678")
    provider_server.script(openai.error(401, code="invalid_api_key"))
    row.get_by_role("button", name="Test Our own server again").click()
    expect(row).to_contain_text("Invalid key")
    assert "sk-planted" not in page.content()
    assert "sk-planted" not in page.evaluate("() => JSON.stringify({...localStorage})")


def test_the_keyboard_alone_connects_a_provider(register: Callable[..., Page]) -> None:
    page = register("typist@example.org")
    slug = create_project(page, "Typed")
    page.goto(f"/p/{slug}/settings/providers")
    opener = page.get_by_role("button", name="Add provider").first
    press_enter_on(opener)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    simulated = dialog.get_by_role("button", name=re.compile("^Simulated models"))
    for _ in range(20):
        if simulated.evaluate("node => node === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(simulated).to_be_focused()
    page.keyboard.press("Enter")
    label = dialog.get_by_label(re.compile("^Label"))
    expect(label).to_be_visible()
    for _ in range(10):
        if label.evaluate("node => node === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("By hand")
    page.keyboard.press("Enter")
    choose = dialog.get_by_role("button", name="Choose models")
    expect(choose).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("row", name=re.compile("By hand"))).to_be_visible()
