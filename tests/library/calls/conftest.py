"""A credential in a database of each kind, and processes that call with it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

import pytest
from sqlalchemy import func, select

from edison.app.tables import metadata
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.jobs import heartbeat
from edison.jobs.batch_writer import BatchWriter
from edison.jobs.lifecycle import process_lifecycle
from edison.jobs.models import WorkerProcess
from edison.kit import clock, ids
from edison.library.calls.models import LaneShare
from edison.library.calls.shares import Lane, Share, Shares
from edison.workspace.credentials.models import Credential
from edison.workspace.projects.models import Project
from tests.support.empty_databases import empty_url, make_database, postgres_server

__all__ = ["empty_url", "make_database", "postgres_server"]


@dataclass(kw_only=True)
class Caller:
    """State of one Edison process while it runs."""

    database: Database
    batch_writer: BatchWriter
    shares: Shares
    share: Share


@dataclass(kw_only=True)
class Installation:
    url: str
    database: Database
    credential_id: UUID

    @asynccontextmanager
    async def caller(self, *, limit: int = 8) -> AsyncIterator[Caller]:
        async with AsyncExitStack() as ending:
            database = Database(open_engine(self.url))
            ending.push_async_callback(database.close)
            database.listen()
            batch_writer = await ending.enter_async_context(
                process_lifecycle(database, kind="worker")
            )
            shares = Shares(database, batch_writer.heartbeat, limit=limit)
            ending.push_async_callback(shares.close)
            share = shares.of(Lane(credential_id=self.credential_id), service="OpenAI")
            yield Caller(database=database, batch_writer=batch_writer, shares=shares, share=share)

    async def slots(self) -> dict[UUID, int]:
        async with self.database.read() as session:
            found = await session.execute(select(LaneShare.process_id, LaneShare.slots))
            return {process_id: slots for process_id, slots in found}

    async def taken(self) -> int:
        async with self.database.read() as session:
            return await session.scalar(select(func.coalesce(func.sum(LaneShare.slots), 0))) or 0


async def make_credential(database: Database) -> UUID:
    now = clock.now()
    project = Project(id=ids.new_id(), slug="mine", name="Mine", created_at=now, updated_at=now)
    credential = Credential(
        id=ids.new_id(),
        project_id=project.id,
        provider="sim",
        label="Shared",
        settings={},
        secrets={},
        is_default=True,
        created_at=now,
        updated_at=now,
    )
    async with database.write() as session:
        session.add(project)
        await session.flush()
        session.add(credential)
    return credential.id


@pytest.fixture
async def installation(
    empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Installation]:
    """The hooks for dead processes are left out: their tables do not exist."""
    monkeypatch.setattr(heartbeat.on_lost, "listeners", ())
    database = Database(open_engine(empty_url))
    async with database.engine.begin() as connection:
        for table in (Project, Credential, WorkerProcess, LaneShare):
            await connection.run_sync(metadata.tables[table.__tablename__].create)
    credential_id = await make_credential(database)
    yield Installation(url=empty_url, database=database, credential_id=credential_id)
    await database.close()
