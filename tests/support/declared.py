"""Checks that the OpenAPI document declares the status of every response in tests."""

from functools import cache
from urllib.parse import urlsplit

from fastapi.routing import APIRoute
from starlette.routing import Match

from tests.support.application import APPLICATION, describe


@cache
def _declared() -> dict[tuple[str, str], frozenset[str]]:
    return {
        (method.upper(), path): frozenset(operation["responses"])
        for path, operations in describe()["paths"].items()
        for method, operation in operations.items()
    }


@cache
def _routes() -> list[APIRoute]:
    return [route for route in APPLICATION.routes if isinstance(route, APIRoute)]


def check_status(method: str, url: str, status: int) -> None:
    """Fails for a status that the document does not declare for the route of this address."""
    scope = {"type": "http", "method": method, "path": urlsplit(url).path}
    route = next((each for each in _routes() if each.matches(scope)[0] is Match.FULL), None)
    declared = _declared().get((method, route.path)) if route is not None else None
    assert declared is None or str(status) in declared, (
        f"{method} {route.path if route else url} answered {status}, but declares only "
        f"{', '.join(sorted(declared or ()))}. Name the error's category with `raises` where the "
        "route is declared."
    )
