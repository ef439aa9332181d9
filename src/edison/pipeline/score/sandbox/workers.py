"""Runs programs in worker processes of Monty, an interpreter without files, without network and
with only harmless modules. Untrusted code never runs in Edison's process.

Each program gets a fresh interpreter with limits on time, memory, recursion and host calls; it
cannot sleep, and its random numbers are seeded. A worker that crashes or exceeds its time is killed
and replaced. One thread per worker waits for it, so the event loop never blocks; host functions run
in these threads.
"""

import atexit
import os
import time
from asyncio import get_running_loop
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from edison.pipeline.score.sandbox.host_functions import HostFunctions
from edison.pipeline.score.sandbox.program import (
    LONGEST_MESSAGE,
    LONGEST_PRINT,
    LONGEST_TIME_LIMIT_SECONDS,
    MEMORY_LIMIT_BYTES,
    MOST_HOST_CALLS,
    CodeProblem,
    ProblemKind,
    Program,
    ProgramResult,
)

if TYPE_CHECKING:
    from pydantic_monty import Monty, MontyError, MontySession, OSPolicy, ResourceLimits

_MOST_WORKERS = 4
_DEEPEST_CALL = 200
# A worker never returns the memory of its largest program.
_PROGRAMS_PER_WORKER = 1_000
# How far a program may exceed its time limit before its worker is killed.
_GRACE_SECONDS = 0.5
# The program's own stack frames; the expression after it is Edison's.
_CODE_FILE = "<python-input-0>"
# The sandbox's message for unsupported Python syntax.
_NOT_SUPPORTED = "The monty syntax parser does not yet support"

_UNAVAILABLE = (
    "Custom code is switched off: its sandbox does not start on this machine. The operator "
    "can install it with “pip install pydantic-monty”."
)


class SandboxUnavailable(Exception):
    """The sandbox does not run on this machine. The message is a sentence for users."""


class Sandbox:
    """Pool of worker processes, started on demand, with one waiting thread each."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="sandbox")
        self._opening = Lock()
        self._pool: Monty | None = None

    def start(self) -> "Monty":
        """Starts the pool on first use. Does not wait for running programs. Raises
        SandboxUnavailable.
        """
        with self._opening:
            if self._pool is None:
                self._pool = _start(self._workers)
            return self._pool

    async def run(self, program: Program) -> ProgramResult:
        """Raises SandboxUnavailable."""
        return await get_running_loop().run_in_executor(self._threads, self.run_here, program)

    def run_here(self, program: Program) -> ProgramResult:
        """Blocking version of `run`. Raises SandboxUnavailable."""
        pool = self.start()
        printing = _Printing()
        started = time.perf_counter()
        value, problem = _run(pool, program, printing)
        return ProgramResult(
            value=value,
            problem=problem,
            printed=printing.text,
            is_print_cut=printing.is_cut,
            seconds=time.perf_counter() - started,
        )

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
        with self._opening:
            if self._pool is not None:
                self._pool.__exit__(None, None, None)
                self._pool = None


@cache
def sandbox() -> Sandbox:
    """The sandbox of this process."""
    made = Sandbox(max(1, min(_MOST_WORKERS, os.cpu_count() or 1)))
    atexit.register(made.close)
    return made


def find_obstacle() -> str | None:
    """Why the sandbox is unavailable, as a sentence; None when it is available."""
    try:
        sandbox().start()
    except SandboxUnavailable as unavailable:
        return str(unavailable)
    return None


def _start(workers: int) -> "Monty":
    try:
        from pydantic_monty import Monty, MontyError
    except ImportError as missing:
        raise SandboxUnavailable(_UNAVAILABLE) from missing
    pool = Monty(
        min_processes=1,
        max_processes=workers,
        request_timeout=LONGEST_TIME_LIMIT_SECONDS + 2 * _GRACE_SECONDS,
        max_checkouts_per_worker=_PROGRAMS_PER_WORKER,
        feed_duration_limit_grace=_GRACE_SECONDS,
    )
    try:
        pool.__enter__()
        # A file that is not an interpreter starts as well, and fails only here.
        with pool.checkout() as session:
            session.feed_run("1")
    except (RuntimeError, OSError, MontyError) as wrong:
        raise SandboxUnavailable(_UNAVAILABLE) from wrong
    return pool


def _run(pool: "Monty", program: Program, printing: "_Printing") -> tuple[Any, CodeProblem | None]:
    from pydantic_monty import MontyError

    policy: OSPolicy = {"random_start": {"seed": 0}}
    try:
        with pool.checkout(limits=_limits(program), os_policy=policy) as session:
            return _feed(session, program, printing), None
    except MontyError as wrong:
        return None, _problem(wrong, program)


def _limits(program: Program) -> "ResourceLimits":
    return {
        "max_feed_duration_secs": program.time_limit_seconds,
        "max_memory": MEMORY_LIMIT_BYTES,
        "max_recursion_depth": _DEEPEST_CALL,
        "max_total_sleep_secs": 0,
        # A call can take two suspensions: one to look up the function's name, one to call it.
        "max_suspensions": 2 * MOST_HOST_CALLS,
    }


def _feed(session: "MontySession", program: Program, printing: "_Printing") -> Any:
    functions = cast(dict[str, Any], HostFunctions(program.time_limit_seconds).by_name())
    session.feed_run(
        sendable(program.code), external_lookup=functions, print_callback=printing.take
    )
    if program.expression is None:
        return None
    return session.feed_run(
        program.expression,
        inputs={name: sendable(value) for name, value in program.values.items()},
        external_lookup=functions,
        print_callback=printing.take,
    )


def sendable(value: Any) -> Any:
    """Replaces lone surrogates in all texts of a JSON value; the sandbox requires valid UTF-8."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {sendable(name): sendable(each) for name, each in value.items()}
    if isinstance(value, list):
        return [sendable(each) for each in value]
    return value


