"""UTC days of timestamps, in SQL."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Date
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


def utc_day(column: InstrumentedAttribute[datetime]) -> ColumnElement[date]:
    """Independent of the time zone of the database session."""
    return _UtcDay(column)


class _UtcDay(FunctionElement[date]):
    type = Date()
    inherit_cache = True


@compiles(_UtcDay)
def _compile_day(element: _UtcDay, compiler: SQLCompiler, **options: Any) -> str:
    return f"date(timezone('UTC', {compiler.process(element.clauses, **options)}))"


@compiles(_UtcDay, "sqlite")
def _compile_day_on_sqlite(element: _UtcDay, compiler: SQLCompiler, **options: Any) -> str:
    """SQLite stores UTC."""
    return f"date({compiler.process(element.clauses, **options)})"
