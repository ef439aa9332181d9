"""Queries of exports and imports, the same for all tables."""

from collections.abc import AsyncGenerator, Collection, Sequence
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.base import ExecutableOption

from edison.db.base import Base
from edison.loops.bundles.errors import BundleRefused

Found = TypeVar("Found", bound=Base)
ROWS_AT_ONCE = 500


class Rows:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def list(
        self, table: type[Found], *conditions: ColumnElement[bool], order: Sequence[Any] = ()
    ) -> Sequence[Found]:
        """All rows that match, by `order` or else by their ids."""
        statement = select(table).where(*conditions).order_by(*_order(table, order))
        return (await self.session.scalars(statement)).all()

    async def list_by_id(self, table: type[Found], ids: Collection[UUID]) -> Sequence[Found]:
        """By their ids, in their order. Databases limit the number of parameters per statement."""
        found: list[Found] = []
        wanted = sorted(ids)
        (column,) = _order(table, ())
        for start in range(0, len(wanted), ROWS_AT_ONCE):
            some = column.in_(wanted[start : start + ROWS_AT_ONCE])
            found += await self.list(table, some)
        return found

    async def stream(
        self,
        table: type[Found],
        *conditions: ColumnElement[bool],
        order: Sequence[Any] = (),
        options: Sequence[ExecutableOption] = (),
    ) -> AsyncGenerator[Sequence[Found], None]:
        """Like `list`, in batches: memory use does not grow with the number of rows. `options` load
        columns that are not loaded otherwise.
        """
        statement = select(table).where(*conditions).order_by(*_order(table, order))
        statement = statement.options(*options)
        result = await self.session.stream_scalars(
            statement, execution_options={"yield_per": ROWS_AT_ONCE}
        )
        async for rows in result.partitions():
            yield rows

    async def column(self, column: Any, *conditions: ColumnElement[bool]) -> set[Any]:
        """Distinct values, without null."""
        statement = select(column).where(*conditions, column.is_not(None)).distinct()
        return set((await self.session.scalars(statement)).all())

    async def find(self, table: type[Found], *conditions: ColumnElement[bool]) -> Found | None:
        return await self.session.scalar(select(table).where(*conditions).limit(1))

    async def insert(self, table: type[Base], rows: Sequence[dict[str, Any]], *, part: str) -> None:
        """Raises BundleRefused when rows contradict each other."""
        if not rows:
            return
        try:
            await self.session.execute(
                insert(table), list(rows), execution_options={"render_nulls": True}
            )
        except IntegrityError as wrong:
            raise BundleRefused(
                part, "Rows of this part contradict each other.", code="contradiction"
            ) from wrong


def _order(table: Any, order: Sequence[Any]) -> Sequence[Any]:
    return order or (table.id,)
