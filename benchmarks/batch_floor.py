"""The floor of a run: calls a model and writes the rows of a cell with as little as possible.

Same tables, same durability as a run: a ledger entry is committed before its call is sent, the
budget is changed in the same transaction, and an answer counts when its rows are committed. There
are no retries, queues, pauses, streams, claims or metrics, and the values are placeholders. What a
run takes beyond this is what those cost.
"""

import asyncio
import itertools
import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast
from urllib.parse import urlsplit

import orjson
import uvloop
from sqlalchemy import JSON, Boolean, Column, DateTime, Float, Integer, Table, Uuid

from benchmarks.call_ways import SYSTEM
from edison.db import migrate
from edison.db.base import UtcDateTime
from edison.db.engine import SYNCHRONOUS
from edison.kit import ids
from edison.library.calls.models import CachedAnswer
from edison.pipeline.generate.http_connection import Ending, HttpConnection, WholeAnswer
from edison.runs.store.models import Output, Score, SentPrompt
from edison.workspace.budgets.models import Budget, LedgerEntry

LARGEST_BYTES = 10_000_000
_counter = itertools.count(1)
Make = Callable[[], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    cells: int
    seconds: float
    cpu_seconds: float

    @property
    def cpu_microseconds(self) -> float:
        return self.cpu_seconds / self.cells * 1e6

    @property
    def cells_per_second(self) -> float:
        return self.cells / self.seconds


def run_floor(url: str, cells: int, *, concurrency: int) -> Floor:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "edison.db"
        asyncio.run(migrate.upgrade(f"sqlite+aiosqlite:///{path}", backup_dir=Path(folder)))
        return uvloop.run(_Run(url, cells, Rows(path)).run(concurrency))


def _maker(column: Column[Any]) -> Make:
    kind = column.type
    if isinstance(kind, Uuid):
        return lambda: ids.new_id().hex
    if isinstance(kind, UtcDateTime | DateTime):
        return lambda: "2026-01-01 00:00:00.000000"
    if isinstance(kind, JSON):
        return lambda: "{}"
    if isinstance(kind, Boolean):
        return lambda: 0
    if isinstance(kind, Integer | Float):
        return lambda: next(_counter)
    return lambda: f"text {next(_counter)}"


class Rows:
    """Writes rows of placeholders with the driver, without SQLAlchemy."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        for pragma in (
            "journal_mode=WAL",
            f"synchronous={SYNCHRONOUS}",
            "foreign_keys=OFF",
            "ignore_check_constraints=ON",
        ):
            self._connection.execute(f"PRAGMA {pragma}")
        self._makers: dict[str, list[Make]] = {}
        self._inserts: dict[str, str] = {}
        for model in (Budget, LedgerEntry, Output, Score, SentPrompt, CachedAnswer):
            self._learn(cast(Table, model.__table__))
        self._insert("budgets", 1)

    def _learn(self, table: Table) -> None:
        columns = list(table.columns)
        marks = ", ".join("?" for _ in columns)
        self._makers[table.name] = [_maker(column) for column in columns]
        self._inserts[table.name] = f"INSERT INTO {table.name} VALUES ({marks})"  # noqa: S608 - own names

    def _insert(self, table: str, count: int) -> list[tuple[Any, ...]]:
        makers = self._makers[table]
        rows = [tuple(make() for make in makers) for _ in range(count)]
        self._connection.executemany(self._inserts[table], rows)
        return rows

    def write(self, answered: Sequence[str], leaving: int) -> list[str]:
        """One transaction: stores the answered cells and reserves for the next. Returns the ids of
        their entries.
        """
        execute, count = self._connection.execute, len(answered)
        execute("BEGIN IMMEDIATE")
        execute("UPDATE budgets SET spent_nanos = spent_nanos + 1, reserved_nanos = 1")
        self._connection.executemany(
            "UPDATE ledger_entries SET state = 'settled', cost_nanos = 1, settled_at = created_at,"
            " input_tokens = 200, output_tokens = 60 WHERE id = ? AND state <> 'settled'",
            [(entry_id,) for entry_id in answered],
        )
        for table in ("sent_prompts", "cached_answers", "outputs", "scores"):
            self._insert(table, count)
        reserved = [str(row[0]) for row in self._insert("ledger_entries", leaving)]
        execute("COMMIT")
        return reserved


@dataclass(slots=True)
class _Run:
    url: str
    cells: int
    rows: Rows
    _free: list[HttpConnection] = field(default_factory=list)
    _answered: list[str] = field(default_factory=list)
    _sent: int = 0
    _stored: int = 0
    _is_due: bool = False
    _done: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, concurrency: int) -> Floor:
        loop, address = asyncio.get_running_loop(), urlsplit(self.url)
        for _ in range(concurrency):
            _, connection = await loop.create_connection(
                lambda: HttpConnection("floor", max_bytes=LARGEST_BYTES),
                address.hostname or "",
                address.port or 80,
            )
            self._free.append(connection)
        cpu, started = time.process_time(), time.perf_counter()
        self._write()
        await self._done.wait()
        return Floor(
            cells=self.cells,
            seconds=time.perf_counter() - started,
            cpu_seconds=time.process_time() - cpu,
        )

    def _write(self) -> None:
        self._is_due = False
        answered, self._answered = self._answered, []
        leaving = min(len(self._free), self.cells - self._sent)
        for entry_id in self.rows.write(answered, leaving):
            self._send(entry_id, self._free.pop())
        self._stored += len(answered)
        if self._stored == self.cells:
            self._done.set()

    def _send(self, entry_id: str, connection: HttpConnection) -> None:
        self._sent += 1
        body = orjson.dumps(
            {
                "model": "gpt-x",
                "messages": [
                    {"role": "system", "content": SYSTEM},
                    {"role": "user", "content": f"Question {self._sent}: what is the capital?"},
                ],
                "max_tokens": 256,
            }
        )
        head = (
            "POST /chat/completions HTTP/1.1\r\nHost: floor\r\nContent-Type: application/json"
            f"\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        connection.ask(head.encode() + body, partial(self._receive, entry_id, connection))

    def _receive(self, entry_id: str, connection: HttpConnection, ending: Ending) -> None:
        assert isinstance(ending, WholeAnswer), ending
        document = orjson.loads(ending.content)
        assert document["choices"][0]["message"]["content"]
        self._answered.append(entry_id)
        self._free.append(connection)
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._write)
