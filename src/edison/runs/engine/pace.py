"""How fast a run goes, and how long it will still take at that pace."""

from datetime import datetime

from edison.runs.engine.control import worked_seconds
from edison.runs.engine.models import Run
from edison.runs.engine.states import WORKING

# Before this, the pace says more about how a run begins than how it goes on.
LEAST_CELLS = 3
LEAST_SECONDS = 0.5


def cells_per_second(run: Run, now: datetime) -> float | None:
    seconds = worked_seconds(run, now)
    if run.done_count < LEAST_CELLS or seconds < LEAST_SECONDS:
        return None
    return run.done_count / seconds


def remaining_seconds(run: Run, now: datetime) -> float | None:
    """None for runs that do not go on by themselves, and while nothing is known."""
    if run.state not in WORKING:
        return None
    pace = cells_per_second(run, now)
    if pace is None:
        return None
    missing = run.cell_count - run.done_count
    # Scores come right after answers, so what lacks scores is nearly done.
    return missing / pace
