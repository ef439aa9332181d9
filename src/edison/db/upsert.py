"""`INSERT … ON CONFLICT` for whichever database the session talks to."""

from typing import Any

from sqlalchemy import Dialect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession


def insert(session: AsyncSession, table: Any) -> postgresql.Insert:
    """Both dialects build the same statement; PostgreSQL's class stands for the two."""
    return insert_for(session.get_bind().dialect, table)


def insert_for(dialect: Dialect, table: Any) -> postgresql.Insert:
    if dialect.name == "sqlite":
        return sqlite.insert(table)  # type: ignore[return-value]  # same interface, other class
    return postgresql.insert(table)
