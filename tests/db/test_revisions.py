"""Every revision upgrades a database that has a row in every table."""

import json
import re
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    MetaData,
    Table,
    delete,
    func,
    insert,
    inspect,
    select,
    table,
    text,
)

from edison.db import migrate
from edison.db.engine import open_engine

SCRIPT = migrate.revisions()
REVISIONS = [each.revision for each in reversed(list(SCRIPT.walk_revisions()))]
ID = UUID("01a1dddc-16a0-7ee4-bf6e-63224ee4f564")
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
# JSON may hold any object.
VALUES: dict[type, Any] = {
    UUID: ID,
    object: {},
    bool: True,
    int: 1,
    float: 0.5,
    str: "x",
    bytes: b"x",
    date: MOMENT.date(),
}
# Where a constraint compares two columns.
LATER = {"end_position": 2}


def fill(connection: Connection) -> dict[str, int]:
    """Adds a row to every table; returns the number of rows of each."""
    found = MetaData()
    found.reflect(connection)
    counts = {}
    for each in found.sorted_tables:
        if each.name != "alembic_version":
            allowed = allowed_texts(connection, each)
            row = {
                column.name: value_for(column, allowed)
                for column in each.columns
                if not column.nullable
            }
            connection.execute(insert(each).values(row))
            counts[each.name] = 1
    return counts


def value_for(column: Column[Any], allowed: dict[str, str]) -> Any:
    if column.name in allowed:
        return allowed[column.name]
    if str(column.type) == "CHAR(32)":
        # The format in which SQLite stores identifiers.
        return ID.hex
    if isinstance(column.type, DateTime):
        return MOMENT if column.type.timezone else MOMENT.replace(tzinfo=None)
    return LATER.get(column.name, VALUES[column.type.python_type])


def allowed_texts(connection: Connection, limited: Table) -> dict[str, str]:
    """The first allowed text of each column that a constraint limits to certain texts."""
    allowed = {}
    for constraint in inspect(connection).get_check_constraints(limited.name):
        rule = constraint["sqltext"]
        if literals := re.findall(r"'([^']*)'", rule):
            for column in limited.columns:
                if re.search(rf"\b{column.name}\b", rule.replace(f"'{column.name}'", "")):
                    allowed[column.name] = literals[0]
    return allowed


def count(connection: Connection, tables: set[str]) -> dict[str, int]:
    return {
        name: connection.scalar(select(func.count()).select_from(table(name))) or 0
        for name in tables
    }


def clear(connection: Connection) -> None:
    names = [name for name in inspect(connection).get_table_names() if name != "alembic_version"]
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"TRUNCATE {', '.join(names)}"))
    else:
        for name in names:
            connection.execute(delete(table(name)))


async def test_each_revision_keeps_every_row_of_the_one_before(empty_url: str) -> None:
    """All in one pass, as each revision needs the ones before it."""
    engine = open_engine(empty_url, pooled=False, foreign_keys=False)
    for revision in REVISIONS:
        async with engine.begin() as connection:
            held = await connection.run_sync(fill)
        async with migrate.changing_schema(engine) as connection:
            await connection.run_sync(migrate.apply, SCRIPT, revision)
        async with engine.begin() as connection:
            assert await connection.run_sync(count, set(held)) == held, revision
            await connection.run_sync(clear)
    await engine.dispose()


async def test_comparisons_on_held_out_cases_without_a_look_are_removed(empty_url: str) -> None:
    stored = {"train_score": 0.5, "holdout_change": {"verdict": "better"}, "against_first": {}}
    engine = open_engine(empty_url, pooled=False, foreign_keys=False)
    async with migrate.changing_schema(engine) as connection:
        await connection.run_sync(migrate.apply, SCRIPT, "0020")
    async with engine.begin() as connection:
        await connection.run_sync(fill)
        await connection.run_sync(set_metrics, stored)
    async with migrate.changing_schema(engine) as connection:
        await connection.run_sync(migrate.apply, SCRIPT, "0021")
    async with engine.begin() as connection:
        found = await connection.scalar(text("SELECT metrics FROM iterations"))
    kept = json.loads(found) if isinstance(found, str) else found
    assert kept == {"train_score": 0.5, "against_first": None}
    await engine.dispose()


async def test_suggested_texts_become_changes_of_the_main_text(empty_url: str) -> None:
    engine = open_engine(empty_url, pooled=False, foreign_keys=False)
    async with migrate.changing_schema(engine) as connection:
        await connection.run_sync(migrate.apply, SCRIPT, "0024")
    async with engine.begin() as connection:
        await connection.run_sync(fill)
        await connection.execute(
            text("UPDATE suggestions SET text = :said"), {"said": "Say “{{x}}”"}
        )
    async with migrate.changing_schema(engine) as connection:
        await connection.run_sync(migrate.apply, SCRIPT, "0026")
    async with engine.begin() as connection:
        found = await connection.scalar(text("SELECT parts FROM suggestions"))
    assert (json.loads(found) if isinstance(found, str) else found) == {"text": "Say “{{x}}”"}
    await engine.dispose()


def set_metrics(connection: Connection, metrics: dict[str, Any]) -> None:
    connection.execute(
        text("UPDATE iterations SET metrics = :metrics"), {"metrics": json.dumps(metrics)}
    )
