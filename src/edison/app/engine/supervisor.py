"""The server's side: starts the engine process, restarts it when it dies, and stops it.

The process is a worker like those on PostgreSQL: its row, heartbeat and claims work the same. Since
its end is seen at once, its row is removed without waiting for its silence.
"""

import asyncio
import socket
import sys
import time
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Protocol

import structlog

from edison.app.engine.settings_transfer import send_settings
from edison.db.outages import is_outage
from edison.db.session import Database
from edison.jobs import heartbeat
from edison.jobs.link import Link
from edison.kit.lazy_dataclasses import dataclass
from edison.settings import Settings

log = structlog.get_logger(__name__)

COMMAND: Sequence[str] = (sys.executable, "-m", "edison.app.engine")
READY, STOP, PING = "ready", "stop", "ping"
# The engine finishes calls for five seconds, then stores results and deregisters.
STOP_SECONDS = 12.0
END_SECONDS = 5.0
PING_EVERY_SECONDS = 5.0
FIRST_RESTART_SECONDS = 0.2
LONGEST_RESTART_SECONDS = 15.0
# An engine that worked for this long did not die of its start.
STABLE_SECONDS = 30.0


class EngineProcess(Protocol):
    @property
    def pid(self) -> int: ...

    def kill(self) -> None: ...

    async def wait(self) -> int:
        """Its exit code."""


@dataclass(frozen=True, slots=True)
class StartedEngine:
    """A process that waits for its settings on the other end of the connection."""

    process: EngineProcess
    connection: socket.socket


@asynccontextmanager
async def running_engine(
    settings: Settings, database: Database, *, first: StartedEngine | None = None
) -> AsyncIterator[Link]:
    """Keeps an engine process running; yields the connection to it. `first` is the first one, if it
    is started already.
    """
    supervisor = _Supervisor(settings, database, first)
    keeping = asyncio.create_task(supervisor.keep_running(), name="engine supervisor")
    try:
        yield supervisor.link
    finally:
        supervisor.is_stopping.set()
        await keeping


class _Supervisor:
    def __init__(self, settings: Settings, database: Database, first: StartedEngine | None) -> None:
        self.link = Link(database, {READY: self._on_ready})
        self.is_stopping = asyncio.Event()
        self._settings = settings
        self._database = database
        self._is_ready = False
        self._first = first

    async def keep_running(self) -> None:
        delay = FIRST_RESTART_SECONDS
        while not self.is_stopping.is_set():
            started_at = time.monotonic()
            try:
                code = await self._run_once()
            except Exception:  # boundary: without an engine nothing would be executed any more
                log.exception("the engine process cannot be run")
                code = None
            if self.is_stopping.is_set():
                return
            if time.monotonic() - started_at >= STABLE_SECONDS:
                delay = FIRST_RESTART_SECONDS
            log.error("the engine process ended and is started again", code=code, retry_in=delay)
            with suppress(TimeoutError):
                async with asyncio.timeout(delay):
                    await self.is_stopping.wait()
            delay = min(delay * 2, LONGEST_RESTART_SECONDS)

    async def _run_once(self) -> int:
        """Runs a process until it ends; returns its exit code. Raises OSError if it cannot be
        started.
        """
        self._is_ready = False
        engine, self._first = self._first or await _start(), None
        process, own_end = engine.process, engine.connection
        watching = [
            asyncio.create_task(self._stop_when_asked(process)),
            asyncio.create_task(self._end_when_hung(process)),
        ]
        try:
            send_settings(own_end, self._settings)
            own_end.setblocking(False)
            await self.link.run(own_end)
            return await self._wait_for_end(process)
        finally:
            own_end.close()
            for task in watching:
                task.cancel()
            await asyncio.wait(watching)
            await self._remove_rows(process.pid)

    async def _wait_for_end(self, process: EngineProcess) -> int:
        """Call after the connection was closed, which the engine does last."""
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                return await process.wait()
        process.kill()
        return await process.wait()

    async def _on_ready(self, _content: None) -> None:
        """Readers may have missed wake-ups while there was no engine."""
        self._is_ready = True
        self._database.wakeups.wake_all()

    async def _stop_when_asked(self, process: EngineProcess) -> None:
        await self.is_stopping.wait()
        if self._is_ready:
            self.link.tell(STOP)
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS):
                    await process.wait()
                return
            log.warning("the engine process did not stop in time and is killed")
        process.kill()

    async def _end_when_hung(self, process: EngineProcess) -> None:
        """Kills a process that does not answer: by then others consider it dead."""
        patience = 2 * self._settings.worker_silence_seconds
        while True:
            await asyncio.sleep(PING_EVERY_SECONDS)
            with suppress(TimeoutError):
                await self.link.ask(PING, timeout_seconds=patience)
                continue
            log.error("the engine process does not answer and is killed", pid=process.pid)
            process.kill()
            return

    async def _remove_rows(self, pid: int) -> None:
        try:
            await heartbeat.remove_ended(self._database, pid)
        except Exception as failure:
            if not is_outage(failure):
                raise
            # Removed after its silence instead.
            log.warning("row of the engine not removed", reason=type(failure).__name__)


async def _start() -> StartedEngine:
    own_end, its_end = socket.socketpair()
    with its_end:
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            str(its_end.fileno()),
            pass_fds=[its_end.fileno()],
            stdin=DEVNULL,
            # Ctrl+C in a terminal reaches only the server, which then stops the engine.
            start_new_session=True,
        )
    return StartedEngine(process, own_end)
