"""The OpenAPI document of all routes, and the reference page that shows it."""

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from edison.api.policy import GuardedRoute, guarded_routes
from edison.app import openapi_file
from tests.support.application import APPLICATION, describe
from tests.support.browser import Browser

DOCUMENT = describe()
ROUTES = {
    f"{route.method} {route.path}": route
    for route in guarded_routes(APPLICATION)
    if route.path in DOCUMENT["paths"]
}
ERROR_BODY = {"$ref": "#/components/schemas/ErrorBody"}

every_route = pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES.keys())


def operation_of(route: GuardedRoute) -> dict[str, Any]:
    operation: dict[str, Any] = DOCUMENT["paths"][route.path][route.method.lower()]
    return operation


def references(value: Any) -> set[str]:
    """Every `$ref` inside a value."""
    if isinstance(value, list):
        return set().union(*map(references, value)) if value else set()
    if not isinstance(value, dict):
        return set()
    own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
    return own.union(*map(references, value.values()))


def test_the_document_is_valid_openapi_3_1() -> None:
    assert DOCUMENT["openapi"].startswith("3.1")
    assert [error.message for error in OPENAPI_31_VALIDATOR.iter_errors(DOCUMENT)] == []
    assert "servers" not in DOCUMENT


def test_every_reference_resolves() -> None:
    for reference in references(DOCUMENT):
        target: Any = DOCUMENT
        for part in reference.removeprefix("#/").split("/"):
            target = target[part]
        assert target


def test_schema_names_are_unique() -> None:
    """Of two schemas with one name, FastAPI puts the module into both names, which breaks clients
    of the older one.
    """
    named_by_module = [name for name in DOCUMENT["components"]["schemas"] if "__" in name]
    assert named_by_module == []


def test_operation_ids_are_unique() -> None:
    names = [route.name for route in ROUTES.values()]
    assert len(set(names)) == len(names)


@every_route
def test_routes_have_a_summary(route: GuardedRoute) -> None:
    operation = operation_of(route)
    assert operation["operationId"] == route.name
    assert len(operation["tags"]) == 1
    # The first line of the docstring, not the function's name in title case.
    assert operation["summary"].lower() != route.name.replace("_", " ")
    assert len(operation["summary"]) > 10
    assert "\n" not in operation["summary"]


@every_route
def test_routes_describe_their_permissions(route: GuardedRoute) -> None:
    operation = operation_of(route)
    assert operation["x-policy"] == asdict(route.policy)
    if route.policy.kind == "public":
        assert operation["security"] == []
        return
    browser = {"session": []} if route.method == "GET" else {"session": [], "csrf": []}
    tokens = [{"token": []}] if route.policy.accepts_tokens else []
    assert operation["security"] == [browser, *tokens]


@every_route
def test_routes_declare_their_errors_in_the_common_format(route: GuardedRoute) -> None:
    operation = operation_of(route)
    responses = operation["responses"]
    assert "422" not in responses
    expected = {"500", "503"}
    if operation.get("parameters") or "requestBody" in operation:
        expected |= {"400"}
    if route.policy.kind != "public":
        expected |= {"401", "403"}
    if "{" in route.path:
        expected |= {"404"}
    if route.method != "GET":
        expected |= {"403", "409"}
    if route.path.startswith("/api/v1/"):
        expected |= {"429"}
    assert expected <= responses.keys()
    for status in responses.keys() & {str(code) for code in range(400, 503)}:
        response = responses[status]
        if "$ref" in response:
            response = DOCUMENT["components"]["responses"][response["$ref"].rpartition("/")[2]]
        assert response["content"]["application/json"]["schema"] == ERROR_BODY
        assert len(response["description"]) > 10


def test_how_to_sign_in_is_declared() -> None:
    schemes = DOCUMENT["components"]["securitySchemes"]
    assert schemes["session"]["name"] == "edison_session"
    assert schemes["csrf"]["name"] == "X-CSRF-Token"
    assert (schemes["token"]["type"], schemes["token"]["scheme"]) == ("http", "bearer")
    assert not {"HTTPValidationError", "ValidationError"} & DOCUMENT["components"]["schemas"].keys()


async def test_the_reference_page_runs_only_scripts_of_its_own(anonymous: Browser) -> None:
    response = await anonymous.get("/docs")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
    policy = response.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "connect-src 'self';" in policy
    assert "unsafe" not in policy
    assert "<title>API reference" in response.text
    assert not re.search(r"<script(?! [^>]*src=)|<style|\sstyle=|\son\w+=|https?:", response.text)
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', response.text)
    assert len(scripts) == 2
    for script in scripts:
        assert (await anonymous.get(script)).headers["content-type"].startswith("text/javascript")


async def test_the_document_made_by_the_build_is_served(app: FastAPI, anonymous: Browser) -> None:
    assert openapi_file.openapi_file().is_file(), "make docs"
    document = (await anonymous.get("/api/openapi.json")).json()
    assert app.openapi_schema is None
    assert document == app.openapi()


async def test_a_document_of_other_sources_is_not_served(
    app: FastAPI, anonymous: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "openapi-0000000000000000.json").write_text("{}")
    monkeypatch.setattr(openapi_file, "FOLDER", tmp_path)
    assert (await anonymous.get("/api/openapi.json")).json() == app.openapi()


def test_the_name_of_the_document_changes_with_a_module(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(openapi_file, "SOURCES", tmp_path)
    monkeypatch.setattr(openapi_file, "TYPED_CLIENT", tmp_path / "api.py")
    names = [openapi_file.openapi_file().name]
    for name, text in [("a.py", "x = 1"), ("a.py", "x = 2"), ("b.py", "x = 2"), ("api.py", "")]:
        (tmp_path / name).write_text(text)
        names.append(openapi_file.openapi_file().name)
    assert len(set(names[:4])) == 4
    assert names[4] == names[3]
