"""Worker processes with limits enforced by the operating system, for work that cannot be bounded
beforehand.

A worker handles one request at a time. The system ends a worker that exceeds its CPU time or
memory, and a worker that does not answer in time is killed; the next request starts a new one. One
thread per worker waits for it, so the event loop never blocks. Workers get an empty environment, so
they have no access to secrets.
"""

import atexit
import os
import select
import subprocess
import sys
import time
from asyncio import get_running_loop
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any

import orjson

PROCESSOR_SECONDS = 2
MEMORY_BYTES = 256 * 2**20
# Wall-clock time: on a busy machine a worker waits for the CPU.
LONGEST_WAIT_SECONDS = 20.0
_WORKERS = 2
# A worker never returns the memory of its largest request.
_QUESTIONS_PER_WORKER = 500
_HEADER_BYTES = 4
_MODULE = "edison.pipeline.score.sandbox.limited_worker"


class LimitExceeded(Exception):
    """The work took too much time or memory. The message is a sentence for users."""

    def __init__(self) -> None:
        super().__init__("This took too much time or memory and was stopped.")


class LimitedWorkers:
    """Pool of processes, started on demand and reused."""

    def __init__(self, workers: int = _WORKERS) -> None:
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="limited")
        self._idle: SimpleQueue[_Worker] = SimpleQueue()

    async def ask(self, question: Any) -> Any:
        """Sends a JSON value to a worker and returns its JSON answer. Raises LimitExceeded."""
        return await get_running_loop().run_in_executor(self._threads, self.ask_here, question)

    def ask_here(self, question: Any) -> Any:
        """Blocking version of `ask`. Raises LimitExceeded."""
        worker = self._take()
        try:
            answer = worker.ask(orjson.dumps(question))
        except (OSError, EOFError, TimeoutError) as ended:
            worker.end()
            raise LimitExceeded from ended
        if worker.questions < _QUESTIONS_PER_WORKER:
            self._idle.put(worker)
        else:
            worker.end()
        return orjson.loads(answer)

    def _take(self) -> "_Worker":
        while True:
            try:
                worker = self._idle.get_nowait()
            except Empty:
                return _Worker()
            if worker.is_alive():
                return worker
            worker.end()

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        while True:
            try:
                self._idle.get_nowait().end()
            except Empty:
                return


class _Worker:
    def __init__(self) -> None:
        self.questions = 0
        self._process = subprocess.Popen(  # noqa: S603 - starts this program itself
            [sys.executable, "-I", "-m", _MODULE, str(PROCESSOR_SECONDS), str(MEMORY_BYTES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            bufsize=0,
            start_new_session=True,
        )

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, question: bytes) -> bytes:
        """Raises OSError, EOFError or TimeoutError when the worker ends without an answer."""
        self.questions += 1
        ends = time.monotonic() + LONGEST_WAIT_SECONDS
        assert self._process.stdin  # noqa: S101 - opened as a pipe
        assert self._process.stdout  # noqa: S101 - opened as a pipe
        os.set_blocking(self._process.stdin.fileno(), False)
        self._write(len(question).to_bytes(_HEADER_BYTES) + question, ends)
        size = int.from_bytes(self._read(_HEADER_BYTES, ends))
        return self._read(size, ends)

    def _write(self, data: bytes, ends: float) -> None:
        assert self._process.stdin  # noqa: S101 - opened as a pipe
        pipe = self._process.stdin.fileno()
        view = memoryview(data)
        while view:
            _wait(lambda left: select.select([], [pipe], [], left)[1], ends)
            view = view[os.write(pipe, view[:65_536]) :]

    def _read(self, size: int, ends: float) -> bytes:
        assert self._process.stdout  # noqa: S101 - opened as a pipe
        pipe = self._process.stdout.fileno()
        data = b""
        while len(data) < size:
            _wait(lambda left: select.select([pipe], [], [], left)[0], ends)
            chunk = os.read(pipe, size - len(data))
            if not chunk:
                raise EOFError
            data += chunk
        return data

    def end(self) -> None:
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()


def _wait(is_ready: Callable[[float], Any], ends: float) -> None:
    left = ends - time.monotonic()
    if left <= 0 or not is_ready(left):
        raise TimeoutError


@cache
def limited_workers() -> LimitedWorkers:
    """The workers of this process."""
    workers = LimitedWorkers()
    atexit.register(workers.close)
    return workers
