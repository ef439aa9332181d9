"""`column IN (…)` in other words: in queries with a constant statement for lists of any length, so
that prepared statements are reused, and in constraints without the cost of a list.
"""

from collections.abc import Collection, Iterable
from typing import Any

import orjson
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Dialect,
    Text,
    any_,
    bindparam,
    func,
    literal,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.types import TypeDecorator, TypeEngine


def is_one_of(
    session: AsyncSession,
    column: ColumnElement[Any] | InstrumentedAttribute[Any],
    values: Collection[Any],
) -> ColumnElement[bool]:
    if session.get_bind().dialect.name == "sqlite":
        return _is_in_json(column, literal(values, _JsonList(column.type)))
    return column == any_(literal(list(values), ARRAY(column.type)))


def is_among(
    dialect: Dialect, column: ColumnElement[Any] | InstrumentedAttribute[Any], name: str
) -> ColumnElement[bool]:
    """Like `is_one_of`, for `Prepared` statements: the list is bound to parameter `name`."""
    if dialect.name == "sqlite":
        return _is_in_json(column, bindparam(name, type_=_JsonList(column.type)))
    return column == any_(bindparam(name, type_=ARRAY(column.type)))


def _is_in_json(
    column: ColumnElement[Any] | InstrumentedAttribute[Any], given: BindParameter[Any]
) -> ColumnElement[bool]:
    return column.in_(select(func.json_each(given).table_valued("value").c.value))


def is_either(column: str, values: Iterable[str]) -> str:
    """For CHECK constraints of tables that are written often: SQLite builds a temporary index of a
    list for each row that it checks, which takes a quarter of the time of writing the row.
    """
    return " OR ".join(f"{column} = '{value}'" for value in values)


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
