"""Prometheus metrics of jobs and processes.

Read from the database on each scrape. Every server reports the same queue, processes and dead jobs,
because they belong to the installation.
"""

from prometheus_client import Gauge

from edison.db.outages import is_outage
from edison.db.session import Database
from edison.jobs.job import Queue
from edison.kit import clock
from edison.loops.monitors.checks import service as checks
from edison.loops.monitors.checks.service import SchedulerStatus
from edison.workspace.operations import service as operations

# Tasks, priorities and kinds of processes are fixed sets.
UP = Gauge("edison_database_up", "1 while the database answers, else 0")
JOBS = Gauge("edison_jobs", "Jobs in the queue", ["task", "state"])
OLDEST = Gauge("edison_jobs_oldest_waiting_seconds", "Wait of the oldest job")
PROCESSES = Gauge("edison_processes", "Processes with a recent heartbeat", ["kind"])
DEAD = Gauge("edison_dead_jobs", "Failed jobs waiting for a decision")
MONITORS = Gauge("edison_monitors", "Monitors that are not archived", ["state"])
OVERDUE = Gauge("edison_monitors_overdue", "Monitors whose time passed without a check")
SINCE_SWEEP = Gauge(
    "edison_scheduler_sweep_age_seconds", "Time since due monitors were last looked for"
)
CHECKS = Gauge("edison_checks_active", "Checks of monitors in progress")
ALERTS = Gauge("edison_alerts_open", "Unresolved alerts of monitors")


async def measure_work(database: Database, queue: Queue) -> None:
    """Updates the gauges; clears them while the database is unavailable."""
    JOBS.clear()
    MONITORS.clear()
    PROCESSES.clear()
    try:
        overview = await queue.overview()
        async with database.read() as session:
            counts = await operations.count_work(session)
            scheduler = await checks.read_status(session)
    except Exception as error:
        if not is_outage(error):
            raise
        UP.set(0)
        for gauge in (OLDEST, DEAD, OVERDUE, SINCE_SWEEP, CHECKS, ALERTS):
            gauge.set(float("nan"))
        return
    UP.set(1)
    for depth in overview.depths:
        JOBS.labels(depth.task, "waiting").inc(depth.waiting)
        JOBS.labels(depth.task, "running").inc(depth.running)
    for kind in ("server", "worker", "command"):
        PROCESSES.labels(kind).set(counts.processes.get(kind, 0))
    OLDEST.set(overview.oldest_waiting_seconds or 0)
    DEAD.set(counts.dead_jobs)
    _measure_scheduler(scheduler)


def _measure_scheduler(scheduler: SchedulerStatus) -> None:
    swept_at = scheduler.swept_at
    age = float("nan") if swept_at is None else (clock.now() - swept_at).total_seconds()
    SINCE_SWEEP.set(age)
    MONITORS.labels("active").set(scheduler.active_monitors)
    MONITORS.labels("paused").set(scheduler.paused_monitors)
    OVERDUE.set(scheduler.overdue)
    CHECKS.set(scheduler.active_checks)
    ALERTS.set(scheduler.open_alerts)
