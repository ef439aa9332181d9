"""The first engine of `edison serve`: a copy of the server, and how it ends."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from edison.app.engine.forked import ForkedProcess, fork_engine
from tests.app.engine.watching import engine_pids, until
from tests.support.commands import Running, running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Forks only on Linux.")

SERVE = ("--json", "serve", "--no-open", "--port", 0)


def wait_for_engine(data: Path, *, other_than: int | None = None) -> int:
    return int(until(lambda: engine_pids(data / "edison.db", other_than=other_than))[0])


def open_files(pid: int) -> set[str]:
    return {str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir()}


def command_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running("--data-dir", tmp_path, *SERVE, EDISON_ENGINE="process") as started:
        until(started.output)
        yield started
        with suppress(ProcessLookupError):
            started.send_signal(signal.SIGKILL)
        started.wait()


def test_it_holds_neither_the_sockets_nor_the_lock_of_the_server(
    server: Running, tmp_path: Path
) -> None:
    engine = wait_for_engine(tmp_path)
    assert command_of(engine) == command_of(server.pid)
    shared = open_files(engine) & open_files(server.pid)
    assert [name for name in shared if name.startswith("socket:") or name.endswith(".lock")] == []


def test_a_killed_one_is_followed_by_a_new_process(server: Running, tmp_path: Path) -> None:
    first = wait_for_engine(tmp_path)
    os.kill(first, signal.SIGKILL)
    second = wait_for_engine(tmp_path, other_than=first)
    assert "edison.app.engine" in command_of(second)
    assert f'"code":{-signal.SIGKILL}' in server.output(2)


def test_it_ends_with_a_stopped_server(server: Running, tmp_path: Path) -> None:
    engine = wait_for_engine(tmp_path)
    server.send_signal(signal.SIGTERM)
    assert server.wait().returncode in (0, -signal.SIGTERM)
    assert not Path(f"/proc/{engine}").exists()
    assert "killed" not in server.output(2)


def test_it_ends_with_a_killed_server_and_lets_the_next_one_start(
    server: Running, tmp_path: Path
) -> None:
    engine = wait_for_engine(tmp_path)
    server.send_signal(signal.SIGKILL)
    server.wait()
    with running("--data-dir", tmp_path, *SERVE) as second:
        assert until(lambda: second.output() or "already running" in second.output(2)) is not True
        second.send_signal(signal.SIGTERM)
        second.wait()
    until(lambda: not Path(f"/proc/{engine}").exists())


def test_a_process_with_threads_is_not_copied() -> None:
    may_end = threading.Event()
    thread = threading.Thread(target=may_end.wait)
    thread.start()
    try:
        assert fork_engine() is None
    finally:
        may_end.set()
        thread.join()


async def test_a_process_in_an_event_loop_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    assert fork_engine() is None


def child(script: str) -> ForkedProcess:
    return ForkedProcess(os.posix_spawn("/bin/sh", ["sh", "-c", script], {}))


async def test_the_exit_code_of_a_forked_process_is_kept() -> None:
    process = child("exit 3")
    assert await process.wait() == 3
    process.kill()
    assert await process.wait() == 3


async def test_a_forked_process_can_be_killed() -> None:
    process = child("exec /bin/sleep 600")
    process.kill()
    assert await process.wait() == -signal.SIGKILL
