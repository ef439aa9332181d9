"""Statements compiled once per dialect and passed directly to the driver.

For statements that run thousands of times a minute, where SQLAlchemy's compilation and parameter
processing take longer than the execution.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any, Generic, TypeVar
from uuid import UUID

from sqlalchemy import (
    Boolean,
    Dialect,
    Float,
    Insert,
    String,
    Text,
    Uuid,
    bindparam,
    func,
    inspect,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.types import TypeEngine

from edison.db.base import Base, UtcDateTime
from edison.db.driver import find_driver
from edison.kit.lazy_dataclasses import dataclass

# Without the offset.
_UTC_LENGTH = len("2026-01-01 00:00:00.000000")
Processor = Callable[[Any], Any]
_NOTHING = object()
Converter = TypeVar("Converter")
Entity = TypeVar("Entity", bound=Base)
Places = Sequence[tuple[int, Processor]]
# The values of each column of many rows, by its name.
Columns = Mapping[str, Sequence[Any]]
# Converts all values of a column, which takes half the time of one call per value.
ColumnWriter = Callable[[Sequence[Any]], Sequence[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Translated:
    """A statement compiled for one dialect, with the names of its parameters. `constants` are the
    values of its own literals.
    """

    text: str
    names: Sequence[str]
    constants: Mapping[str, Any]
    going_in: Sequence[tuple[int, ColumnWriter]]
    coming_out: Places

    def columns(self, given: Columns) -> Sequence[Sequence[Any]]:
        """The parameters of many rows by column, for the driver."""
        columns = [given[name] for name in self.names]
        for at, write in self.going_in:
            columns[at] = write(columns[at])
        return columns

    def rows(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[Sequence[Any]]:
        """The parameters of each row."""
        given = {
            name: [self.constants[name]] * len(rows)
            if name in self.constants
            else [row[name] for row in rows]
            for name in self.names
        }
        columns = self.columns(given)
        return list(zip(*columns, strict=True)) if columns else [()] * len(rows)


class Prepared:
    """`make` builds the statement for a dialect; `columns` are the columns of an INSERT, which on
    PostgreSQL inserts all rows at once: an ON CONFLICT DO UPDATE must not meet a row twice. Column
    defaults are not applied: a statement that needs them raises ValueError.
    """

    def __init__(
        self, make: Callable[[Dialect], Any], *, columns: Sequence[str] | None = None
    ) -> None:
        self._make = make
        self._columns = columns
        self._by_dialect: dict[str, _Translated] = {}

    async def fetch(self, session: AsyncSession, **values: Any) -> Sequence[tuple[Any, ...]]:
        """Executes the statement and returns its rows."""
        translated = self._translated(session)
        (parameters,) = translated.rows([values])
        found = await (await find_driver(session)).fetch(translated.text, parameters)
        return [_processed(row, translated.coming_out) for row in found]

    async def run(self, session: AsyncSession, rows: Sequence[Mapping[str, Any]]) -> None:
        """Executes the statement for each row."""
        if not rows:
            return
        if self._columns is not None:
            await self.insert(
                session, {name: [row[name] for row in rows] for name in self._columns}
            )
            return
        translated, driver = self._translated(session), await find_driver(session)
        await driver.run(translated.text, translated.rows(rows))

    async def count_changes(
        self, session: AsyncSession, rows: Sequence[Mapping[str, Any]]
    ) -> Sequence[int]:
        """Executes the statement for each row. Returns how many rows of the table each changed."""
        if not rows:
            return []
        translated, driver = self._translated(session), await find_driver(session)
        return await driver.count_changes(translated.text, translated.rows(rows))

    async def insert(self, session: AsyncSession, rows: Columns) -> int:
        """Executes an INSERT with `columns`, whose values it takes by column: that is faster than a
        mapping for each row. Returns how many rows were inserted or updated.
        """
        if not all(rows.values()):
            return 0
        translated, driver = self._translated(session), await find_driver(session)
        return await driver.insert(translated.text, translated.columns(rows))

    def _translated(self, session: AsyncSession) -> _Translated:
        dialect = session.get_bind().dialect
        found = self._by_dialect.get(dialect.name)
        if found is None:
            found = self._by_dialect[dialect.name] = self._translate(dialect)
        return found

    def _translate(self, dialect: Dialect) -> _Translated:
        statement = self._make(dialect)
        compiled = statement.compile(dialect=dialect, column_keys=self._columns)
        if compiled.prefetch:
            raise ValueError(f"No values for {compiled.prefetch}.")
        if self._columns is not None and dialect.name == "postgresql":
            return _bulk_insert(statement, self._columns, dialect)
        names = compiled.positiontup or []
        return _Translated(
            text=compiled.string,
            names=names,
            constants={
                name: bind.value
                for name, bind in compiled.binds.items()
                if not bind.required and bind.value is not None
            },
            going_in=_places(_writer(compiled.binds[name].type, dialect) for name in names),
            coming_out=_places(
                _reader(column.type, dialect) for column in statement.exported_columns
            ),
        )


class PreparedEntities(Generic[Entity]):
    """A statement that returns all columns of a table, in their order. Its rows become objects of
    the table's class, which belong to no session: they are for reading, and not refreshed.
    """

    def __init__(self, entity: type[Entity], make: Callable[[Dialect], Any]) -> None:
        self._entity = entity
        self._prepared = Prepared(make)
        self._names: Sequence[str] = ()

    async def fetch(self, session: AsyncSession, **values: Any) -> Sequence[Entity]:
        if not self._names:
            mapper = inspect(self._entity)
            columns = mapper.local_table.columns
            self._names = [mapper.get_property_by_column(column).key for column in columns]
        rows = await self._prepared.fetch(session, **values)
        return [self._entity_of(row) for row in rows]

    async def find(self, session: AsyncSession, **values: Any) -> Entity | None:
        """The first of the rows."""
        found = await self.fetch(session, **values)
        return found[0] if found else None

    def _entity_of(self, row: tuple[Any, ...]) -> Entity:
        made = self._entity()
        # As loaded, not as changed: without the events of an assignment.
        vars(made).update(zip(self._names, row, strict=True))
        return made


def _bulk_insert(statement: Insert, names: Sequence[str], dialect: Dialect) -> _Translated:
    """Takes the rows as arrays, one for each column: one statement instead of many."""
    kinds = {name: statement.table.c[name].type for name in names}
    arrays = [bindparam(name, type_=ARRAY(_unlimited(kind))) for name, kind in kinds.items()]
    rows = select(*func.unnest(*arrays).table_valued(*names).render_derived().c)
    compiled = statement.from_select(list(names), rows, include_defaults=False).compile(
        dialect=dialect
    )
    order = compiled.positiontup or []
    if set(order) != set(names):
        raise ValueError("An INSERT of many rows takes no other parameters than its columns.")
    return _Translated(
        text=compiled.string,
        names=order,
        constants={},
        going_in=_places(_writer(kinds[name], dialect) for name in order),
        coming_out=[],
    )


def _unlimited(kind: TypeEngine[Any]) -> TypeEngine[Any]:
    """Cast to its length, a text that is too long would be cut off instead of refused."""
    return Text() if isinstance(kind, String) else kind


def _writer(kind: TypeEngine[Any], dialect: Dialect) -> ColumnWriter | None:
    if dialect.name == "sqlite":
        # The same values as SQLAlchemy's, in a tenth of the time.
        if isinstance(kind, UtcDateTime):
            return partial(_each_object_once, _utc_text)
        if isinstance(kind, Uuid) and kind.as_uuid:
            return partial(_each_object_once, _uuid_text)
        if isinstance(kind, Boolean):
            return None
    process = kind.dialect_impl(dialect).bind_processor(dialect)
    return None if process is None else partial(_each_object_once, process)


def _each_object_once(process: Processor, values: Sequence[Any]) -> list[Any]:
    """Many rows of a group share an object, such as the id of their run or the time of the write.
    Not for equal ones: 1 and True have different texts.
    """
    converted: list[Any] = []
    known: Any = _NOTHING
    text: Any = None
    for value in values:
        if value is not known:
            known, text = value, process(value)
        converted.append(text)
    return converted


# Rows of several groups, each with the time of its write, take turns.
@lru_cache(maxsize=64)
def _utc_text(value: datetime | None) -> str | None:
    if value is None:
        return None
    if value.tzinfo is UTC:
        return value.isoformat(" ", "microseconds")[:_UTC_LENGTH]
    if value.tzinfo is None:
        raise ValueError("Only aware datetimes may be stored.")
    return _utc_text(value.astimezone(UTC))


def _uuid_text(value: UUID | None) -> str | None:
    return None if value is None else "%032x" % value.int  # noqa: UP031 - half the time


def _reader(kind: TypeEngine[Any], dialect: Dialect) -> Processor | None:
    """Both drivers return floats, so these need no processor."""
    if isinstance(kind, Float):
        return None
    return kind.dialect_impl(dialect).result_processor(dialect, None)


def _places(converters: Iterable[Converter | None]) -> Sequence[tuple[int, Converter]]:
    """Of the columns that are converted at all."""
    return [(at, each) for at, each in enumerate(converters) if each is not None]


def _processed(values: Sequence[Any], places: Places) -> tuple[Any, ...]:
    if not places:
        return tuple(values)
    changed = list(values)
    for at, process in places:
        changed[at] = process(changed[at])
    return tuple(changed)
