"""Why Edison refuses something. Categories, not status codes: only `app/errors.py` knows HTTP.

EdisonError
├── Invalid          well-formed, but makes no sense; one entry per field
├── Unauthenticated  nobody is signed in, or the proof is no longer good
├── Forbidden        known caller, too small a role
├── NotFound         absent, or hidden from the caller
├── Conflict         the state refuses the action
├── TooLarge         more bytes than a request may carry
├── Exhausted        a budget is used up
├── TooMany          a rate limit is used up; says when to come back
└── Unavailable      something Edison depends on does not answer right now
"""

from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldProblem:
    """One thing wrong with one input field; `field` is a dotted path."""

    field: str
    message: str
    code: str


class EdisonError(Exception):
    """Base of everything refused on purpose; `message` is a sentence for users."""

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
