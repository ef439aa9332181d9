"""`column IN (…)` for lists of any length, as one statement that the database prepares once."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, any_, literal
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute


def is_one_of(
    session: AsyncSession,
    column: ColumnElement[Any] | InstrumentedAttribute[Any],
    values: Collection[Any],
) -> ColumnElement[bool]:
    """On PostgreSQL every length of an IN list would be a statement of its own."""
    if session.get_bind().dialect.name == "sqlite":
        return column.in_(values)
    return column == any_(literal(list(values), ARRAY(column.type)))
