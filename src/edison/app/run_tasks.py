"""The tasks that executing runs needs, also inside a command."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import field
from functools import partial

from edison.db.session import Database
from edison.jobs.batch_writer import BatchWriter
from edison.jobs.embedded import EmbeddedQueue
from edison.jobs.job import Queue, Task, deliver
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import Gateway
from edison.runs.fill.chunk import FillTools
from edison.runs.fill.tasks import aggregate, fill, park, resume
from edison.runs.store import transitions
from edison.runs.store.live_text import LiveTextWriter
from edison.settings import Settings
from edison.workspace.credentials.vault import Vault
from edison.workspace.deliveries import dispatch
from edison.workspace.deliveries.tasks import deliver_messages
from edison.workspace.deliveries.transport import Transport


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTools:
    """Dependencies of tasks."""

    database: Database
    gateway: Gateway
    batch_writer: BatchWriter
    vault: Vault
    # Without settings no mails are sent.
    settings: Settings | None = None
    # Set when the process is about to stop: calls in progress may finish, new ones do not start.
    is_stopping: asyncio.Event = field(default_factory=asyncio.Event)


def run_tasks(tools: TaskTools) -> Mapping[str, Task]:
    filling = FillTools(
        database=tools.database,
        gateway=tools.gateway,
        batch_writer=tools.batch_writer,
        live_text_writer=LiveTextWriter(tools.database.broadcasts),
        is_stopping=tools.is_stopping,
    )
    return {
        transitions.FILL: fill(filling),
        transitions.AGGREGATE: aggregate(tools.database),
        transitions.RESUME: resume(tools.database),
        transitions.PARK: park(tools.database),
        dispatch.TASK: deliver_messages(tools.database, Transport.of(tools.vault, tools.settings)),
    }


@asynccontextmanager
async def running_own_runs(tools: TaskTools) -> AsyncIterator[Queue]:
    """Runs the runs that are started or resumed inside, on SQLite, and nothing else: work that a
    server left behind waits for the server.
    """
    queue = EmbeddedQueue(tools.database, run_tasks(tools))
    tools.database.after_commit = partial(deliver, queue)
    try:
        yield queue
    finally:
        tools.is_stopping.set()
        await queue.close()
