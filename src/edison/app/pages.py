"""Serves the built front end: hashed assets (cached forever), the API reference at `/docs`, the
documentation below `/docs/`, and the application's page at every other path.
"""

import secrets
from pathlib import Path

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
DOCUMENTATION = Path(__file__).parent / "docs"
NONCE_PLACEHOLDER = "__CSP_NONCE__"

_NOT_BUILT = """<!doctype html><html lang="en"><title>Edison</title>
<h1>The front end is missing</h1>
<p>This installation has no front end. Run <code>make build</code>, or install the
wheel. The API is described at <a href="/api/openapi.json">/api/openapi.json</a>.</p></html>"""


def page_policy(nonce: str | None = None) -> str:
    return "; ".join(
        (
            "default-src 'self'",
            "script-src 'self'",
            "style-src 'self'" if nonce is None else f"style-src 'self' 'nonce-{nonce}'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


class _Assets(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        # File names carry a hash of their content.
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


class _Documentation(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Content-Security-Policy"] = page_policy()
        # An upgrade changes the pages; browsers ask whether theirs is current.
        response.headers["Cache-Control"] = "no-cache"
        return response


def is_built(static: Path = STATIC) -> bool:
    return (static / "index.html").is_file()


def install_pages(app: FastAPI, static: Path = STATIC, documentation: Path = DOCUMENTATION) -> None:
    """Must be called last: the page is the fallback for every path without a route."""
    application, reference = (
        (static / name).read_text() if (static / name).is_file() else _NOT_BUILT
        for name in ("index.html", "docs.html")
    )
    if (static / "assets").is_dir():
        app.mount("/assets", _Assets(directory=static / "assets"), name="assets")
    if documentation.is_dir():
        app.mount("/docs", _Documentation(directory=documentation, html=True), name="documentation")
    files = {file.name: file for file in static.glob("*") if file.is_file()}

    async def page(request: Request) -> Response:
        path = request.path_params["path"]
        if path.startswith(("api/", "assets/")):
            raise HTTPException(404)
        if path in files and not path.endswith(".html"):
            return FileResponse(files[path])
        template = reference if path == "docs" else application
        nonce = secrets.token_urlsafe(16)
        return HTMLResponse(
            template.replace(NONCE_PLACEHOLDER, nonce),
            headers={"Content-Security-Policy": page_policy(nonce), "Cache-Control": "no-store"},
        )

    app.add_route("/{path:path}", page, methods=["GET"], include_in_schema=False)
