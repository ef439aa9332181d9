"""Calls the `edison` command as scripts do: arguments in, exit code and output out."""

import importlib
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from edison.cli.main import main as edison
from tests.support.patience import PATIENCE_SECONDS
from tests.support.zygote import ZYGOTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    returncode: int
    stdout: str
    stderr: str


class Running:
    """A command in a separate process."""

    def __init__(self, process: ForkServerProcess, folder: Path) -> None:
        self._process, self._folder = process, folder
        process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def send_signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def output(self, descriptor: int = 1) -> str:
        """What it has printed so far."""
        printed = self._folder / str(descriptor)
        return printed.read_text() if printed.exists() else ""

    def wait(self) -> Ended:
        process, folder = self._process, self._folder
        process.join(PATIENCE_SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise AssertionError(f"It did not end: {(folder / '2').read_text()}")
        return Ended(
            returncode=process.exitcode,
            stdout=(folder / "1").read_text(),
            stderr=(folder / "2").read_text(),
        )


def running(
    *arguments: object, stdin: str = "", **environment: str
) -> AbstractContextManager[Running]:
    """In a separate process that has only these settings. A server has no engine process unless
    they say so: it takes seconds to start.
    """
    given = {"EDISON_ENGINE": "inline", **environment}
    return _running(None, arguments, stdin=stdin, environment=given)


def run(*arguments: object, stdin: str = "", **environment: str) -> Ended:
    """In a separate process that has only these settings."""
    with running(*arguments, stdin=stdin, **environment) as started:
        return started.wait()


def run_killed_at(
    point: str, times: int, *arguments: object, environment: Mapping[str, str]
) -> Ended:
    """Killed with SIGKILL at the n-th call of a function, named like `edison.db.sealed:update`."""
    with _running((point, times), arguments, stdin="", environment=environment) as started:
        return started.wait()


def set_environment(given: Mapping[str, str]) -> None:
    """Replaces the settings of this process."""
    for name in [name for name in os.environ if name.startswith("EDISON_")]:
        del os.environ[name]
    os.environ |= given


def connect_streams(files: Mapping[int, Path]) -> None:
    """Replaces standard streams of this process: 0 is read, 1 and 2 are appended to."""
    for descriptor, path in files.items():
        with path.open("a" if descriptor else "r") as file:
            os.dup2(file.fileno(), descriptor)
    # Python's own streams would keep a reference to the first ones.
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(descriptor, "w" if descriptor else "r", closefd=False) for descriptor in range(3)
    )


@contextmanager
def _running(
    killed_at: tuple[str, int] | None,
    arguments: Sequence[object],
    *,
    stdin: str,
    environment: Mapping[str, str],
) -> Iterator[Running]:
    with tempfile.TemporaryDirectory() as told:
        folder = Path(told)
        (folder / "0").write_text(stdin)
        given = ([str(each) for each in arguments], environment, folder, killed_at)
        yield Running(ZYGOTE.Process(target=_call, args=given), folder)


def _call(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    killed_at: tuple[str, int] | None,
) -> None:
    connect_streams({descriptor: folder / str(descriptor) for descriptor in range(3)})
    set_environment(environment)
    if killed_at is not None:
        _kill_at(*killed_at)
    sys.argv = ["edison", *arguments]
    try:
        edison()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _kill_at(point: str, times: int) -> None:
    module_name, _, path = point.partition(":")
    *way, name = path.split(".")
    holder: Any = importlib.import_module(module_name)
    for part in way:
        holder = getattr(holder, part)
    real = getattr(holder, name)
    left = times

    def deadly(*arguments: Any, **options: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments, **options)

    setattr(holder, name, deadly)
