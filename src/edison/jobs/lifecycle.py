"""Process lifecycle: register, heartbeat, reap dead peers, deregister."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import structlog

from edison.db.current_schema import find_newer_revision, newest_revision
from edison.db.outages import is_outage
from edison.db.session import Database
from edison.jobs import heartbeat as heartbeats
from edison.jobs.batch_writer import BatchWriter
from edison.jobs.heartbeat import SILENCE_SECONDS, Heartbeat, Watch
from edison.jobs.models import ProcessKind

log = structlog.get_logger(__name__)

# Time limit for deregistering. Without it other processes reap the row after the silence.
LEAVE_SECONDS = 2.0


@asynccontextmanager
async def process_lifecycle(
    database: Database,
    *,
    kind: ProcessKind,
    silence_seconds: float = SILENCE_SECONDS,
    watches_schema: bool = True,
) -> AsyncIterator[BatchWriter]:
    """Registers the process for the duration of the context and yields its batch writer. The
    database may be unreachable at the start. With `watches_schema` the process stops when a newer
    Edison upgrades the database.
    """
    batch_writer = BatchWriter(database, Heartbeat(kind=kind, silence_seconds=silence_seconds))
    is_stopping = asyncio.Event()
    tasks: list[_Beating | _Watching | _SchemaWatch] = [
        _Beating(batch_writer),
        _Watching(database, batch_writer),
    ]
    if watches_schema and kind != "command":
        tasks.append(_SchemaWatch(database))
    keeping = [asyncio.create_task(_keep(what, is_stopping)) for what in tasks]
    try:
        yield batch_writer
    finally:
        is_stopping.set()
        await batch_writer.close()
        await asyncio.wait(keeping, timeout=LEAVE_SECONDS)
        for task in keeping:
            task.cancel()
        await asyncio.wait(keeping)
        if batch_writer.trouble is None:
            await _leave(database, batch_writer.heartbeat)


class _Beating:
    def __init__(self, batch_writer: BatchWriter) -> None:
        self._batch_writer = batch_writer
        self._last = -1

    async def once(self) -> None:
        """Increments the beat, unless another flush has since the last call."""
        heartbeat = self._batch_writer.heartbeat
        if heartbeat.beat in (0, self._last):
            await self._batch_writer.beat()
        self._last = heartbeat.beat


class _Watching:
    def __init__(self, database: Database, batch_writer: BatchWriter) -> None:
        self._database = database
        self._heartbeat = batch_writer.heartbeat
        self._watch = Watch(silence_seconds=self._heartbeat.silence_seconds)

    async def once(self) -> None:
        await heartbeats.remove_silent(self._database, self._watch, self._heartbeat.id)


class _SchemaWatch:
    """Stops the process after a later Edison upgraded the database: this one would write rows that
    the new schema does not expect.
    """

    def __init__(self, database: Database) -> None:
        self._engine = database.engine
        self._is_outdated = False

    async def once(self) -> None:
        if self._is_outdated:
            return
        revision = await find_newer_revision(self._engine)
        if revision is not None:
            self._is_outdated = True
            log.error(
                "The database was upgraded by a newer Edison, so this process stops. Install that "
                "version here too.",
                schema=revision,
                known_schema=newest_revision(),
            )
            # Same as an operator's SIGTERM: running calls are finished first.
            signal.raise_signal(signal.SIGTERM)


async def _keep(what: _Beating | _Watching | _SchemaWatch, is_stopping: asyncio.Event) -> None:
    """Runs `what.once` every `BEAT_SECONDS`. Stops between two calls, since cancelling while a
    connection is being opened is not safe.
    """
    while not is_stopping.is_set():
        try:
            await what.once()
        except Exception as failure:  # logged; the next call may succeed
            if not is_outage(failure):
                log.exception("heartbeat step failed", step=type(what).__name__)
        with suppress(TimeoutError):
            async with asyncio.timeout(heartbeats.BEAT_SECONDS):
                await is_stopping.wait()


async def _leave(database: Database, heartbeat: Heartbeat) -> None:
    try:
        async with asyncio.timeout(LEAVE_SECONDS):
            await heartbeats.remove(database, heartbeat.id)
    except Exception as failure:
        if not is_outage(failure):
            raise
        log.warning("process not deregistered", reason=type(failure).__name__)
