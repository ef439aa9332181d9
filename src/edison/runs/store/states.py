"""States of a run and the allowed transitions."""

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


class RunCache(StrEnum):
    """Which calls of a run may be answered from the cache. FRESH: answers are new, but judgements
    of identical answers may be reused. Stored; never rename.
    """

    USE = "use"
    BYPASS = "bypass"
    FRESH = "fresh"


# `origin` of runs read from a file. They have no work left to do, and are never resumed.
IMPORTED = "imported"
# `origin` of runs that compare models in the arena.
ARENA = "arena"
# `origin` of runs that judge questions. They compare no models.
QUESTIONS = "questions"
# `origin` of runs of `edison eval` that need code or keys of the machine where it was started. Only
# that command goes on with them.
COMMAND_LINE = "cli"

_STOPS = frozenset({RunState.PAUSED, RunState.CANCELLED, RunState.FAILED})

# Stopped runs resume in EXECUTING, which derives the remaining work from the rows. A completed run
# returns to EXECUTING when cells are retried. CANCELLED is final.
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

# States in which calls may be sent.
WORKING = (RunState.EXECUTING, RunState.SCORING)
# States in which the run holds its lock and blocks deletion of what it uses.
ACTIVE = (RunState.PENDING, *WORKING, RunState.AGGREGATING, RunState.PAUSED)
OVER = (RunState.COMPLETED, RunState.CANCELLED, RunState.FAILED)
