"""The documentation below `/docs/`, beside the API reference at `/docs`."""

from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from edison.app.pages import install_pages


@pytest.fixture
def client(tmp_path: Path) -> httpx.AsyncClient:
    static, documentation = tmp_path / "static", tmp_path / "docs"
    static.mkdir()
    (static / "docs.html").write_text("reference")
    (static / "index.html").write_text("application")
    documentation.mkdir()
    for name in ("index", "runs", "404"):
        (documentation / f"{name}.html").write_text(f"<h1>{name}</h1>")
    app = FastAPI(docs_url=None)
    install_pages(app, static, documentation)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://edison")


async def test_pages_are_served_under_the_strict_policy(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs/runs.html")
    assert (page.status_code, page.text) == (200, "<h1>runs</h1>")
    policy = page.headers["content-security-policy"].split("; ")
    assert {"script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"} <= set(policy)
    assert page.headers["cache-control"] == "no-cache"


async def test_the_reference_keeps_its_address(client: httpx.AsyncClient) -> None:
    assert (await client.get("/docs")).text == "reference"
    assert (await client.get("/docs/")).text == "<h1>index</h1>"
    assert (await client.get("/p/docs")).text == "application"


async def test_a_missing_page_says_so(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs/nothing.html")
    assert (page.status_code, page.text) == (404, "<h1>404</h1>")
