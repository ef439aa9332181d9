"""States of optimizations and of their candidates and rounds, and the allowed transitions."""

from collections.abc import Mapping
from enum import StrEnum


class OptimizationState(StrEnum):
    """Stored; never rename."""

    DRAFT = "draft"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    FAILED = "failed"


_S = OptimizationState

OVER = (_S.COMPLETED, _S.CANCELLED, _S.FAILED)
ACTIVE = (_S.RUNNING, _S.PAUSED)
# States in which an optimization still needs its prompt, models, dataset and scorers.
IN_USE = (_S.DRAFT, *ACTIVE)

NEXT: Mapping[OptimizationState, frozenset[OptimizationState]] = {
    _S.DRAFT: frozenset({_S.RUNNING}),
    _S.RUNNING: frozenset({_S.PAUSED, *OVER}),
    _S.PAUSED: frozenset({_S.RUNNING, _S.CANCELLED, _S.FAILED}),
    **{state: frozenset() for state in OVER},
}


class OptimizationOutcome(StrEnum):
    """How a completed optimization ended. Stored; never rename.

    `promoted`: the finalist passed the test on held-out cases and is a suggestion. `refused`: it
    did not pass. `no_gain`: no candidate was better on the training cases. `no_headroom`: the base
    can hardly be improved. `worn_out`: the held-out cases were looked at too often to show
    anything. `cannot_tell`: too many answers of the test have no score.
    """

    PROMOTED = "promoted"
    REFUSED = "refused"
    NO_GAIN = "no_gain"
    NO_HEADROOM = "no_headroom"
    WORN_OUT = "worn_out"
    CANNOT_TELL = "cannot_tell"


class CandidateOrigin(StrEnum):
    """Stored; never rename. BASE is "no change", RUBRIC "state the rubric"."""

    BASE = "base"
    RUBRIC = "rubric"
    STRATEGY = "strategy"


class CandidateState(StrEnum):
    """Stored; never rename. DROPPED: shown to be worse than another candidate."""

    PROPOSED = "proposed"
    MEASURED = "measured"
    DROPPED = "dropped"


class RoundKind(StrEnum):
    """What the run of a round measures: candidates on training cases, or the finalist and the base
    on held-out cases. Stored; never rename.
    """

    TRAIN = "train"
    GATE = "gate"


class OptimizationPause(StrEnum):
    """Stored; never rename."""

    PERSON = "person"
    BUDGET = "budget"
    RUN = "run"


class EntryKind(StrEnum):
    """What happened, in the activity of an optimization. Stored; never rename."""

    STARTED = "started"
    ROUND_BEGUN = "round_begun"
    MEASURED = "measured"
    DROPPED = "dropped"
    PROPOSED = "proposed"
    SEARCH_ENDED = "search_ended"
    TESTED = "tested"
    PAUSED = "paused"
    RESUMED = "resumed"
    ENDED = "ended"
