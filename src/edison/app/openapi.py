"""The OpenAPI document: FastAPI's, extended from the route table.

Access, authentication and most error responses follow from a route's policy and method, so routes
do not repeat them. Others are declared with `api.routing.raises`. Tests validate every response
against this document (`tests/support/declared.py`).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from edison.api.policy import GuardedRoute
from edison.api.routing import RAISES
from edison.api.schema import ErrorBody
from edison.app.errors import STATUS_OF
from edison.app.openapi_file import openapi_file
from edison.workspace.accounts.cookies import CSRF_HEADER, SESSION_COOKIE

PATH = "/api/openapi.json"
DESCRIPTION = f"""All routes are under `/api/v1` and use JSON. Times are ISO 8601 in UTC.

Authenticate with a personal access token (`Authorization: Bearer edn_…`), created under Account.
Browsers use the `{SESSION_COOKIE}` cookie and send the `{CSRF_HEADER}` header with every change.

Lists take `cursor`, `limit`, `q` and `sort`, and return `items`, `next` and `total`. Pass `next`
as `cursor` to get the next page. Every error has the shape `ErrorBody`, with a trace id."""

ERRORS = {
    400: "Invalid input; `details` has one entry per field.",
    401: "Not signed in, or the session or token has expired.",
    402: "A budget is used up, or a budget applies and the model's price is unknown.",
    403: "The caller lacks permission, or the request did not come from Edison's own pages.",
    404: "Not found, or hidden from the caller.",
    408: "The request took too long to arrive.",
    409: "The current state does not allow this; `code` gives the reason.",
    413: "The body exceeds the size limit.",
    414: "The path or the query exceeds the length limit.",
    421: "The server does not serve the requested host.",
    429: "Too many requests; retry after `Retry-After` seconds.",
    431: "The request headers exceed the limit.",
    500: "Internal error; find it in the log by its trace id.",
    503: "A dependency is unavailable; retry after `Retry-After` seconds.",
}
_STATUS_OF_CODE = {category.code: status for category, status in STATUS_OF.items()}
_DONE = {"200": "Done.", "201": "Created.", "204": "Done. No content."}
_SECURITY_SCHEMES = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": SESSION_COOKIE,
        "description": "Set when a browser signs in",
    },
    "csrf": {
        "type": "apiKey",
        "in": "header",
        "name": CSRF_HEADER,
        "description": "Value of the `edison_csrf` cookie, required for changes from a browser",
    },
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "Personal access token, `edn_…`",
    },
}


def install_openapi(app: FastAPI, routes: Sequence[GuardedRoute]) -> None:
    """Replaces the application's `openapi` and adds the route that serves it."""

    def describe() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _describe(app, routes)
        return app.openapi_schema

    # Hashes all sources, which the process has loaded already.
    find_file = cache(openapi_file)

    async def serve(_: Request) -> Response:
        file = await asyncio.to_thread(find_file)
        # Only sources that were changed since they were built have none.
        return FileResponse(file) if file.is_file() else JSONResponse(app.openapi())

    app.openapi = describe  # type: ignore[method-assign]  # FastAPI's documented way
    app.add_route(PATH, serve, include_in_schema=False)


def _describe(app: FastAPI, routes: Sequence[GuardedRoute]) -> dict[str, Any]:
    document = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        description=DESCRIPTION,
        routes=app.routes,
    )
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    _, errors = models_json_schema(
        [(ErrorBody, "serialization")], ref_template="#/components/schemas/{model}"
    )
    schemas.update(errors["$defs"])
    # FastAPI's validation error; Edison returns 400 in its own error shape.
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    components["responses"] = {f"Error{status}": _error(text) for status, text in ERRORS.items()}
    components["securitySchemes"] = _SECURITY_SCHEMES
    for route in routes:
        operation = document["paths"].get(route.path, {}).get(route.method.lower())
        if operation is not None:
            _complete(operation, route)
    return document


def _error(description: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/ErrorBody"}
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _complete(operation: dict[str, Any], route: GuardedRoute) -> None:
    # FastAPI's summary is the function name in title case; the docstring replaces it.
    summary, _, rest = operation.pop("description", "").partition("\n\n")
    operation["summary"] = summary.replace("\n", " ").removesuffix(".")
    if rest:
        operation["description"] = rest
    responses = operation["responses"]
    responses.pop("422", None)
    for status, description in _DONE.items():
        if responses.get(status, {}).get("description") == "Successful Response":
            responses[status]["description"] = description
    declared = {_STATUS_OF_CODE[code] for code in operation.pop(RAISES, ())}
    for error in _possible_errors(operation, route) | declared:
        responses.setdefault(str(error), {"$ref": f"#/components/responses/Error{error}"})
    operation["responses"] = dict(sorted(responses.items()))
    operation["security"] = _security(route)
    operation["x-policy"] = asdict(route.policy)


def _possible_errors(operation: dict[str, Any], route: GuardedRoute) -> set[int]:
    is_public, is_writing = route.policy.kind == "public", route.method != "GET"
    has_input = "parameters" in operation or "requestBody" in operation
    conditions = {
        400: has_input,
        # Public changes can still be refused: wrong password, cross-site request.
        401: not is_public or is_writing,
        403: not is_public or is_writing,
        404: "{" in route.path,
        408: "requestBody" in operation,
        409: is_writing,
        413: "requestBody" in operation,
        414: True,
        421: True,
        429: route.path.startswith("/api/v1/"),
        431: True,
        500: True,
        503: True,
    }
    return {status for status, applies in conditions.items() if applies}


def _security(route: GuardedRoute) -> list[dict[str, list[str]]]:
    if route.policy.kind == "public":
        return []
    browser: dict[str, list[str]] = {"session": []}
    if route.method != "GET":
        browser["csrf"] = []
    return [browser, {"token": []}] if route.policy.accepts_tokens else [browser]
