"""The request's database transaction, committed before the response is sent.

`scope="function"` is required: with FastAPI's default the client would get its 200 before the
commit, and a failed commit would go unnoticed.
"""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.settings import Settings

_READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def settings_of(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


def database_of(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


async def _get_settings(request: Request) -> Settings:
    return settings_of(request)


async def _get_database(request: Request) -> Database:
    return database_of(request)


CurrentSettings = Annotated[Settings, Depends(_get_settings)]
CurrentDatabase = Annotated[Database, Depends(_get_database)]


def is_reading(request: Request) -> bool:
    return request.method in _READING_METHODS


async def open_session(request: Request) -> AsyncIterator[AsyncSession]:
    database = database_of(request)
    transaction = database.read() if is_reading(request) else database.write()
    async with transaction as session:
        yield session


Session = Annotated[AsyncSession, Depends(open_session, scope="function")]
