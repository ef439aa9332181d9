"""Periodic sweep: finds missing jobs in the rows and queues them.

This mechanism implements resuming, crash recovery and recovery of lost jobs.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from edison.db.session import Database
from edison.jobs.job import Job, Queue, Sweeper

log = structlog.get_logger(__name__)

_OUTAGES = (DBAPIError, PoolTimeout, OSError, TimeoutError)


async def sweep(database: Database, queue: Queue, sweepers: Sequence[Sweeper]) -> None:
    missing: list[Job] = []
    async with database.read() as session:
        for sweeper in sweepers:
            missing += await sweeper(session)
    if missing:
        await queue.put(missing)


async def sweep_regularly(
    database: Database,
    queue: Queue,
    sweepers: Sequence[Sweeper],
    *,
    every_seconds: float,
    is_stopping: asyncio.Event,
) -> None:
    """Sweeps now, then every `every_seconds`. Stops between two sweeps, since cancelling while a
    connection is being opened is not safe.
    """
    while not is_stopping.is_set():
        try:
            await sweep(database, queue, sweepers)
        except _OUTAGES as outage:
            log.warning("sweep delayed: database unavailable", reason=type(outage).__name__)
        with suppress(TimeoutError):
            async with asyncio.timeout(every_seconds):
                await is_stopping.wait()
