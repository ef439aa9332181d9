"""A worker process for tests.

Each job writes that it began, waits as long as its payload says for this worker, and writes that
it ended.
"""

import asyncio
import signal
from collections.abc import Mapping
from multiprocessing.synchronize import Event
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.engine import open_engine
from edison.db.session import Database
from edison.jobs import dead
from edison.jobs.distributed import Worker, install


def run(url: str, name: str, ready: Event) -> None:
    asyncio.run(_work(url, name, ready))


async def _work(url: str, name: str, ready: Event) -> None:
    database = Database(open_engine(url))
    is_stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, is_stopping.set)

    async def note(what: str, job: str) -> None:
        async with database.engine.begin() as connection:
            await connection.execute(
                text("INSERT INTO notes (worker, job, what) VALUES (:worker, :job, :what)"),
                {"worker": name, "job": job, "what": what},
            )

    async def work(payload: Mapping[str, Any]) -> None:
        await note("begun", payload["job"])
        await asyncio.sleep(payload["seconds"].get(name, 0))
        await note("ended", payload["job"])

    async def fail(payload: Mapping[str, Any]) -> None:
        await note("failed", payload["job"])
        raise RuntimeError("as always")

    async def note_death(session: AsyncSession, payload: Mapping[str, Any], reason: str) -> None:
        await session.execute(
            text("INSERT INTO notes (worker, job, what) VALUES (:worker, :job, 'buried')"),
            {"worker": name, "job": payload["job"]},
        )

    dead.job_owners["fail"] = dead.JobOwner(on_dead=note_death)
    await install(database.engine)
    ready.set()
    await Worker(database, {"work": work, "fail": fail}, is_stopping=is_stopping).run()
    await database.close()
