"""The API reference at `/docs`, as a visitor sees it."""

from playwright.sync_api import Page, expect

from tests.support.application import describe


def test_the_reference_lists_searches_and_explains_operations(page: Page) -> None:
    """The `page` fixture also fails on any error of the console, such as a refused style."""
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    page.goto("/docs")
    groups = page.locator(".opblock-tag")
    expect(groups.first).to_contain_text("accounts")
    tags = {tag for methods in describe()["paths"].values() for tag in _tags(methods)}
    expect(groups).to_have_count(len(tags))

    page.get_by_label("Search the API").fill("REVOKE token")
    operations = page.locator(".opblock")
    expect(operations).to_have_count(2)
    page.get_by_role("button", name="/api/v1/auth/tokens/{token_id}").click()
    opened = page.locator(".opblock.is-open")
    expect(opened).to_contain_text("Who may call: anyone signed in")
    expect(opened).to_contain_text("401")
    expect(page.get_by_role("button", name="Try it out")).to_have_count(0)
    expect(page.get_by_role("button", name="Authorize")).to_have_count(0)
    assert hosts == {page.url.split("/")[2]}


def _tags(methods: dict[str, dict[str, list[str]]]) -> set[str]:
    return {operation["tags"][0] for operation in methods.values()}
