"""Exception handlers: converts every error to the one error shape."""

from collections.abc import Sequence
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

from edison.api.session import database_of, settings_of
from edison.app.responses import ErrorResponse
from edison.db.outages import is_outage
from edison.kit.errors import (
    Conflict,
    EdisonError,
    Exhausted,
    FieldProblem,
    Forbidden,
    Invalid,
    NotFound,
    TooLarge,
    TooMany,
    Unauthenticated,
    Unavailable,
)
from edison.workspace.accounts import service as accounts
from edison.workspace.audit import service as audit

log = structlog.get_logger(__name__)

STATUS_OF: dict[type[EdisonError], int] = {
    Invalid: 400,
    Unauthenticated: 401,
    Exhausted: 402,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    TooLarge: 413,
    TooMany: 429,
    Unavailable: 503,
}

MOST_PROBLEMS = 20
LONGEST_FIELD = 200
# Appended in place of the problems beyond the limit.
MORE = FieldProblem(field="body", message="Not listed.", code="more_problems")

_CODE_OF_STATUS = {
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    408: "TIMEOUT",
    413: "PAYLOAD_TOO_LARGE",
}


def status_of(error: EdisonError) -> int:
    return next(STATUS_OF[kind] for kind in type(error).__mro__ if kind in STATUS_OF)


def respond(error: EdisonError) -> Response:
    details = error.details
    if isinstance(error, Invalid):
        details = _details(error.problems)
    headers = {}
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(error.retry_after_seconds)
    if isinstance(error, Unavailable):
        headers["Retry-After"] = "5"
    if isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = "Bearer"
    return ErrorResponse(
        status_of(error),
        code=error.code,
        message=error.message,
        details=details,
        path=None if error.path is None else _shortened(error.path),
        headers=headers,
    )


def _details(problems: Sequence[FieldProblem]) -> list[dict[str, str]]:
    """The first problems, and the number of the others."""
    details = [
        {"field": _shortened(problem.field), "message": problem.message, "code": problem.code}
        for problem in problems[:MOST_PROBLEMS]
    ]
    more = len(problems) - MOST_PROBLEMS
    if more > 0:
        message = f"{more:,} more problems are not listed."
        details.append({"field": "body", "message": message, "code": "more_problems"})
    return details


def _shortened(field: str) -> str:
    """Truncated: clients choose the names of unknown fields."""
    return field if len(field) <= LONGEST_FIELD else f"{field[:LONGEST_FIELD]}…"


def install_error_handlers(app: FastAPI) -> None:
    app.add_exception_handler(EdisonError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(DBAPIError, _database_failed)
    app.add_exception_handler(PoolTimeout, _database_failed)
    app.add_exception_handler(OSError, _database_failed)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, EdisonError)  # noqa: S101 - registered for nothing else
    if isinstance(error, Forbidden) or getattr(request.state, "is_denied", False):
        route = request.scope.get("route")
        await audit.record_denied(
            database_of(request),
            "access.denied",
            entity=("route", f"{request.method} {getattr(route, 'name', '')}"),
            project_id=getattr(request.state, "project_id", None),
        )
    return respond(error)


async def _invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for nothing else
    try:
        await accounts.count_malformed(
            database_of(request), path=request.url.path, settings=settings_of(request)
        )
    except TooMany as refused:
        return respond(refused)
    found = error.errors()
    listed = _problems(found[:MOST_PROBLEMS], error.body)
    return respond(Invalid(*listed, *([MORE] * (len(found) - len(listed)))))


def _problems(errors: Sequence[Any], body: Any) -> list[FieldProblem]:
    """Pydantic's errors without the rejected values, which may be secrets."""
    problems = []
    for found in errors:
        kind = found["type"]
        if kind == "json_invalid":
            problems.append(
                FieldProblem(field="body", message="The body is not valid JSON.", code=kind)
            )
            continue
        place = _place(found, body)
        message = found["msg"].removeprefix("Value error, ")
        if kind == "extra_forbidden":
            message = "Unknown field."
        elif kind == "missing":
            message = "This field is required."
        problems.append(FieldProblem(field=".".join(place) or "body", message=message, code=kind))
    return problems


def _place(found: Any, body: Any) -> list[str]:
    """The field's path as the client sent it. Pydantic's path also contains the union variant it
    chose, which is not part of the body, and lacks the discriminator when it is invalid.
    """
    parts = [part for part in found["loc"] if part not in ("body", "query", "path")]
    place: list[str] = []
    current = body
    for number, part in enumerate(parts, start=1):
        if isinstance(current, dict) and part not in current and number < len(parts):
            continue
        place.append(str(part))
        is_inside = isinstance(current, dict) and part in current
        is_inside = is_inside or (isinstance(current, list) and part in range(len(current)))
        current = current[part] if is_inside else None
    if found["type"].startswith("union_tag_"):
        place.append(found["ctx"]["discriminator"].strip("'"))
    return place


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for nothing else
    message = {
        404: "Nothing found at this address.",
        405: "This address does not support the method.",
        413: "The request exceeds the size limit.",
    }.get(error.status_code, str(error.detail))
    code = _CODE_OF_STATUS.get(error.status_code, "BAD_REQUEST")
    return ErrorResponse(
        error.status_code, code=code, message=message, headers=dict(error.headers or {})
    )


async def _database_failed(_request: Request, error: Exception) -> Response:
    if isinstance(error, IntegrityError):
        return respond(Conflict("This was changed at the same time. Retry."))
    if not is_outage(error):
        raise error
    log.error("database unavailable", reason=type(error).__name__)
    return respond(Unavailable("The database does not answer. Retry in a moment."))
