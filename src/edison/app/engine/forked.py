"""The first engine process: a copy of the server, made before the server has threads.

It shares the memory of everything that is loaded and needs no time to load it. An engine that must
be started again is a new process, since by then the server has threads (see `supervisor`).
"""

import asyncio
import os
import signal
import socket
import sys
import threading
from typing import NoReturn

import structlog

from edison.app.engine.process import work
from edison.app.engine.stop_signals import STOP_SIGNALS, leave_stopping_to_server
from edison.app.engine.supervisor import StartedEngine
from edison.kit.event_loop import run
from edison.kit.memory import leave_existing_objects_alone

log = structlog.get_logger(__name__)

FIRST_OWN_DESCRIPTOR = 3


class ForkedProcess:
    """A child that this process did not start by a command."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def kill(self) -> None:
        # Its id may belong to another process once its end was noticed.
        if self._ended() is None:
            os.kill(self.pid, signal.SIGKILL)

    async def wait(self) -> int:
        while (code := self._ended()) is None:
            await _readable(os.pidfd_open(self.pid))
        return code

    def _ended(self) -> int | None:
        """Its exit code."""
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code


async def _readable(descriptor: int) -> None:
    """Waits until there is something to read, then closes the descriptor."""
    loop, is_readable = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, is_readable.set)
    try:
        await is_readable.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


def fork_engine() -> StartedEngine | None:
    """Call when everything is loaded. None where a process cannot be copied safely: with more than
    one thread, in an event loop, and on systems whose libraries do not allow for it.
    """
    if sys.platform != "linux" or threading.active_count() > 1 or _is_in_event_loop():
        return None
    # What is never scanned stays shared.
    leave_existing_objects_alone()
    sys.stdout.flush()
    own_end, its_end = socket.socketpair()
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        pid = os.fork()
        if pid == 0:
            _become_engine(its_end)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    its_end.close()
    return StartedEngine(ForkedProcess(pid), own_end)


def _is_in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _become_engine(connection: socket.socket) -> NoReturn:
    code = 1
    try:
        os.setsid()
        leave_stopping_to_server()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        _close_all_but(connection.fileno())
        run(work(connection))
        code = 0
    except BaseException:  # boundary: of this process
        log.exception("the engine process failed")
    finally:
        os._exit(code)


def _close_all_but(kept: int) -> None:
    """Held by the engine, the server's socket and its lock would outlive the server."""
    os.closerange(FIRST_OWN_DESCRIPTOR, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))
