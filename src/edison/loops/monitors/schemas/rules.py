"""Rules of a monitor: when a check opens an alert."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from edison.api.schema import Schema

Share = Annotated[float, Field(gt=0, lt=1)]
Times = Annotated[float, Field(gt=1, le=100)]


class DropKind(StrEnum):
    """Stored; never rename.

    TWO_STAGE repeats a suspicious check before it alerts. ONE_STAGE alerts at once, on stronger
    evidence. PLAIN alerts when the mean is lower than in the previous check, without a test.
    """

    TWO_STAGE = "two_stage"
    ONE_STAGE = "one_stage"
    PLAIN = "plain"
    OFF = "off"


class DropSettings(Schema):
    """`threshold` and `recovery` are relative to the baseline: 0.1 is 10 % below it."""

    kind: DropKind = DropKind.TWO_STAGE
    threshold: Share = 0.10
    recovery: Share = 0.05


class PredictionSettings(Schema):
    """Warns when the trend of the last seven days goes below `threshold`."""

    is_on: bool = True
    threshold: Annotated[float, Field(gt=0, le=1)] = 0.7


class ErrorSettings(Schema):
    """Alerts when more than this share of the answers failed."""

    is_on: bool = True
    max_share: Annotated[float, Field(ge=0, lt=1)] = 0.1


class RatioSettings(Schema):
    """Alerts when the value is more than `max_ratio` times the baseline's."""

    is_on: bool = True
    max_ratio: Times = 2.0


class MonitorRules(Schema):
    """`latency` is the p95 of answers, `cost` is per answer. `budget` alerts when a check was
    skipped for lack of money, `not_running` when a due time passed without a check or a check
    failed.
    """

    drop: Annotated[DropSettings, Field(default_factory=DropSettings)]
    predicted: Annotated[PredictionSettings, Field(default_factory=PredictionSettings)]
    errors: Annotated[ErrorSettings, Field(default_factory=ErrorSettings)]
    latency: Annotated[RatioSettings, Field(default_factory=RatioSettings)]
    cost: Annotated[RatioSettings, Field(default_factory=RatioSettings)]
    budget: bool = True
    not_running: bool = True
