"""The engine's side: executes jobs until the server asks it to stop, or is gone."""

import asyncio
import os
import socket
from collections.abc import Mapping

from edison.app.engine.metrics import METRICS, read_metrics
from edison.app.engine.settings_transfer import receive_settings
from edison.app.engine.supervisor import PING, READY, STOP
from edison.app.hooks import install_hooks
from edison.app.logs import configure_logs
from edison.app.observability import watch_pool
from edison.app.work import running_jobs_here
from edison.app.worker import worker_tools
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.jobs.link import Handler, Link
from edison.jobs.linked import queue_handlers


async def work(connection: socket.socket) -> None:
    settings = receive_settings(connection)
    connection.setblocking(False)
    configure_logs(settings)
    install_hooks()
    engine = open_engine(
        settings.resolved_database_url,
        # Its few large reads are not urgent, and would leave the file in its memory.
        mapped_bytes=0,
        pool_size=settings.database_connections,
        wait_seconds=settings.database_wait_seconds,
    )
    watch_pool("engine", engine)
    database = Database(engine)
    is_stopping = asyncio.Event()

    async def stop(_content: None) -> None:
        is_stopping.set()

    async def answer(_content: None) -> bool:
        return True

    async with (
        # The server watches the schema, and stops this process, too.
        worker_tools(settings, database, is_stopping=is_stopping, watches_schema=False) as tools,
        running_jobs_here(tools, sweep_seconds=settings.sweep_seconds) as queue,
    ):
        handlers: Mapping[str, Handler] = {
            STOP: stop,
            PING: answer,
            METRICS: read_metrics,
            **queue_handlers(queue),
        }
        link = Link(database, handlers)
        linked = asyncio.create_task(link.run(connection))
        linked.add_done_callback(_end_at_once)
        await link.wait_until_open()
        link.tell(READY)
        await is_stopping.wait()
    linked.remove_done_callback(_end_at_once)
    await database.close()


def _end_at_once(_linked: "asyncio.Task[None]") -> None:
    """Without its server, as if both had been killed: the next one finds the work in the rows."""
    os._exit(1)
