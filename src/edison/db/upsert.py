"""`INSERT … ON CONFLICT` for both dialects."""

from typing import Any

from sqlalchemy import Dialect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession


def insert(session: AsyncSession, table: Any) -> postgresql.Insert:
    """Typed as PostgreSQL's class; SQLite's has the same interface."""
    return insert_for(session.get_bind().dialect, table)


def insert_for(dialect: Dialect, table: Any) -> postgresql.Insert:
    if dialect.name == "sqlite":
        return sqlite.insert(table)  # type: ignore[return-value]  # same interface, other class
    return postgresql.insert(table)
