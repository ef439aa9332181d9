"""Whoever does the work that a server puts off."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from edison.app.tasks import Tools
from edison.app.work import run_worker


@asynccontextmanager
async def working_beside(app: FastAPI) -> AsyncIterator[None]:
    """On PostgreSQL the server leaves the work to workers; this is one."""
    if app.state.database.is_sqlite:
        yield
        return
    tools = Tools(
        database=app.state.database, gateway=app.state.gateway, recorder=app.state.recorder
    )
    worker = asyncio.create_task(run_worker(tools))
    yield
    tools.is_stopping.set()
    await worker
