"""Heals the queue: every now and then asks the rows which jobs there should be.

This one mechanism is behind resuming, recovery after a crash, and messages that got lost.
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
    """Begins at once: a start is when most is left over. Ends between two sweeps, since a
    connection that is being opened does not like to be cancelled.
    """
    while not is_stopping.is_set():
        try:
            await sweep(database, queue, sweepers)
        except _OUTAGES as outage:
            log.warning("sweep waits for the database", reason=type(outage).__name__)
        with suppress(TimeoutError):
            async with asyncio.timeout(every_seconds):
                await is_stopping.wait()
