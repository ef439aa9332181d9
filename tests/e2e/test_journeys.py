"""User journeys, from the first start to the second user."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from edison.kit import clock
from edison.workspace.accounts.second_factor import totp
from tests.e2e.conftest import PASSWORD, RunningEdison, create_project


def test_the_printed_link_leads_into_the_demo_once(
    edison: RunningEdison, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context().new_page()
    page.goto(edison.sign_in_link)
    expect(page).to_have_url(re.compile(r"/p/demo/playground$"))
    expect(page.get_by_role("grid").get_by_role("gridcell").first).to_be_visible()
    page.get_by_role("link", name="Home").first.click()
    expect(page.get_by_role("heading", name="Demo", level=1)).to_be_visible()
    expect(page.get_by_role("region", name="Recent runs")).to_be_visible()
    again = new_context().new_page()
    again.goto(edison.sign_in_link)
    expect(again.get_by_text("This link no longer works")).to_be_visible()


def test_registering_shows_every_rule_and_opens_the_projects(page: Page) -> None:
    page.goto("/register")
    page.get_by_label("Email").fill("grace@example.org")
    password = page.get_by_label(re.compile("^Password"))
    password.fill("short")
    expect(page.get_by_text("Weak")).to_be_visible()
    page.get_by_role("button", name="Create account").click()
    expect(page).to_have_url(re.compile("/register"))
    password.fill(PASSWORD)
    expect(page.get_by_text("Strong")).to_be_visible()
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page).to_have_url(re.compile(r"/projects$"))
    expect(page.get_by_text("Welcome to Edison").first).to_be_visible()


def test_a_taken_email_is_reported_at_its_field(page: Page, register: Callable[..., Page]) -> None:
    register("taken@example.org")
    page.goto("/register")
    page.get_by_label("Email").fill("Taken@example.org")
    page.get_by_label(re.compile("^Password")).fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    email = page.get_by_label("Email")
    expect(email).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("already in use")).to_be_visible()


def test_signing_in_returns_to_the_requested_page(
    page: Page, register: Callable[..., Page]
) -> None:
    owner = register("return@example.org")
    slug = create_project(owner, "Return here")
    page.goto(f"/p/{slug}/members")
    expect(page).to_have_url(re.compile(r"/login\?next="))
    page.get_by_label("Email").fill("return@example.org")
    page.get_by_label(re.compile("^Password")).fill("Wrong-Password-1!")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("Invalid email or password.")).to_be_visible()
    page.get_by_label(re.compile("^Password")).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page).to_have_url(re.compile(rf"/p/{slug}/members$"))


def test_a_project_from_creation_to_deletion(register: Callable[..., Page]) -> None:
    page = register("projects@example.org")
    page.goto("/projects")
    page.get_by_role("button", name="Create your first project").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Bad <name>")
    dialog.get_by_role("button", name="Create project").click()
    expect(dialog.get_by_text("letters, digits").first).to_be_visible()
    dialog.get_by_label("Name").fill("مشروع Données 2")
    dialog.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("link", name="Write a prompt")).to_be_visible()
    expect(page.get_by_label("Breadcrumb").get_by_text("مشروع Données 2")).to_be_visible()
    page.get_by_role("link", name="Settings").first.click()
    page.get_by_role("textbox", name="Name").fill("Renamed")
    page.get_by_role("button", name="Save changes").first.click()
    expect(page.get_by_text("Project updated")).to_be_visible()
    page.get_by_role("button", name="Archive project").click()
    page.get_by_role("dialog").get_by_role("button", name="Archive project").click()
    expect(page.get_by_text("Project archived")).to_be_visible()
    page.get_by_role("button", name="Delete project").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Delete project")).to_be_disabled()
    dialog.get_by_role("textbox").fill("Renamed")
    dialog.get_by_role("button", name="Delete project").click()
    expect(page).to_have_url(re.compile(r"/projects$"))
    expect(page.get_by_text("Create your first project")).to_be_visible()


def test_settings_saved_in_two_tabs_conflict(register: Callable[..., Page]) -> None:
    first = register("tabs@example.org")
    slug = create_project(first, "Two tabs")
    second = first.context.new_page()
    for page in (first, second):
        page.goto(f"/p/{slug}/settings")
        expect(page.get_by_label("Default max iterations")).to_have_value("10")
    second.get_by_label("Default max iterations").fill("30")
    first.get_by_label("Default max iterations").fill("20")
    first.get_by_role("button", name="Save changes").last.click()
    expect(first.get_by_text("Settings saved")).to_be_visible()
    second.get_by_role("button", name="Save changes").last.click()
    dialog = second.get_by_role("dialog")
    expect(dialog.get_by_text("Another member saved first")).to_be_visible()
    expect(dialog.get_by_text("20")).to_be_visible()
    expect(dialog.get_by_text("30")).to_be_visible()
    dialog.get_by_role("button", name="Save choices").click()
    expect(second.get_by_text("Settings saved")).to_be_visible()
    first.reload()
    expect(first.get_by_label("Default max iterations")).to_have_value("30")


def test_an_invited_person_joins_and_the_owner_sees_it_live(
    register: Callable[..., Page], new_context: Callable[..., BrowserContext]
) -> None:
    owner = register("owner@example.org")
    slug = create_project(owner, "Shared")
    owner.goto(f"/p/{slug}/members")
    owner.get_by_role("button", name="Invite people").click()
    dialog = owner.get_by_role("dialog")
    dialog.get_by_text("By link", exact=True).click()
    dialog.get_by_role("button", name="Create link").click()
    link = dialog.get_by_label("Invitation link").input_value()
    dialog.get_by_role("button", name="Done").click()

    guest = new_context().new_page()
    guest.goto(link)
    expect(guest.get_by_role("heading", name="Join Shared")).to_be_visible()
    guest.get_by_role("link", name="Create an account").click()
    guest.get_by_label("Email").fill("guest@example.org")
    guest.get_by_label(re.compile("^Password")).fill(PASSWORD)
    guest.get_by_label("Confirm password").fill(PASSWORD)
    guest.get_by_role("button", name="Create account").click()
    expect(guest).to_have_url(re.compile(rf"/p/{slug}$"))
    # The owner's page is not reloaded: the project's events update it.
    expect(owner.get_by_text("guest@example.org")).to_be_visible()
    expect(guest.get_by_role("link", name="Audit log")).to_have_count(0)


def test_sessions_and_tokens_can_be_managed(register: Callable[..., Page]) -> None:
    page = register("account@example.org")
    page.goto("/account?tab=tokens")
    page.get_by_role("button", name="New token").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("laptop")
    dialog.get_by_role("button", name="Create token").click()
    secret = dialog.locator("input[readonly]").input_value()
    assert secret.startswith("edn_")
    used = page.context.request.get(
        "/api/v1/auth/me", headers={"Authorization": f"Bearer {secret}"}
    )
    assert used.status == 200
    dialog.get_by_role("button", name="Done").click()
    expect(page.get_by_text("laptop").first).to_be_visible()
    page.get_by_role("tab", name="Sessions").click()
    expect(page.get_by_text("This device")).to_be_visible()
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page).to_have_url(re.compile(r"/login"))


def test_the_audit_log_shows_before_and_after(register: Callable[..., Page]) -> None:
    page = register("audit@example.org")
    slug = create_project(page, "Watched")
    page.goto(f"/p/{slug}/settings")
    page.get_by_label("Delete runs after (days)").fill("97")
    page.get_by_role("button", name="Save changes").last.click()
    expect(page.get_by_text("Settings saved")).to_be_visible()
    page.goto(f"/p/{slug}/audit")
    page.get_by_role("button", name="Details settings.changed").first.click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_text("retention_days")).to_be_visible()
    expect(drawer.get_by_text("90", exact=True)).to_be_visible()
    expect(drawer.get_by_text("97", exact=True)).to_be_visible()


def test_an_unknown_page_and_a_foreign_project_look_alike(register: Callable[..., Page]) -> None:
    page, other = register("me@example.org"), register("them@example.org")
    slug = create_project(other, "Not yours")
    page.goto(f"/p/{slug}")
    expect(page.get_by_text("not found", exact=False).first).to_be_visible()
    page.goto("/p/never-made")
    expect(page.get_by_text("not found", exact=False).first).to_be_visible()


def test_a_second_factor_is_set_up_and_asked_for(
    register: Callable[..., Page], new_context: Callable[..., BrowserContext]
) -> None:
    page = register("factor@example.org")
    page.goto("/account?tab=security")
    page.get_by_role("button", name="Set up").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Current password").fill(PASSWORD)
    dialog.get_by_role("button", name="Continue").click()
    secret = dialog.get_by_label("Setup key").input_value()
    expect(dialog.get_by_role("img", name="QR code")).to_be_visible()
    dialog.get_by_label("Code").fill(totp.code_at(secret, totp.step_at(clock.now())))
    dialog.get_by_role("button", name="Turn on").click()
    recovery = dialog.get_by_role("listitem").first.inner_text()
    dialog.get_by_role("button", name="I have saved them").click()
    expect(page.get_by_text("10 recovery codes left")).to_be_visible()

    other = new_context().new_page()
    other.goto("/login")
    other.get_by_label("Email").fill("factor@example.org")
    other.get_by_label(re.compile("^Password")).fill(PASSWORD)
    other.get_by_role("button", name="Sign in").click()
    other.get_by_label("Code").fill(recovery)
    other.get_by_role("button", name="Verify").click()
    expect(other).to_have_url(re.compile(r"/projects$"))
