"""States of experiments, iterations and suggestions, and the allowed transitions."""

from collections.abc import Mapping
from enum import StrEnum


class IterationState(StrEnum):
    """Stored; never rename."""

    PENDING = "pending"
    EXECUTING = "executing"
    JUDGING = "judging"
    AGGREGATING = "aggregating"
    REFINING = "refining"
    TRYING = "trying"
    REVIEWING = "reviewing"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    PAUSED = "paused"


_S = IterationState

# Aggregating and refining are short. Trying cannot be paused: without its run, suggestions are
# offered untried.
NEXT: Mapping[IterationState, frozenset[IterationState]] = {
    _S.PENDING: frozenset({_S.EXECUTING, _S.CANCELLED}),
    _S.EXECUTING: frozenset({_S.JUDGING, _S.FAILED, _S.PAUSED, _S.CANCELLED}),
    _S.JUDGING: frozenset({_S.AGGREGATING, _S.FAILED, _S.PAUSED, _S.CANCELLED}),
    _S.AGGREGATING: frozenset({_S.REFINING, _S.COMPLETED, _S.FAILED}),
    _S.REFINING: frozenset({_S.TRYING, _S.REVIEWING, _S.COMPLETED, _S.FAILED}),
    _S.TRYING: frozenset({_S.REVIEWING, _S.CANCELLED}),
    _S.REVIEWING: frozenset({_S.COMPLETED, _S.EXECUTING, _S.REFINING}),
    _S.COMPLETED: frozenset(),
    _S.FAILED: frozenset(),
    _S.CANCELLED: frozenset(),
    _S.PAUSED: frozenset({_S.EXECUTING, _S.JUDGING}),
}

OVER = tuple(state for state, following in NEXT.items() if not following)
ACTIVE = tuple(state for state, following in NEXT.items() if following)
# States that need a job; REVIEWING waits for a user.
DRIVEN = (
    _S.PENDING,
    _S.EXECUTING,
    _S.JUDGING,
    _S.AGGREGATING,
    _S.REFINING,
    _S.TRYING,
    _S.PAUSED,
)


class ExperimentState(StrEnum):
    """Stored; never rename. DRAFT: never confirmed. READY: between two iterations."""

    DRAFT = "draft"
    READY = "ready"
    RUNNING = "running"
    PAUSED = "paused"
    REVIEWING = "reviewing"
    COMPLETED = "completed"
    FAILED = "failed"


# The experiment's state by the state of its latest iteration. Experiments ended by a stop rule or a
# user are COMPLETED instead.
STATE_OF: Mapping[IterationState, ExperimentState] = {
    _S.PENDING: ExperimentState.RUNNING,
    _S.EXECUTING: ExperimentState.RUNNING,
    _S.JUDGING: ExperimentState.RUNNING,
    _S.AGGREGATING: ExperimentState.RUNNING,
    _S.REFINING: ExperimentState.RUNNING,
    _S.TRYING: ExperimentState.RUNNING,
    _S.REVIEWING: ExperimentState.REVIEWING,
    _S.COMPLETED: ExperimentState.READY,
    _S.FAILED: ExperimentState.FAILED,
    _S.CANCELLED: ExperimentState.READY,
    _S.PAUSED: ExperimentState.PAUSED,
}

# No iteration is active, so the configuration may change and a new iteration may start.
IDLE = (ExperimentState.READY, ExperimentState.COMPLETED, ExperimentState.FAILED)
EDITABLE = (ExperimentState.DRAFT, *IDLE)


class SuggestionState(StrEnum):
    """Stored; never rename. `superseded`: another suggestion was approved, or the iteration was
    closed.
    """

    PENDING = "pending"
    APPROVED = "approved"
    EDITED = "edited"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
