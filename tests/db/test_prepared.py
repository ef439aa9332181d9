"""Prepared statements give the same results on both databases, with SQLAlchemy's conversions."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

import pytest
from sqlalchemy import (
    Column,
    Dialect,
    Integer,
    MetaData,
    String,
    Table,
    Uuid,
    bindparam,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from edison.db import upsert
from edison.db.base import JsonColumn, UtcDateTime
from edison.db.engine import open_engine
from edison.db.membership import is_among
from edison.db.prepared import Prepared, PreparedEntities
from edison.db.session import Database
from edison.jobs.models import WorkerProcess

NOTES = Table(
    "notes",
    MetaData(),
    Column("id", Uuid(), primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("made_at", UtcDateTime()),
    Column("content", JsonColumn),
    Column("count", Integer, default=1),
)
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
FIRST, SECOND, THIRD = (UUID(int=number) for number in (1, 2, 3))
COLUMNS = [column.name for column in NOTES.c]


def _add(dialect: Dialect) -> Any:
    return upsert.insert_for(dialect, NOTES).on_conflict_do_nothing(index_elements=["id"])


ADD = Prepared(_add, columns=COLUMNS)
FIND = Prepared(
    lambda dialect: (
        select(NOTES)
        .where(
            is_among(dialect, NOTES.c.id, "ids"),
            NOTES.c.kind == "seen",
            NOTES.c.count >= bindparam("least"),
        )
        .order_by(NOTES.c.id)
    )
)


@pytest.fixture
async def database(empty_url: str) -> AsyncIterator[Database]:
    database = Database(open_engine(empty_url))
    async with database.engine.begin() as connection:
        await connection.run_sync(NOTES.metadata.create_all)
    yield database
    await database.close()


def note(note_id: UUID, **changes: Any) -> dict[str, Any]:
    values = {"kind": "seen", "made_at": NOON, "content": {"a": [1, "ü"]}, "count": 2}
    return {"id": note_id, **values, **changes}


async def test_values_round_trip(database: Database) -> None:
    empty = {"made_at": None, "content": None}
    rows = [note(FIRST), note(SECOND, **empty), note(THIRD, kind="other")]
    async with database.write() as session:
        await ADD.run(session, rows)
        await ADD.run(session, [note(FIRST, count=99)])
        await ADD.run(session, [])
    async with database.read() as session:
        found = await FIND.fetch(session, ids=[FIRST, SECOND, THIRD], least=1)
        none = await FIND.fetch(session, ids=[], least=1)

    assert [dict(zip(COLUMNS, row, strict=True)) for row in found] == rows[:2]
    assert none == []


async def test_an_insert_says_how_many_rows_are_new(database: Database) -> None:
    def by_column(*rows: dict[str, Any]) -> dict[str, list[Any]]:
        return {name: [row[name] for row in rows] for name in COLUMNS}

    async with database.write() as session:
        counts = [
            await ADD.insert(session, by_column(*rows))
            for rows in (
                [note(FIRST), note(SECOND)],
                [note(SECOND), note(THIRD)],
                [note(THIRD), note(FIRST)],
                [],
            )
        ]
    assert counts == [2, 1, 0, 0]


async def test_each_execution_says_how_many_rows_it_changed(database: Database) -> None:
    rename = Prepared(
        lambda _: (
            update(NOTES)
            .where(NOTES.c.id == bindparam("note_id"), NOTES.c.kind == "seen")
            .values(kind=bindparam("new_kind"))
        )
    )
    async with database.write() as session:
        await ADD.run(session, [note(FIRST), note(SECOND, kind="other"), note(THIRD)])
        counts = await rename.count_changes(
            session,
            [{"note_id": each, "new_kind": "kept"} for each in (FIRST, SECOND, THIRD, FIRST)],
        )
        assert await rename.count_changes(session, []) == []
        kinds = (await session.execute(select(NOTES.c.kind).order_by(NOTES.c.id))).scalars().all()
    assert counts == [1, 0, 1, 0]
    assert kinds == ["kept", "other", "kept"]


async def test_equal_values_of_different_types_stay_apart(database: Database) -> None:
    contents: list[Any] = [[1], [True], [1.0], {"a": 1}, {"a": True}, None, None, [], {}]
    rows = [note(UUID(int=at), content=each) for at, each in enumerate(contents, start=1)]
    async with database.write() as session:
        await ADD.run(session, rows)
    async with database.read() as session:
        found = await FIND.fetch(session, ids=[row["id"] for row in rows], least=1)
    assert [repr(row[3]) for row in found] == list(map(repr, contents))


async def test_a_statement_that_fails_fails_the_transaction(database: Database) -> None:
    with pytest.raises(IntegrityError):
        async with database.write() as session:
            await ADD.run(session, [note(FIRST), note(SECOND, kind=None)])
    async with database.read() as session:
        assert await FIND.fetch(session, ids=[FIRST, SECOND], least=0) == []


async def test_a_column_without_values_raises(database: Database) -> None:
    incomplete = Prepared(_add, columns=["id", "kind"])
    async with database.write() as session:
        with pytest.raises(ValueError, match=r"No values for .*count"):
            await incomplete.run(session, [{"id": FIRST, "kind": "seen"}])


async def test_a_row_without_a_value_is_refused(database: Database) -> None:
    async with database.write() as session:
        incomplete = note(FIRST)
        del incomplete["content"]
        with pytest.raises(KeyError, match="content"):
            await ADD.run(session, [incomplete])


async def test_rows_become_objects_that_belong_to_no_session(database: Database) -> None:
    table = cast(Table, WorkerProcess.__table__)
    listed = PreparedEntities(
        WorkerProcess,
        lambda _: select(table).where(table.c.beat >= bindparam("least")).order_by(table.c.id),
    )
    values = {"kind": "server", "host": "h", "pid": 7, "version": "1", "started_at": NOON}
    rows = [
        {"id": each, "beat": beat, "seen_at": NOON, **values}
        for each, beat in ((FIRST, 1), (SECOND, 2), (THIRD, 3))
    ]
    async with database.engine.begin() as connection:
        await connection.run_sync(table.create)
    async with database.write() as session:
        await session.execute(insert(WorkerProcess), rows)
        found = await listed.fetch(session, least=2)
        assert await listed.find(session, least=4) is None
        first = await listed.find(session, least=1)
        assert first is not None
        first.host = "not stored"
    columns = [column.name for column in table.columns]
    assert [{name: getattr(each, name) for name in columns} for each in found] == rows[1:]
    assert [inspect(each).session for each in found] == [None, None]
    async with database.read() as session:
        assert (await session.get_one(WorkerProcess, FIRST)).host == "h"
