"""The request context: set once per request, read by logs and the audit log."""

from contextvars import ContextVar
from dataclasses import replace
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOrigin:
    """Details of a request; all None for background work."""

    trace_id: str | None = None
    address: str | None = None
    user_agent: str | None = None
    user_id: UUID | None = None
    user_email: str | None = None


_OWN_WORK = RequestOrigin()
_current: ContextVar[RequestOrigin] = ContextVar("origin", default=_OWN_WORK)


def current() -> RequestOrigin:
    return _current.get()


def begin(origin: RequestOrigin) -> None:
    _current.set(origin)


def name_user(*, user_id: UUID, email: str) -> None:
    """Adds the user, after authentication."""
    _current.set(replace(_current.get(), user_id=user_id, user_email=email))
