"""A worker for tests, which runs the jobs of a server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from edison.app.run_tasks import TaskTools
from edison.app.work import run_worker
from edison.db.engine import open_engine
from edison.db.session import Database


@asynccontextmanager
async def working_beside(app: FastAPI) -> AsyncIterator[None]:
    """On PostgreSQL the server leaves jobs to workers; this is one, with its own connections. One
    of them is reserved for its queue.
    """
    server: Database = app.state.background_database
    if server.is_sqlite:
        yield
        return
    engine = open_engine(app.state.settings.resolved_database_url, pool_size=3)
    tools = TaskTools(
        database=Database(engine, beside=server),
        gateway=app.state.gateway,
        batch_writer=app.state.batch_writer,
        vault=app.state.vault,
        settings=app.state.settings,
    )
    worker = asyncio.create_task(run_worker(tools))
    yield
    tools.is_stopping.set()
    await worker
    await engine.dispose()
