"""The revision that moves emails to deliveries keeps those that waited."""

from uuid import UUID, uuid4

from sqlalchemy import Connection, MetaData, Table, insert, select

from edison.db import migrate
from edison.db.engine import open_engine
from tests.db.test_revisions import SCRIPT, fill


def prepare(connection: Connection) -> UUID:
    """Adds notifications in every state of their email. Returns the one that waits."""
    fill(connection)
    table = Table("notifications", MetaData(), autoload_with=connection)
    usual = dict(connection.execute(select(table)).mappings().one())
    ids = {state: uuid4() for state in ("wanted", "sent", "failed")}
    is_text = isinstance(usual["id"], str)
    for state, key in ids.items():
        changed = {"id": key.hex if is_text else key, "email_state": state, "title": state}
        connection.execute(insert(table).values(usual | changed))
    return ids["wanted"]


def list_deliveries(connection: Connection) -> list[tuple[UUID, str, str, object]]:
    table = Table("deliveries", MetaData(), autoload_with=connection)
    return [
        (UUID(str(row["id"])), row["state"], row["channel"], row["payload"]["title"])
        for row in connection.execute(select(table)).mappings()
    ]


async def test_waiting_emails_become_deliveries(empty_url: str) -> None:
    engine = open_engine(empty_url, pooled=False, foreign_keys=False)
    async with migrate.changing_schema(engine) as connection:
        await connection.run_sync(migrate.apply, SCRIPT, "0020")
    async with engine.begin() as connection:
        waiting = await connection.run_sync(prepare)
    async with migrate.changing_schema(engine) as connection:
        await connection.run_sync(migrate.apply, SCRIPT, "0023")
    async with engine.connect() as connection:
        found = await connection.run_sync(list_deliveries)
    await engine.dispose()
    assert found == [(waiting, "waiting", "email", "wanted")]
