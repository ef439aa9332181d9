"""Waiting for something that a project's events announce."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar
from uuid import UUID

from fastapi import FastAPI

from edison.workspace.events import service as events
from tests.support.patience import PATIENCE_SECONDS

Found = TypeVar("Found")


async def read_until(
    app: FastAPI,
    project_id: UUID,
    read: Callable[[], Awaitable[Found]],
    is_so: Callable[[Found], bool],
) -> Found:
    """Reads again after each event of the project."""
    with app.state.database.wakeups.subscribe(events.project_stream(project_id)) as news:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not is_so(found := await read()):
                await news.wait(0.5)
    return found
