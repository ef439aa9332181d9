"""Schemas and filters of the audit log."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, Field

from edison.api.schema import CleanText, Schema
from edison.kit.lazy_dataclasses import dataclass

Outcome = Literal["allowed", "denied"]


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


Moment = Annotated[datetime, AfterValidator(_in_utc)]
Word = Annotated[CleanText, Field(max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """Filters of audit entries; all given conditions must hold."""

    q: Annotated[Word | None, Field(description="Part of an action, actor or entity")] = None
    action: Annotated[Word | None, Field(description="Exactly this action")] = None
    actor: Annotated[Word | None, Field(description="Email of who did it")] = None
    entity_type: Annotated[Word | None, Field(description="Such as `member` or `project`")] = None
    outcome: Outcome | None = None
    since: Annotated[Moment | None, Field(description="From this moment on; UTC if unsaid")] = None
    until: Annotated[Moment | None, Field(description="Before this moment; UTC if unsaid")] = None


class AuditEntryRead(Schema):
    """`before` and `after` contain only fields that differ."""

    id: UUID
    at: datetime
    actor: str | None
    action: Annotated[str, Field(examples=["member.role_changed"])]
    entity_type: Annotated[str, Field(examples=["member"])]
    entity_id: str | None
    outcome: Outcome
    before: Annotated[dict[str, Any] | None, Field(examples=[{"role": "VIEWER"}])]
    after: Annotated[dict[str, Any] | None, Field(examples=[{"role": "EDITOR"}])]
    address: str | None
    trace_id: str | None
