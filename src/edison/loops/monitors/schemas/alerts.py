"""Request and response bodies of alerts."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.monitors.schemas.checks import CellDelta
from edison.loops.monitors.schemas.monitors import MonitorReference, MuteRequest, Note
from edison.loops.monitors.states import AlertResolution, AlertRule, AlertState

Severity = Literal["alert", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertFilter:
    state: Annotated[
        Literal["unresolved", "open", "acknowledged", "resolved"] | None,
        Field(description="`unresolved` is open or acknowledged"),
    ] = None
    rule: AlertRule | None = None
    severity: Severity | None = None
    monitor_id: UUID | None = None


class AlertEvidence(Schema):
    """Figures of an alert. `run_id` beside `baseline_run_id` shows the worst cells; `variant` is
    the position of the model that dropped most.
    """

    run_id: UUID | None = None
    baseline_run_id: UUID | None = None
    variant: int | None = None
    worst: Annotated[list[CellDelta], Field(default_factory=list)]
    value: float | None = None
    reference: float | None = None
    figures: Annotated[dict[str, Any], Field(default_factory=dict)]


class AlertRead(Schema):
    id: UUID
    monitor: MonitorReference
    rule: AlertRule
    severity: Severity
    state: AlertState
    title: str
    message: str
    check_id: UUID | None
    check_number: int | None
    last_check_id: UUID | None
    opened_at: datetime
    seen_at: datetime
    reopened_count: int
    muted_until: datetime | None
    acknowledged_at: datetime | None
    acknowledged_by: str | None
    resolved_at: datetime | None
    resolved_by: str | None
    resolution: AlertResolution | None
    note: str | None
    evidence: AlertEvidence


class AlertNote(Schema):
    """Without a note, an earlier one is kept."""

    note: Note | None = None


class AlertMute(MuteRequest):
    note: Note | None = None
