"""Prepared statements on PostgreSQL when connections break or statements are cancelled."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import BigInteger, bindparam, func, select, text
from sqlalchemy.exc import DBAPIError

from edison.app.observability import watch_pool
from edison.app.tracing import Tracing
from edison.db import postgresql_driver
from edison.db.engine import open_engine
from edison.db.outages import is_outage
from edison.db.prepared import Prepared
from edison.db.session import Database
from tests.support.empty_databases import MakeDatabase

DOUBLE = Prepared(lambda _: select(bindparam("number", type_=BigInteger()) * 2))
SLEEP = Prepared(lambda _: select(func.pg_sleep(bindparam("seconds", type_=BigInteger()))))
BREAK = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture
def url(make_database: MakeDatabase) -> str:
    return make_database("postgresql")


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    database = Database(open_engine(url, pool_size=1))
    yield database
    await database.close()


async def fetch_one(database: Database, statement: Prepared, number: int) -> int:
    async with database.read() as session:
        ((found,),) = await statement.fetch(session, number=number)
    return int(found)


async def double(database: Database, number: int) -> int:
    return await fetch_one(database, DOUBLE, number)


def read_count() -> float:
    """How many statements were measured."""
    return REGISTRY.get_sample_value("edison_database_query_seconds_count") or 0.0


async def break_connections(database: Database) -> None:
    url = database.engine.url.render_as_string(hide_password=False)
    killer = open_engine(url, pooled=False)
    async with killer.connect() as connection:
        await connection.execute(BREAK)
    await killer.dispose()


async def test_a_lost_connection_is_an_outage_and_is_replaced(database: Database) -> None:
    async def lose() -> None:
        async with database.read() as session:
            await DOUBLE.fetch(session, number=1)
            await break_connections(database)
            await DOUBLE.fetch(session, number=1)

    with pytest.raises(DBAPIError) as lost:
        await lose()
    assert lost.value.connection_invalidated
    assert is_outage(lost.value)
    assert await double(database, 3) == 6


async def test_a_connection_that_was_lost_while_it_rested_is_noticed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await double(database, 2) == 4
    await break_connections(database)
    monkeypatch.setattr(postgresql_driver, "PING_AFTER_SECONDS", 0.0)
    assert await double(database, 3) == 6


async def test_a_connection_in_use_is_not_pinged(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    pings = []
    dialect = database.engine.sync_engine.dialect
    ping = dialect.do_ping
    monkeypatch.setattr(dialect, "do_ping", lambda each: pings.append(each) or ping(each))
    for number in range(3):
        assert await double(database, number) == 2 * number
    assert pings == []
    monkeypatch.setattr(postgresql_driver, "PING_AFTER_SECONDS", 0.0)
    assert await double(database, 4) == 8
    assert len(pings) == 1


async def test_statements_are_traced_and_measured_like_sqlalchemys(database: Database) -> None:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from opentelemetry.trace import StatusCode

    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    Tracing(provider).watch_database(database.engine)
    watch_pool("requests", database.engine)
    measured = read_count()
    assert await double(database, 7) == 14
    assert read_count() == measured + 1
    root = Prepared(lambda _: select(func.sqrt(bindparam("number", type_=BigInteger()))))
    with pytest.raises(DBAPIError, match="square root"):
        await fetch_one(database, root, -1)
    ended = spans.get_finished_spans()
    assert [(each.name, each.status.status_code) for each in ended] == [
        ("SELECT", StatusCode.UNSET),
        ("SELECT", StatusCode.ERROR),
    ]


async def test_a_cancelled_statement_leaves_the_pool_whole(database: Database) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2), database.read() as session:
            await SLEEP.fetch(session, seconds=60)
    assert await double(database, 5) == 10


async def test_an_error_of_a_statement_is_sqlalchemys_and_costs_no_connection(
    database: Database,
) -> None:
    root = Prepared(lambda _: select(func.sqrt(bindparam("number", type_=BigInteger()))))
    with pytest.raises(DBAPIError, match="square root of a negative number") as failed:
        await fetch_one(database, root, -1)
    assert not failed.value.connection_invalidated
    assert await double(database, 6) == 12
