"""Prometheus metrics of what an installation is used for: runs, spend, decisions, people.

Read from the database at most every 30 seconds, since some of them add up all runs. Every server
reports the same, because they belong to the installation.
"""

import shutil
import time
from pathlib import Path
from weakref import WeakKeyDictionary

from prometheus_client import Gauge

from edison.db.outages import is_outage
from edison.db.session import Database
from edison.insights.usage import service as usage
from edison.insights.usage.service import UsageCounts
from edison.kit.money import NANOS_PER_USD
from edison.loops.experiments.states import SuggestionState
from edison.runs.store.states import RunState

REFRESH_SECONDS = 30

DISK = Gauge("edison_disk_used_share", "Used share of the disk that holds the data directory")
RUNS = Gauge("edison_runs", "Stored runs", ["state"])
CELLS = Gauge("edison_cells", "Finished cells of stored runs", ["result"])
SCORES = Gauge("edison_scores", "Scores of stored runs")
SPEND = Gauge("edison_runs_cost_usd", "Known cost of stored runs, simulated calls included")
SUGGESTIONS = Gauge("edison_suggestions", "Suggested changes of prompts", ["state"])
ACTIVE = Gauge("edison_users_active", "People seen in the last 24 hours")
BUDGET = Gauge(
    "edison_budget_used_share_most",
    "Largest used share of a budget that has no period or was used today",
)

_measured_at: WeakKeyDictionary[Database, float] = WeakKeyDictionary()


async def measure_usage(database: Database, data_dir: Path) -> None:
    """Updates the gauges. Without the database, the last values stay."""
    place = shutil.disk_usage(data_dir)
    DISK.set(place.used / (place.used + place.free))
    if time.monotonic() - _measured_at.get(database, -REFRESH_SECONDS) < REFRESH_SECONDS:
        return
    try:
        async with database.read() as session:
            counts = await usage.count_usage(session)
    except Exception as error:
        if not is_outage(error):
            raise
        return
    _measured_at[database] = time.monotonic()
    _show(counts)


def _show(counts: UsageCounts) -> None:
    for state in RunState:
        RUNS.labels(state.value).set(counts.runs.get(state, 0))
    for decision in SuggestionState:
        SUGGESTIONS.labels(decision.value).set(counts.suggestions.get(decision, 0))
    CELLS.labels("failed").set(counts.failed_cells)
    CELLS.labels("cached").set(counts.cached_cells)
    CELLS.labels("answered").set(counts.cells - counts.failed_cells - counts.cached_cells)
    SCORES.set(counts.scores)
    SPEND.set(counts.cost_nanos / NANOS_PER_USD)
    ACTIVE.set(counts.active_users)
    BUDGET.set(counts.highest_budget_use)
