"""Response bodies of checks and trends."""

from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.monitors.states import CheckState, CheckVerdict, SkipReason, Trigger

Days = Literal["7", "30", "all"]


class CellDelta(Schema):
    """A case that scored lower than in the baseline; `position` is its row in the run."""

    position: int
    baseline: float
    score: float


class DropMeasure(Schema):
    """Comparison of the shared cases with the baseline. `relative` is the drop: 0.1 is 10 % below
    the baseline. `smallest_visible` is the smallest drop that these cases usually reveal.
    """

    shared: int
    baseline: float
    current: float
    relative: float
    p_value: float
    smallest_visible: float | None
    regressed: int
    improved: int
    is_suspicious: bool


class NotComparableMeasure(Schema):
    shared: int
    needed: int


class ModelMeasures(Schema):
    """One model configuration of a check. `confirmation` is the same comparison with the repeated
    answers.
    """

    key: str
    label: str
    model_id: UUID | None
    score: float | None
    low: float | None
    high: float | None
    cases: int
    answers: int
    failed: int
    p50_seconds: float | None
    p95_seconds: float | None
    answer_usd: Usd | None
    drop: DropMeasure | None = None
    not_comparable: NotComparableMeasure | None = None
    confirmation: DropMeasure | None = None
    worst: Annotated[list[CellDelta], Field(default_factory=list)]


class CheckMeasures(Schema):
    """`baseline_checks` are the numbers of the checks that form the baseline; `baseline_run_id` is
    the latest run of them.
    """

    score: float | None
    low: float | None
    high: float | None
    cases: int
    models: list[ModelMeasures]
    baseline_score: float | None = None
    baseline_checks: Annotated[list[int], Field(default_factory=list)]
    baseline_run_id: UUID | None = None


class MonitorCheckRead(Schema):
    id: UUID
    monitor_id: UUID
    number: int
    state: CheckState
    trigger: Trigger
    scheduled_for: datetime
    missed: int
    reason: Annotated[str | None, Field(examples=[SkipReason.OVERLAP])]
    message: str | None
    verdict: CheckVerdict | None
    version_id: UUID | None
    version_label: str | None
    run_id: UUID | None
    confirm_run_id: UUID | None
    score: float | None
    cost_usd: Usd
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    is_pinned: bool
    measures: CheckMeasures | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFilter:
    state: CheckState | None = None
    verdict: CheckVerdict | None = None


class TrendModel(Schema):
    key: str
    score: float | None
    p95_seconds: float | None
    answer_usd: Usd | None


class CheckPoint(Schema):
    """A measured check. `low` and `high` are the 95 % confidence interval of the score."""

    check_id: UUID
    number: int
    at: datetime
    score: float | None
    low: float | None
    high: float | None
    cases: int
    baseline: float | None
    verdict: CheckVerdict | None
    version_label: str | None
    cost_usd: Usd
    failed: int
    p95_seconds: float | None
    models: list[TrendModel]


class TrendMarker(Schema):
    at: datetime
    kind: Literal["version", "dataset", "baseline", "alert", "resolved"]
    text: str
    entity_id: UUID | None


class SeriesLabel(Schema):
    key: str
    label: str


class DayCost(Schema):
    """`day` is in UTC."""

    day: date
    checks: int
    cost_usd: Usd


class TrendRead(Schema):
    """`baseline_score` is the current baseline; `threshold` is the score below which a check is
    examined. Of many checks, `points` has only every n-th: `every` is that n. `day_costs` are those
    of all measured checks, oldest first, without days that had none; `cost_usd` is that of all
    checks.
    """

    days: Days
    every: int
    series: list[SeriesLabel]
    points: list[CheckPoint]
    markers: list[TrendMarker]
    baseline_score: float | None
    threshold: float | None
    skipped: int
    failed: int
    day_costs: list[DayCost]
    cost_usd: Usd
