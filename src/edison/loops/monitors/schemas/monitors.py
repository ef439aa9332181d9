"""Request and response bodies of monitors."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from edison.api.schema import CleanText, Line, Schema, Usd
from edison.jobs import cron
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.schemas.datasets import CaseChoice
from edison.library.models.schemas import ParameterValues
from edison.loops.monitors.schemas.checks import MonitorCheckRead
from edison.loops.monitors.schemas.rules import MonitorRules
from edison.loops.monitors.states import MonitorState, PauseReason
from edison.runs.plan.schemas import RunEstimate, ScorerRequest
from edison.workspace.resources.schemas import ResourceChange, Status

MOST_MODELS = 8
MOST_REPEATS = 5
DEFAULT_BUDGET_USD = Decimal("1.00")

MonitorName = Annotated[
    Line,
    StringConstraints(min_length=1, max_length=100),
    Field(examples=["Support replies, daily"]),
]


def _normalise(text: str) -> str:
    return cron.normalise(text)


CronText = Annotated[
    CleanText,
    AfterValidator(_normalise),
    Field(max_length=cron.LONGEST, examples=["0 9 * * *"], description="Five fields, in UTC"),
]
Note = Annotated[CleanText, StringConstraints(strip_whitespace=True, max_length=2000)]


class MonitorModelChoice(Schema):
    model_id: UUID
    parameters: ParameterValues | None = None


class MonitorConfig(Schema):
    """What each check runs, and the rules for its result."""

    models: Annotated[list[MonitorModelChoice], Field(min_length=1, max_length=MOST_MODELS)]
    scorers: Annotated[list[ScorerRequest], Field(min_length=1, max_length=20)]
    cases: CaseChoice | None = None
    repeats: Annotated[int, Field(ge=1, le=MOST_REPEATS)] = 1
    rules: Annotated[MonitorRules, Field(default_factory=MonitorRules)]


class MonitorPlan(MonitorConfig):
    """A monitor without its name. Without `version_id`, each check uses the prompt's production
    version of that time.
    """

    prompt_id: UUID
    version_id: UUID | None = None
    dataset_id: UUID
    cron: CronText
    daily_budget_usd: Annotated[
        Usd | None, Field(description="Pauses the monitor until midnight UTC; null is no limit")
    ] = DEFAULT_BUDGET_USD

    @field_validator("daily_budget_usd")
    @classmethod
    def _is_positive(cls, value: Decimal | None) -> Decimal | None:
        if value is not None and value <= 0:
            raise ValueError("must be more than 0")
        return value

    def config(self) -> MonitorConfig:
        return MonitorConfig(**{name: getattr(self, name) for name in MonitorConfig.model_fields})


class MonitorRequest(MonitorPlan):
    name: MonitorName


class MonitorChange(ResourceChange):
    """Fields that are left out keep their values."""

    name: MonitorName | None = None
    prompt_id: UUID | None = None
    version_id: UUID | None = None
    dataset_id: UUID | None = None
    cron: CronText | None = None
    daily_budget_usd: Usd | None = None
    models: Annotated[list[MonitorModelChoice], Field(max_length=MOST_MODELS)] | None = None
    scorers: Annotated[list[ScorerRequest], Field(max_length=20)] | None = None
    cases: CaseChoice | None = None
    repeats: int | None = None
    rules: MonitorRules | None = None


class MonitorCopyRequest(Schema):
    """Without a name, one is generated. The copy is paused."""

    name: MonitorName | None = None


class BaselineRequest(Schema):
    """Sets the baseline. `check_id` pins that check; without it, the checks from now on form a new
    baseline, and an open drop alert is resolved: the current level is the new normal.
    """

    check_id: UUID | None = None
    note: Note = ""


class MuteRequest(Schema):
    """Sends no notifications until then; null ends the mute."""

    until: datetime | None

    @field_validator("until")
    @classmethod
    def _is_usable(cls, value: datetime | None) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("must have a time zone, such as Z")
        if not 2000 <= value.year < 3000:
            raise ValueError("must be between 2000 and 2999")
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorFilter:
    status: Annotated[Status, Field(description="Archived monitors are hidden")] = "active"
    state: MonitorState | None = None
    prompt_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSource:
    """What the form of a new monitor is filled from: a run, also of the playground, or a prompt."""

    run_id: UUID | None = None
    prompt_id: UUID | None = None


class PresetRead(Schema):
    key: str
    name: str
    cron: str


class ScheduleRead(Schema):
    """A schedule in words. `problem` says what is wrong with it; then all else is null or empty."""

    cron: str
    problem: str | None
    words: str | None
    next_times: list[datetime]
    times_a_year: float | None
    presets: list[PresetRead]


class FalseAlarms(Schema):
    """How often each rule would alert in a year although nothing changed. `basis` says what the
    figures assume.
    """

    two_stage: float
    one_stage: float
    plain: float
    basis: str


class MonitorEstimate(Schema):
    """Cost of a check, of its confirmation and of a usual day, and what the rules can detect.
    `smallest_drop` is the smallest relative drop that a check usually notices.
    """

    check: RunEstimate
    cases: int
    checks_a_day: float
    check_usd: Usd | None
    confirmation_usd: Usd | None
    day_usd: Usd | None
    fits_budget: bool | None
    smallest_drop: float | None
    false_alarms: FalseAlarms
    warnings: list[str]


class MonitorDraft(Schema):
    """Values for the form of a new monitor; what is null or empty is left to the user."""

    name: str
    prompt_id: UUID | None = None
    version_id: UUID | None = None
    dataset_id: UUID | None = None
    models: Annotated[list[MonitorModelChoice], Field(default_factory=list)]
    scorers: Annotated[list[ScorerRequest], Field(default_factory=list)]
    repeats: int = 1
    cron: str = "0 9 * * *"
    daily_budget_usd: Usd = DEFAULT_BUDGET_USD
    problems: Annotated[list[str], Field(default_factory=list)]


class MonitorReference(Schema):
    id: UUID
    name: str


class MonitorPromptRead(Schema):
    """`version_label` is the production version now, or the fixed one; null if there is none."""

    id: UUID | None
    name: str | None
    is_production: bool
    version_id: UUID | None
    version_label: str | None


class PauseRead(Schema):
    reason: PauseReason
    message: str | None
    resume_at: datetime | None


class MonitorMoney(Schema):
    """`today_usd` is what counts against the daily budget; without one, the cost of today's
    checks.
    """

    daily_budget_usd: Usd | None
    today_usd: Usd
    lifetime_usd: Usd


class MonitorSummary(Schema):
    """A monitor in a list, with everything that a row shows."""

    id: UUID
    name: str
    state: MonitorState
    pause: PauseRead | None
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime
    prompt: MonitorPromptRead
    dataset: MonitorReference | None
    models: list[str]
    cron: str
    schedule: Annotated[str, Field(description="The schedule in words")]
    next_run_at: datetime | None
    muted_until: datetime | None
    check_count: int
    last_check: MonitorCheckRead | None
    last_measured: MonitorCheckRead | None
    open_alerts: int
    worst_alert: Literal["alert", "warning"] | None
    money: MonitorMoney


class BaselineChange(Schema):
    at: datetime
    note: str
    author: str | None


class BaselineRead(Schema):
    """The baseline in use: a pinned check, or the last good checks. `score` is its mean."""

    score: float | None
    checks: list[int]
    is_pinned: bool
    since: datetime | None
    history: list[BaselineChange]


class MonitorDetail(MonitorSummary):
    author: str | None
    config: MonitorConfig
    next_times: list[datetime]
    baseline: BaselineRead


def dump_config(config: MonitorConfig) -> dict[str, Any]:
    return config.model_dump(mode="json")
