"""The states of a run, and the one table that says which may follow which."""

from enum import StrEnum


class RunState(StrEnum):
    PENDING = "pending"
    EXECUTING = "executing"
    SCORING = "scoring"
    AGGREGATING = "aggregating"
    COMPLETED = "completed"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    FAILED = "failed"


_STOPS = frozenset({RunState.PAUSED, RunState.CANCELLED, RunState.FAILED})

# From a stop a run goes on with EXECUTING, which finds out by itself what is left to do. A run that
# is completed goes on when cells are wanted again; what somebody cancelled stays as it is.
NEXT: dict[RunState, frozenset[RunState]] = {
    RunState.PENDING: frozenset({RunState.EXECUTING}) | _STOPS,
    RunState.EXECUTING: frozenset({RunState.SCORING, RunState.AGGREGATING}) | _STOPS,
    RunState.SCORING: frozenset({RunState.EXECUTING, RunState.AGGREGATING}) | _STOPS,
    RunState.AGGREGATING: frozenset({RunState.COMPLETED, RunState.EXECUTING}) | _STOPS,
    RunState.PAUSED: frozenset({RunState.EXECUTING, RunState.CANCELLED, RunState.FAILED}),
    RunState.FAILED: frozenset({RunState.EXECUTING, RunState.CANCELLED}),
    RunState.CANCELLED: frozenset(),
    RunState.COMPLETED: frozenset({RunState.EXECUTING}),
}

# Calls may leave.
WORKING = (RunState.EXECUTING, RunState.SCORING)
# Somebody still expects it to come to an end.
ACTIVE = (RunState.PENDING, *WORKING, RunState.AGGREGATING, RunState.PAUSED)
OVER = (RunState.COMPLETED, RunState.CANCELLED, RunState.FAILED)
