"""`column IN (…)` for lists of any length with a constant statement text, so that prepared
statements are reused.
"""

from collections.abc import Collection
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Dialect, Text, any_, bindparam, func, literal, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.types import TypeDecorator, TypeEngine


def is_one_of(
    session: AsyncSession,
    column: ColumnElement[Any] | InstrumentedAttribute[Any],
    values: Collection[Any],
) -> ColumnElement[bool]:
    """On PostgreSQL each length of an IN list would be a separate prepared statement."""
    if session.get_bind().dialect.name == "sqlite":
        return column.in_(values)
    return column == any_(literal(list(values), ARRAY(column.type)))


def is_among(
    dialect: Dialect, column: ColumnElement[Any] | InstrumentedAttribute[Any], name: str
) -> ColumnElement[bool]:
    """Like `is_one_of`, for `Prepared` statements: the list is bound to parameter `name`."""
    if dialect.name == "sqlite":
        given = bindparam(name, type_=_JsonList(column.type))
        listed = func.json_each(given).table_valued("value")
        return column.in_(select(listed.c.value))
    return column == any_(bindparam(name, type_=ARRAY(column.type)))


class _JsonList(TypeDecorator[Any]):
    """A list of values of a column type as JSON text."""

    impl = Text
    cache_ok = True

    def __init__(self, kind: TypeEngine[Any]) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        process = self.kind.dialect_impl(dialect).bind_processor(dialect)
        items = value if process is None else map(process, value)
        return orjson.dumps(list(items)).decode()
