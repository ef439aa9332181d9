"""The states of experiments and iterations, and the one table that says what may follow what."""

from collections.abc import Mapping
from enum import StrEnum


class IterationState(StrEnum):
    """Stored; never rename."""

    PENDING = "pending"
    EXECUTING = "executing"
    JUDGING = "judging"
    AGGREGATING = "aggregating"
    REFINING = "refining"
    REVIEWING = "reviewing"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    PAUSED = "paused"


_S = IterationState

# Aggregating and refining take moments and come to their end; only what asks many models pauses.
NEXT: Mapping[IterationState, frozenset[IterationState]] = {
    _S.PENDING: frozenset({_S.EXECUTING, _S.CANCELLED}),
    _S.EXECUTING: frozenset({_S.JUDGING, _S.FAILED, _S.PAUSED, _S.CANCELLED}),
    _S.JUDGING: frozenset({_S.AGGREGATING, _S.FAILED, _S.PAUSED, _S.CANCELLED}),
    _S.AGGREGATING: frozenset({_S.REFINING, _S.COMPLETED, _S.FAILED}),
    _S.REFINING: frozenset({_S.REVIEWING, _S.COMPLETED, _S.FAILED}),
    _S.REVIEWING: frozenset({_S.COMPLETED, _S.EXECUTING, _S.REFINING}),
    _S.COMPLETED: frozenset(),
    _S.FAILED: frozenset(),
    _S.CANCELLED: frozenset(),
    _S.PAUSED: frozenset({_S.EXECUTING, _S.JUDGING}),
}

OVER = tuple(state for state, following in NEXT.items() if not following)
ACTIVE = tuple(state for state, following in NEXT.items() if following)
# Somebody has to do something about it; the others wait for people.
DRIVEN = (_S.PENDING, _S.EXECUTING, _S.JUDGING, _S.AGGREGATING, _S.REFINING, _S.PAUSED)


class ExperimentState(StrEnum):
    """Stored; never rename. A draft was never confirmed; one that is ready waits between two
    iterations.
    """

    DRAFT = "draft"
    READY = "ready"
    RUNNING = "running"
    PAUSED = "paused"
    REVIEWING = "reviewing"
    COMPLETED = "completed"
    FAILED = "failed"


# What an experiment is while its latest iteration is in a state. One that a stop rule or a person
# ended is completed, whatever this says.
STATE_OF: Mapping[IterationState, ExperimentState] = {
    _S.PENDING: ExperimentState.RUNNING,
    _S.EXECUTING: ExperimentState.RUNNING,
    _S.JUDGING: ExperimentState.RUNNING,
    _S.AGGREGATING: ExperimentState.RUNNING,
    _S.REFINING: ExperimentState.RUNNING,
    _S.REVIEWING: ExperimentState.REVIEWING,
    _S.COMPLETED: ExperimentState.READY,
    _S.FAILED: ExperimentState.FAILED,
    _S.CANCELLED: ExperimentState.READY,
    _S.PAUSED: ExperimentState.PAUSED,
}

# No iteration is under way, so its configuration may change and a new one may start.
IDLE = (ExperimentState.READY, ExperimentState.COMPLETED, ExperimentState.FAILED)
EDITABLE = (ExperimentState.DRAFT, *IDLE)


class SuggestionState(StrEnum):
    """Stored; never rename. `superseded`: another one of its iteration was approved."""

    PENDING = "pending"
    APPROVED = "approved"
    EDITED = "edited"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
