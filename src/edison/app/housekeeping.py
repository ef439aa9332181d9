"""Periodic clean-up: deletes old events, expired sessions, sign-in attempts, cached answers,
uploads and old runs, and reaps reservations of dead processes.

Runs in every server process. Idempotent.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import structlog

from edison.db.outages import is_outage
from edison.db.session import Database
from edison.kit import clock
from edison.library.calls import service as calls
from edison.library.datasets import imports as case_imports
from edison.runs.retention import service as retention
from edison.workspace.accounts import service as accounts
from edison.workspace.budgets import service as budgets
from edison.workspace.deliveries import service as deliveries
from edison.workspace.events import service as events

log = structlog.get_logger(__name__)

FIRST_AFTER = timedelta(minutes=1)
EVERY = timedelta(hours=1)
EVENTS_KEPT = timedelta(days=7)
DELIVERIES_KEPT = timedelta(days=30)


@asynccontextmanager
async def cleaning_up(database: Database) -> AsyncIterator[None]:
    task = asyncio.create_task(clean_up_regularly(database))
    yield
    task.cancel()
    await asyncio.wait([task])


async def clean_up_regularly(database: Database) -> None:
    """Runs until cancelled. Starts with a delay, to not slow the start of the server."""
    await asyncio.sleep(FIRST_AFTER.total_seconds())
    while True:
        try:
            async with database.write() as session:
                await accounts.delete_expired(session)
                await events.delete_before(session, clock.now() - EVENTS_KEPT)
                await deliveries.delete_before(session, clock.now() - DELIVERIES_KEPT)
                await calls.delete_expired(session)
                await case_imports.delete_expired(session)
                await budgets.reap_orphans(session)
            await retention.apply_all(database)
        except Exception as error:
            if not is_outage(error):
                raise
            log.warning("clean-up delayed: database unavailable")
        await asyncio.sleep(EVERY.total_seconds())
