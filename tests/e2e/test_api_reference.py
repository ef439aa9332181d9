"""The API reference at `/docs` and the documentation below it, as a visitor sees them."""

from urllib.parse import urlsplit

from playwright.sync_api import Page, expect


def test_the_reference_lists_searches_and_explains_operations(page: Page) -> None:
    """The `page` fixture also fails on any console error, such as a refused style."""
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page.goto("/docs")
    expect(page.locator(".opblock-tag").first).to_contain_text("accounts")
    page.get_by_label("Search the API").fill("REVOKES access token immediately")
    operations = page.locator(".opblock")
    expect(operations).to_have_count(2)
    page.get_by_role("button", name="Revokes a personal access token immediately").click()
    opened = page.locator(".opblock.is-open")
    expect(opened).to_contain_text("Who may call: anyone signed in")
    expect(opened).to_contain_text("401")
    expect(page.get_by_role("button", name="Try it out")).to_have_count(0)
    expect(page.get_by_role("button", name="Authorize")).to_have_count(0)
    # Pictures inside the style sheet have no host.
    assert hosts - {""} == {urlsplit(page.url).netloc}


def test_the_documentation_is_searched_in_the_browser(page: Page) -> None:
    """Under the strict policy, which the `page` fixture watches over."""
    page.goto("/docs/")
    page.get_by_role("searchbox", name="Search").fill("minimum detectable effect")
    page.locator("#found").get_by_role("link", name="What the numbers mean").first.click()
    expect(page).to_have_title("What the numbers mean · Edison")
    expect(page.get_by_role("navigation", name="Pages").locator("[aria-current]")).to_have_text(
        "What the numbers mean"
    )
