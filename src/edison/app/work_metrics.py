"""Prometheus metrics of jobs and processes.

Read from the database on each scrape. Every server reports the same queue, processes and dead jobs,
because they belong to the installation.
"""

from prometheus_client import Gauge

from edison.db.outages import is_outage
from edison.db.session import Database
from edison.jobs.job import Queue
from edison.workspace.operations import service as operations

# Tasks, priorities and kinds of processes are fixed sets.
JOBS = Gauge("edison_jobs", "Jobs in the queue", ["task", "state"])
OLDEST = Gauge("edison_jobs_oldest_waiting_seconds", "Wait of the oldest job")
PROCESSES = Gauge("edison_processes", "Processes with a recent heartbeat", ["kind"])
DEAD = Gauge("edison_dead_jobs", "Failed jobs waiting for a decision")


async def measure_work(database: Database, queue: Queue) -> None:
    """Updates the gauges; clears them while the database is unavailable."""
    JOBS.clear()
    PROCESSES.clear()
    try:
        overview = await queue.overview()
        async with database.read() as session:
            counts = await operations.count_work(session)
    except Exception as error:
        if not is_outage(error):
            raise
        OLDEST.set(float("nan"))
        DEAD.set(float("nan"))
        return
    for depth in overview.depths:
        JOBS.labels(depth.task, "waiting").inc(depth.waiting)
        JOBS.labels(depth.task, "running").inc(depth.running)
    for kind in ("server", "worker", "command"):
        PROCESSES.labels(kind).set(counts.processes.get(kind, 0))
    OLDEST.set(overview.oldest_waiting_seconds or 0)
    DEAD.set(counts.dead_jobs)
