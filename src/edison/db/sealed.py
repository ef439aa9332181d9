"""Columns with sealed secrets, marked by `info=SEALED` so that key rotation finds all of them.

A marked text column holds one sealed text. In a marked JSON column each entry named `sealed` holds
one, at any depth.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Column, MetaData, select, update
from sqlalchemy.ext.asyncio import AsyncSession

_MARK = "sealed"
# For `mapped_column(info=SEALED)`.
SEALED = {_MARK: True}
ROWS_AT_ONCE = 500


@cache
def sealed_columns(metadata: MetaData) -> Sequence[Column[Any]]:
    return [
        column
        for table in metadata.sorted_tables
        for column in table.columns
        if column.info.get(_MARK)
    ]


def sealed_texts(value: Any) -> Iterator[str]:
    """The sealed texts in a value of a marked column."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name == _MARK or isinstance(inner, dict):
                yield from sealed_texts(inner)


def replace_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A copy of a marked column's value with each sealed text changed."""
    if isinstance(value, str):
        return change(value)
    if not isinstance(value, dict):
        return value
    return {
        name: replace_texts(inner, change) if name == _MARK or isinstance(inner, dict) else inner
        for name, inner in value.items()
    }


async def read_sealed(session: AsyncSession, metadata: MetaData) -> AsyncIterator[str]:
    """Yields every stored sealed text."""
    for column in sealed_columns(metadata):
        rows = await session.stream_scalars(select(column).where(column.is_not(None)))
        async for value in rows:
            for text in sealed_texts(value):
                yield text


async def change_sealed(
    session: AsyncSession, metadata: MetaData, change: Callable[[str], str]
) -> int:
    """Changes every sealed text in place. Returns the number of changed rows.

    Locks the rows it reads, so that a concurrent change of a secret is not overwritten.
    """
    changed = 0
    for column in sealed_columns(metadata):
        changed += await _change_column(session, column, change)
    return changed


async def _change_column(
    session: AsyncSession, column: Column[Any], change: Callable[[str], str]
) -> int:
    table = column.table
    (key,) = table.primary_key.columns
    # `updated_at` and the like stay: they record changes by users.
    same = {each.name: each for each in table.columns if each.onupdate is not None}
    changed, last = 0, None
    while True:
        page = select(key, column).where(column.is_not(None)).order_by(key).limit(ROWS_AT_ONCE)
        if last is not None:
            page = page.where(key > last)
        rows = (await session.execute(page.with_for_update())).all()
        for row_key, value in rows:
            new = replace_texts(value, change)
            if new != value:
                changing = update(table).where(key == row_key)
                await session.execute(changing.values({column.name: new, **same}))
                changed += 1
        if len(rows) < ROWS_AT_ONCE:
            return changed
        last = rows[-1][0]