class _Printing:
    """Keeps the beginning of a program's printed output."""

    def __init__(self) -> None:
        self.text = ""
        self.is_cut = False

    def take(self, _stream: str, text: str) -> None:
        room = LONGEST_PRINT - len(self.text)
        self.is_cut = self.is_cut or len(text) > room
        self.text += text[:room]


def _problem(wrong: "MontyError", program: Program) -> CodeProblem:
    from pydantic_monty import MontyCrashedError, MontyRuntimeError, MontySyntaxError

    if isinstance(wrong, MontyCrashedError):
        if wrong.timed_out:
            return _too_slow(program)
        return CodeProblem(kind=ProblemKind.CRASHED, message="The code crashed the sandbox.")
    if not isinstance(wrong, MontyRuntimeError | MontySyntaxError):
        return CodeProblem(kind=ProblemKind.CRASHED, message="The code does not run here.")
    line, column = _place(wrong)
    inner = wrong.exception()
    said = str(inner)
    if isinstance(inner, TimeoutError) and said.startswith("feed time limit"):
        return _too_slow(program)
    if isinstance(inner, MemoryError):
        message = f"The code needs more than {MEMORY_LIMIT_BYTES // 2**20} MB of memory."
        return CodeProblem(kind=ProblemKind.MEMORY, message=message, line=line, column=column)
    if isinstance(inner, TimeoutError) and said.startswith("sleep limit"):
        said = "Code may not sleep."
    is_syntax = isinstance(wrong, MontySyntaxError) or said.startswith(_NOT_SUPPORTED)
    return CodeProblem(
        kind=ProblemKind.SYNTAX if is_syntax else ProblemKind.RAISED,
        message=_cut(f"{type(inner).__name__}: {said}" if said else type(inner).__name__),
        line=line,
        column=column,
    )


def _too_slow(program: Program) -> CodeProblem:
    message = f"The code took longer than {program.time_limit_seconds:g} s."
    return CodeProblem(kind=ProblemKind.TIME, message=message)


def _place(wrong: Any) -> tuple[int | None, int | None]:
    """Position in the program's own code: its innermost stack frame."""
    frames = [frame for frame in wrong.traceback() if frame.filename == _CODE_FILE]
    return (frames[-1].line, frames[-1].column) if frames else (None, None)


def _cut(message: str) -> str:
    return message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}…"
