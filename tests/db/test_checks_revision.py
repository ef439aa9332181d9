"""The revision that writes the checks of ledger entries and outputs in another way."""

import sqlite3
from collections.abc import AsyncIterator
from typing import Any

import pytest
from alembic.config import Config
from sqlalchemy import Connection, column, event, inspect, select, table, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from edison.db import migrate
from edison.db.engine import open_engine
from tests.db.test_revisions import SCRIPT, fill

CHECKS = {"ledger_entries": ("state", "reserved"), "outputs": ("status", "ok")}
LISTS = {
    "ledger_entries": "state IN ('reserved', 'settled', 'released', 'unconfirmed')",
    "outputs": "status IN ('ok', 'error', 'malformed')",
}


@pytest.fixture
async def engine(empty_url: str) -> AsyncIterator[AsyncEngine]:
    """Of a database with a row in every table, before the revision."""
    engine = open_engine(empty_url, pooled=False, foreign_keys=False)
    async with migrate.changing_schema(engine) as connection:
        await connection.run_sync(migrate.apply, SCRIPT, "0037")
    async with engine.begin() as connection:
        await connection.run_sync(fill)
    yield engine
    await engine.dispose()


async def upgrade(engine: AsyncEngine) -> None:
    async with migrate.changing_schema(engine) as connection:
        await connection.run_sync(migrate.apply, SCRIPT, "0038")


def downgrade(connection: Connection) -> None:
    from alembic import command

    config = Config()
    config.set_main_option("script_location", "edison:migrations")
    config.attributes |= {"connection": connection, "creates_schema": False}
    command.downgrade(config, "0037")


def checks(connection: Connection) -> dict[str, str]:
    """The texts of the checks."""
    return {
        each: check["sqltext"]
        for each, (field, _) in CHECKS.items()
        for check in inspect(connection).get_check_constraints(each)
        if check["name"] == f"ck_{each}_{field}"
    }


def values(connection: Connection) -> dict[str, str | None]:
    return {
        each: connection.scalar(select(column(field)).select_from(table(each)))
        for each, (field, _) in CHECKS.items()
    }


async def is_refused(engine: AsyncEngine, name: str, field: str, value: str) -> bool:
    changing = update(table(name, column(field))).values({field: value})
    try:
        async with engine.begin() as connection:
            await connection.execute(changing)
    except IntegrityError:
        return True
    return False


async def test_the_checks_still_hold_and_no_row_is_lost(engine: AsyncEngine) -> None:
    await upgrade(engine)
    async with engine.connect() as connection:
        assert await connection.run_sync(values) == {"ledger_entries": "reserved", "outputs": "ok"}
        assert "IN" not in "".join((await connection.run_sync(checks)).values())
        if engine.dialect.name == "sqlite":
            assert await connection.scalar(text("PRAGMA integrity_check")) == "ok"
    refused = [
        await is_refused(engine, each, field, value)
        for each, (field, allowed) in CHECKS.items()
        for value in ("unknown", allowed)
    ]
    assert refused == [True, False, True, False]


async def builds_an_index(connection: AsyncConnection) -> bool:
    steps = await connection.execute(text("EXPLAIN INSERT INTO outputs DEFAULT VALUES"))
    return "OpenEphemeral" in {step[1] for step in steps}


async def test_every_connection_uses_the_new_checks_at_once(engine: AsyncEngine) -> None:
    if engine.dialect.name != "sqlite":
        pytest.skip("PostgreSQL builds no index.")
    async with engine.execution_options(writes=False).connect() as other:
        await other.run_sync(values)
        await other.rollback()
        async with migrate.changing_schema(engine) as connection:
            await connection.run_sync(migrate.apply, SCRIPT, "0038")
            assert not await builds_an_index(connection)
        # Explaining a statement does not look whether the schema has changed.
        await other.run_sync(values)
        assert not await builds_an_index(other)


async def test_the_revision_can_be_taken_back(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        before = await connection.run_sync(checks)
    await upgrade(engine)
    async with migrate.changing_schema(engine) as connection:
        await connection.run_sync(downgrade)
    async with engine.connect() as connection:
        assert await connection.run_sync(checks) == before
        assert await connection.run_sync(values) == {"ledger_entries": "reserved", "outputs": "ok"}


async def test_an_upgrade_that_fails_changes_no_check(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        before = await connection.run_sync(checks)
    async with engine.connect() as connection:
        await connection.run_sync(migrate.apply, SCRIPT, "0038")
        await connection.rollback()
    async with engine.connect() as connection:
        assert await connection.run_sync(checks) == before


async def test_a_protected_schema_keeps_its_checks(engine: AsyncEngine) -> None:
    """As SQLite's option SQLITE_DBCONFIG_DEFENSIVE protects it, which Python 3.11 cannot set."""
    if engine.dialect.name != "sqlite":
        pytest.skip("Only SQLite stores its schema as text.")

    def protect(action: int, name: str | None, value: str | None, *_: Any) -> int:
        is_meant = (action, name, value) == (sqlite3.SQLITE_PRAGMA, "writable_schema", "ON")
        return sqlite3.SQLITE_IGNORE if is_meant else sqlite3.SQLITE_OK

    @event.listens_for(engine.sync_engine, "connect")
    def _protect(connection: Any, _record: object) -> None:
        connection._connection._conn.set_authorizer(protect)

    await upgrade(engine)
    async with engine.connect() as connection:
        assert await connection.run_sync(checks) == LISTS
    assert await is_refused(engine, "outputs", "status", "unknown")
