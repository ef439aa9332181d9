"""States of monitors, checks and alerts, and the allowed transitions."""

from collections.abc import Mapping
from enum import StrEnum


class MonitorState(StrEnum):
    """Stored; never rename."""

    ACTIVE = "active"
    PAUSED = "paused"


class PauseReason(StrEnum):
    """Stored; never rename. BUDGET ends at midnight UTC or when a budget is raised; the others end
    when a member resumes the monitor.
    """

    PERSON = "person"
    BUDGET = "budget"
    RESTORED = "restored"


class CheckState(StrEnum):
    """Stored; never rename."""

    DUE = "due"
    RUNNING = "running"
    MEASURING = "measuring"
    CONFIRMING = "confirming"
    DONE = "done"
    SKIPPED = "skipped"
    FAILED = "failed"
    CANCELLED = "cancelled"


_S = CheckState

NEXT: Mapping[CheckState, frozenset[CheckState]] = {
    _S.DUE: frozenset({_S.RUNNING, _S.SKIPPED, _S.FAILED, _S.CANCELLED}),
    _S.RUNNING: frozenset({_S.MEASURING, _S.FAILED, _S.CANCELLED}),
    _S.MEASURING: frozenset({_S.CONFIRMING, _S.DONE, _S.FAILED}),
    _S.CONFIRMING: frozenset({_S.DONE, _S.FAILED, _S.CANCELLED}),
    _S.DONE: frozenset(),
    _S.SKIPPED: frozenset(),
    _S.FAILED: frozenset(),
    _S.CANCELLED: frozenset(),
}

OVER = tuple(state for state, following in NEXT.items() if not following)
ACTIVE = tuple(state for state, following in NEXT.items() if following)
# States that count towards the number of checks at once.
UNDER_WAY = (_S.RUNNING, _S.MEASURING, _S.CONFIRMING)


class Trigger(StrEnum):
    """What caused a check. Stored; never rename."""

    SCHEDULE = "schedule"
    PERSON = "person"


class SkipReason(StrEnum):
    """Stored; never rename."""

    MISFIRE = "misfire"
    OVERLAP = "overlap"
    BUDGET = "budget"


class CheckVerdict(StrEnum):
    """What a check found. Stored; never rename.

    Only GOOD checks become part of the baseline. UNCONFIRMED: looked lower, but the confirmation
    did not. UNSCORED: no answer has a score.
    """

    GOOD = "good"
    LOWER = "lower"
    UNCONFIRMED = "unconfirmed"
    NOT_COMPARABLE = "not_comparable"
    UNSCORED = "unscored"


class AlertRule(StrEnum):
    """Stored; never rename."""

    DROP = "drop"
    PREDICTED = "predicted"
    ERRORS = "errors"
    LATENCY = "latency"
    COST = "cost"
    BUDGET = "budget"
    NOT_RUNNING = "not_running"


class AlertState(StrEnum):
    """Stored; never rename."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    RESOLVED = "resolved"


class AlertResolution(StrEnum):
    """How an alert ended. Stored; never rename. ACCEPTED: the lower level is the new baseline."""

    RECOVERED = "recovered"
    PERSON = "person"
    ACCEPTED = "accepted"
