"""The engine process of a real server: its start, its death and its end."""

import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from edison.settings import Settings
from tests.app.engine.watching import engine_pids, until
from tests.support.server import RunningServer, running_server


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Watched:
    def __init__(self, settings: Settings, server: RunningServer) -> None:
        assert settings.sqlite_path is not None
        self._path = settings.sqlite_path
        self.server = server

    def engine_pids(self) -> list[int]:
        return engine_pids(self._path)

    def wait_for_engine(self, *, other_than: int | None = None) -> int:
        pids = self.until(lambda: engine_pids(self._path, other_than=other_than))
        return int(pids[0])

    def until(self, look: Callable[[], Any]) -> Any:
        return until(look, explain=self.server.log.read_text)


@pytest.fixture
def watched(settings: Settings) -> Iterator[Watched]:
    own = settings.model_copy(update={"engine": "process"})
    with running_server(own) as server:
        yield Watched(own, server)


def test_a_killed_engine_is_replaced_and_its_row_removed_at_once(watched: Watched) -> None:
    first = watched.wait_for_engine()
    os.kill(first, signal.SIGKILL)
    second = watched.wait_for_engine(other_than=first)
    assert watched.engine_pids() == [second]
    assert "is started again" in watched.server.log.read_text()
    assert httpx.get(f"{watched.server.url}/api/health").status_code == 200


def test_the_engine_ends_with_a_killed_server(watched: Watched) -> None:
    engine = watched.wait_for_engine()
    watched.server.process.kill()
    watched.until(lambda: not is_running(engine))


def test_the_engine_leaves_before_a_stopped_server_ends(watched: Watched) -> None:
    engine = watched.wait_for_engine()
    watched.server.stop()
    assert not is_running(engine)
    assert watched.engine_pids() == []
    assert "killed" not in watched.server.log.read_text()


def test_an_engine_that_hangs_is_killed_and_replaced(settings: Settings) -> None:
    own = settings.model_copy(update={"engine": "process", "worker_silence_seconds": 6})
    quick = {"edison.app.engine.supervisor:PING_EVERY_SECONDS": 0.1}
    with running_server(own, overrides=quick) as server:
        watched = Watched(own, server)
        first = watched.wait_for_engine()
        os.kill(first, signal.SIGSTOP)
        watched.wait_for_engine(other_than=first)
        assert not is_running(first)
        assert "does not answer" in server.log.read_text()


@pytest.mark.parametrize("command", ["/bin/false", "/no/such/program"])
def test_a_server_whose_engine_cannot_run_answers_and_keeps_trying(
    settings: Settings, command: str
) -> None:
    own = settings.model_copy(update={"engine": "process"})
    broken = {"edison.app.engine.supervisor:COMMAND": (command,)}
    with running_server(own, overrides=broken) as server:
        until(lambda: server.log.read_text().count("is started again") >= 2)
        assert httpx.get(f"{server.url}/api/health").status_code == 200
        server.stop()


def test_metrics_of_the_server_include_the_engines(watched: Watched) -> None:
    watched.wait_for_engine()
    found = watched.until(lambda: _engine_pool(watched.server))
    assert found == ['edison_database_connections_most{pool="engine"} 20.0']


def _engine_pool(server: RunningServer) -> list[str]:
    exposed = httpx.get(f"{server.url}/metrics").text.splitlines()
    return [line for line in exposed if line.startswith('edison_database_connections_most{pool="e')]
