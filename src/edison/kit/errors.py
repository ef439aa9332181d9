"""Domain errors by category. `app/errors.py` maps the categories to HTTP status codes.

EdisonError
├── Invalid          invalid values; one entry per field
├── Unauthenticated  not signed in, or the session or token is no longer valid
├── Forbidden        the caller's role does not allow it
├── NotFound         absent, or hidden from the caller
├── Conflict         the current state does not allow it
├── TooLarge         the request body exceeds the limit
├── Exhausted        a budget is used up
├── TooMany          a rate limit is used up; carries the time to wait
└── Unavailable      a dependency does not respond at the moment
"""

from typing import Any, ClassVar

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldProblem:
    """One problem with one input field; `field` is a dotted path."""

    field: str
    message: str
    code: str


class EdisonError(Exception):
    """Base of all domain errors; `message` is a sentence for users."""

    code: ClassVar[str]

    def __init__(self, message: str, *, details: Any = None, path: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = details
        self.path = path


class Invalid(EdisonError):
    code = "VALIDATION_ERROR"

    def __init__(self, *problems: FieldProblem) -> None:
        path = problems[0].field if len({problem.field for problem in problems}) == 1 else None
        message = problems[0].message if len(problems) == 1 else "Some fields need your attention."
        super().__init__(message, path=path)
        self.problems = problems


class Unauthenticated(EdisonError):
    code = "UNAUTHORIZED"


class Forbidden(EdisonError):
    code = "FORBIDDEN"


class NotFound(EdisonError):
    code = "NOT_FOUND"


class Conflict(EdisonError):
    code = "CONFLICT"


class TooLarge(EdisonError):
    code = "PAYLOAD_TOO_LARGE"


class Exhausted(EdisonError):
    code = "BUDGET_EXCEEDED"


class TooMany(EdisonError):
    code = "TOO_MANY_REQUESTS"

    def __init__(self, message: str, *, retry_after_seconds: int) -> None:
        super().__init__(message, details={"retry_after_seconds": retry_after_seconds})
        self.retry_after_seconds = retry_after_seconds


class Unavailable(EdisonError):
    code = "SERVICE_UNAVAILABLE"
