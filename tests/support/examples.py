"""Databases for hypothesis examples.

hypothesis can end an example at any draw by raising StopTest, a BaseException. Each example
therefore closes and empties its database in `finally`; otherwise the next example finds its rows,
and a later test is blamed for the unclosed connections.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from edison.db.engine import open_engine
from edison.db.session import Database
from edison.settings import Settings
from tests.support.databases import Databases

Example = Callable[[Database], Awaitable[None]]


def run_example(databases: Databases, folder: Path, example: Example) -> None:
    """Run one example in its own event loop on a fresh database."""
    url = databases.fresh_url(folder)
    try:
        asyncio.run(_run(Settings(database_url=url).resolved_database_url, example))
    finally:
        databases.clean(url)


async def _run(url: str, example: Example) -> None:
    database = Database(open_engine(url))
    try:
        await example(database)
    finally:
        await database.close()
