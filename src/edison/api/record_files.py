"""Streamed exports of records as CSV with a header line, or as JSON lines."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Literal, TypeVar

import orjson

from edison.api.schema import Schema
from edison.kit.csv_text import encode_rows, guard

Row = TypeVar("Row")
RecordFormat = Literal["csv", "jsonl"]
ROWS_AT_ONCE = 500


async def stream_records(
    read_after: Callable[[Row | None], Awaitable[Sequence[Row]]],
    *,
    schema: type[Schema],
    describe: Callable[[Row], Schema],
    file_format: RecordFormat,
) -> AsyncIterator[bytes]:
    """`read_after` returns the next `ROWS_AT_ONCE` rows after the last one, fewer at the end. It
    reads in its own transaction, so a slow download holds none open.
    """
    write = _csv if file_format == "csv" else _jsonl
    if file_format == "csv":
        yield encode_rows([schema.model_fields])
    last: Row | None = None
    while True:
        rows = await read_after(last)
        if rows:
            last = rows[-1]
            yield write(describe(row) for row in rows)
        if len(rows) < ROWS_AT_ONCE:
            return


def _jsonl(records: Iterable[Schema]) -> bytes:
    return b"".join(orjson.dumps(record.model_dump(mode="json")) + b"\n" for record in records)


def _csv(records: Iterable[Schema]) -> bytes:
    return encode_rows(
        [_cell(value) for value in record.model_dump(mode="json").values()] for record in records
    )


def _cell(value: object) -> str:
    if value is None:
        return ""
    # Records contain user input.
    return guard(value if isinstance(value, str) else orjson.dumps(value).decode())
