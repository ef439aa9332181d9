"""Monitors in a real browser: from a run to a monitor, its first check, its trend."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.accessibility import overflow, serious_findings
from tests.e2e.test_runs import PATIENCE, start_run, with_cases

TABS = ("Checks", "Models", "Costs", "Settings", "Trend")


def create_from_run(page: Page, slug: str) -> None:
    start_run(page, slug, "small")
    expect(page.get_by_text("The run is completed.")).to_be_attached(timeout=PATIENCE)
    page.get_by_role("button", name=re.compile("^Actions for ")).click()
    page.get_by_role("menuitem", name="Monitor this").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Echo, hourly")
    page.get_by_role("combobox", name="How often").click()
    page.get_by_role("option", name="Every hour").click()
    expect(page.get_by_role("textbox", name="Cron")).to_have_value("0 * * * *")
    expect(page.get_by_role("table", name="Next times").get_by_role("row")).to_have_count(6)
    expect(page.get_by_text("With 6 cases no drop can be told from chance.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"about [\d,.]+ false alarms a year"))).to_be_visible()
    page.get_by_role("button", name="Create monitor").click()
    expect(page.get_by_role("heading", name="Echo, hourly")).to_be_visible()


def test_a_monitor_is_made_from_a_run_and_checks_now(register: Callable[..., Page]) -> None:
    page = register("monitors@example.org")
    slug = with_cases(page, "Monitored")
    create_from_run(page, slug)
    expect(page.get_by_text("No scores yet")).to_be_visible()
    page.get_by_role("button", name="Run now").click()
    expect(page.get_by_role("button", name="Open check 1")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("img", name=re.compile("^1 check. Last score"))).to_be_visible()
    for tab in TABS:
        page.get_by_role("tab", name=tab).click()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert serious_findings(page) == []
    page.get_by_role("button", name="Open check 1").click()
    drawer = page.get_by_role("dialog", name="Check 1")
    expect(drawer.get_by_text("6 answers, 0 failed", exact=False)).to_be_visible()
    drawer.get_by_role("link", name="Open run").click()
    expect(page.get_by_text("The run is completed.")).to_be_attached(timeout=PATIENCE)

    page.set_viewport_size({"width": 768, "height": 900})
    page.goto(f"/p/{slug}/monitors")
    expect(page.get_by_role("link", name="Echo, hourly")).to_be_visible()
    assert (overflow(page), serious_findings(page)) == (0, [])
    page.get_by_role("link", name="Alerts", exact=True).click()
    expect(page.get_by_text("No open alerts")).to_be_visible()
    assert (overflow(page), serious_findings(page)) == (0, [])
