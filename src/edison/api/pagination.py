"""Cursor pagination shared by all lists.

A cursor holds the sort key and id of the last row seen, so pages stay right while rows are added
and page 500 costs as much as page 1. It is opaque to clients and checked when it comes back.
"""

import base64
import binascii
import operator
import re
from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

import orjson
from sqlalchemy import (
    Boolean,
    ColumnElement,
    Select,
    TypeDecorator,
    and_,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass

Row = TypeVar("Row")
Other = TypeVar("Other")
SortedId = tuple[Any, UUID]
SortColumn = InstrumentedAttribute[Any] | ColumnElement[Any]
MAX_PAGE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    limit: int
    cursor: str | None = None
    q: str | None = None
    sort: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice(Generic[Row]):
    """One page as returned by a repository."""

    items: Sequence[Row]
    next: str | None
    total: int | None

    def with_items(self, items: Sequence[Other]) -> "Slice[Other]":
        """The same page with its rows converted for display."""
        return Slice(items=items, next=self.next, total=self.total)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorting:
    """The columns that a list can be sorted by; `id` breaks ties."""

    columns: dict[str, SortColumn]
    default: str
    id: InstrumentedAttribute[UUID]

    def choose(self, wanted: str | None) -> tuple[str, SortColumn, bool]:
        key = wanted or self.default
        column = self.columns.get(key.removeprefix("-"))
        if column is None:
            known = ", ".join(sorted(self.columns))
            raise Invalid(
                FieldProblem(field="sort", message=f"Sort by one of: {known}.", code="unknown_sort")
            )
        return key, column, key.startswith("-")


async def paginate(
    session: AsyncSession,
    statement: Select[*tuple[Any, ...]],
    *,
    page: PageRequest,
    sorting: Sorting,
) -> Slice[Any]:
    """Run `statement` for one page. Rows have the shape that the statement selects.

    The statement must not group or sort: rows are counted by replacing its columns.
    """
    total = await session.scalar(_count(statement))
    order = _Order(page=page, sorting=sorting, column=sorting.choose(page.sort)[1], id=sorting.id)
    keys = order.column.label("_sort_key"), order.id.label("_sort_id")
    rows, following = await order.read(session, statement.add_columns(*keys))
    # Without the two helper columns a row is what the caller selected: an entity or a tuple.
    items = [row[0] if len(row) == 3 else tuple(row)[:-2] for row in rows]
    return Slice(items=items, next=following, total=total)


async def paginate_ids(
    session: AsyncSession,
    statement: Select[*tuple[Any, ...]],
    *,
    page: PageRequest,
    sorting: Sorting,
    total: int | None,
) -> Slice[UUID]:
    """Like `paginate`, but returns ids, so that long rows outside the page are never read. Without
    a `total`, one query both finds and counts the rows.
    """
    chosen = sorting.choose(page.sort)[1].label("_sort_key"), sorting.id.label("_sort_id")
    counted = () if total is not None else (func.count().over().label("_total"),)
    matching = statement.with_only_columns(*chosen, *counted, maintain_column_froms=True).subquery()
    order = _Order(page=page, sorting=sorting, column=matching.c._sort_key, id=matching.c._sort_id)
    rows, following = await order.read(session, select(matching))
    if total is None:
        # Beyond the last page no row carries the total.
        total = rows[0]._total if rows else await session.scalar(_count(statement))
    return Slice(items=[row._sort_id for row in rows], next=following, total=total)


async def list_sorted(
    session: AsyncSession,
    statement: Select[*tuple[Any, ...]],
    *,
    sort: str | None,
    sorting: Sorting,
) -> Sequence[SortedId]:
    """All sort keys and ids in order, for caching a list that is slow to sort."""
    _, column, descending = sorting.choose(sort)
    keys = column.desc() if descending else column, sorting.id.desc() if descending else sorting.id
    rows = await session.execute(
        statement.with_only_columns(column, sorting.id, maintain_column_froms=True).order_by(*keys)
    )
    return [(key, id_) for key, id_ in rows]


def slice_sorted(rows: Sequence[SortedId], *, page: PageRequest, sorting: Sorting) -> Slice[UUID]:
    """A page of such a cached list, with the same cursors."""
    key, column, descending = sorting.choose(page.sort)
    first = 0
    if page.cursor is not None:
        place = _decode(page.cursor, key, column)
        behind = operator.lt if descending else operator.gt
        first = bisect_left(rows, True, key=lambda row: behind(row, place))
    shown = rows[first : first + page.limit]
    return Slice(
        items=[id_ for _, id_ in shown],
        next=_encode(key, *shown[-1]) if len(rows) > first + page.limit else None,
        total=len(rows),
    )


def _count(statement: Select[*tuple[Any, ...]]) -> Select[int]:
    return statement.with_only_columns(func.count(), maintain_column_froms=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """The requested order of a page. `column` and `id` are the statement's expressions for the sort
    key and the id.
    """

    page: PageRequest
    sorting: Sorting
    column: SortColumn
    id: SortColumn

    async def read(
        self, session: AsyncSession, statement: Select[*tuple[Any, ...]]
    ) -> tuple[Sequence[Any], str | None]:
        """The rows of the page and the cursor of the next page."""
        key, column, descending = self.sorting.choose(self.page.sort)
        if self.page.cursor is not None:
            statement = statement.where(self._is_behind(_decode(self.page.cursor, key, column)))
        ordered = statement.order_by(
            self.column.desc() if descending else self.column.asc(),
            self.id.desc() if descending else self.id.asc(),
        )
        rows = (await session.execute(ordered.limit(self.page.limit + 1))).all()
        if len(rows) <= self.page.limit:
            return rows, None
        rows = rows[: self.page.limit]
        return rows, _encode(key, rows[-1]._sort_key, rows[-1]._sort_id)

    def _is_behind(self, place: tuple[Any, UUID]) -> ColumnElement[bool]:
        value, last_id = place
        if self.sorting.choose(self.page.sort)[2]:
            return or_(self.column < value, and_(self.column == value, self.id < last_id))
        return or_(self.column > value, and_(self.column == value, self.id > last_id))


def _encode(key: str, value: Any, last_id: UUID) -> str:
    kind = "t" if isinstance(value, datetime) else "v"
    # orjson does not support asyncpg's own UUID class.
    return base64.urlsafe_b64encode(orjson.dumps([key, kind, value, str(last_id)])).decode()


def _decode(cursor: str, key: str, column: SortColumn) -> tuple[Any, UUID]:
    try:
        sort, kind, value, last_id = orjson.loads(base64.urlsafe_b64decode(cursor))
        position = datetime.fromisoformat(value) if kind == "t" else value, UUID(last_id)
    except (ValueError, TypeError, AttributeError, binascii.Error) as broken:
        raise _bad_cursor() from broken
    if sort != key or not _can_compare(column, position[0]):
        raise _bad_cursor()
    return position


def _can_compare(column: SortColumn, value: Any) -> bool:
    """Whether the database can compare the cursor's key; a forged cursor is the client's error, not
    a server failure.
    """
    kind = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    if isinstance(value, datetime):
        return kind.python_type is datetime and value.tzinfo is not None
    return isinstance(value, kind.python_type) and "\x00" not in str(value)


def _bad_cursor() -> Invalid:
    return Invalid(
        FieldProblem(
            field="cursor",
            message="Invalid cursor for this list. Start from the first page.",
            code="bad_cursor",
        )
    )


def contains(column: SortColumn, text: str) -> ColumnElement[bool]:
    """Case-insensitive `LIKE`; wildcards in the text are escaped."""
    escaped = re.sub(r"([/%_])", r"/\1", text)
    return _Contains(column, literal(f"%{escaped}%"))


class _Contains(FunctionElement[bool]):
    type = Boolean()
    inherit_cache = True


@compiles(_Contains)
def _compile_contains(element: _Contains, compiler: SQLCompiler, **options: Any) -> str:
    column, pattern = (compiler.process(each, **options) for each in element.clauses)
    return f"(lower({column}) LIKE lower({pattern}) ESCAPE '/')"


@compiles(_Contains, "sqlite")
def _compile_contains_on_sqlite(element: _Contains, compiler: SQLCompiler, **options: Any) -> str:
    """SQLite's `LIKE` ignores case for the same letters as its `lower`, and without `lower` takes a
    third less time.
    """
    column, pattern = (compiler.process(each, **options) for each in element.clauses)
    return f"({column} LIKE {pattern} ESCAPE '/')"
