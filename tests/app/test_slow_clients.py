"""Clients that begin a request and do not finish it, on real connections to a real server."""

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request

from edison.app.errors import install_error_handlers
from edison.app.middleware import body_timeout
from edison.app.middleware.body_timeout import BodyTimeout
from edison.db import migrate
from edison.settings import Settings
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import RunningServer, running_server
from tests.support.virtual_time import run_virtually

HALF_OPEN = 200
QUICKLY = {
    "edison.app.http_protocol:HEAD_SECONDS": 2.0,
    "edison.app.http_protocol:REST_SECONDS": 1.0,
    "edison.app.middleware.body_timeout:WINDOW_SECONDS": 2.0,
}
POST = (
    b"POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 1000\r\n"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("slow")
    settings = Settings(data_dir=folder, requests_per_minute=100_000, login_attempts=1000)
    asyncio.run(migrate.upgrade(settings.resolved_database_url, backup_dir=folder))
    with running_server(settings, overrides=QUICKLY) as running:
        yield running


def connect(server: RunningServer) -> socket.socket:
    host, _, port = server.url.rpartition("/")[2].partition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE_SECONDS)


def read_all(connection: socket.socket) -> bytes:
    """Reads until the server closes the connection."""
    received = b""
    try:
        while part := connection.recv(65536):
            received += part
    except ConnectionResetError:
        pass
    return received


def status_and_error(answer: bytes) -> tuple[int, dict[str, Any]]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"\r\n",
        b"G",
        b"GET / HTTP/1.1",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: 1",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n",
    ],
)
def test_half_sent_headers_do_not_block_requests_and_time_out(
    server: RunningServer, begun: bytes
) -> None:
    waiting = [connect(server) for _ in range(HALF_OPEN)]
    try:
        for connection in waiting:
            connection.sendall(begun)
        assert (
            httpx.get(f"{server.url}/api/v1/auth/config", timeout=PATIENCE_SECONDS).status_code
            == 200
        )
        answers = [read_all(connection) for connection in waiting]
    finally:
        for connection in waiting:
            connection.close()
    if not begun.strip():
        return
    for answer in answers:
        status, error = status_and_error(answer)
        assert (status, error["code"]) == (408, "TIMEOUT")
        assert set(error) == {"code", "message", "details", "path", "timestamp", "traceId"}


@pytest.mark.parametrize(
    "begun",
    [POST + b"\r\n", POST + b'\r\n{"email": ', POST.replace(b"1000", b"1") + b"\r\n"],
)
def test_half_sent_bodies_are_answered_with_408(server: RunningServer, begun: bytes) -> None:
    waiting = [connect(server) for _ in range(20)]
    for connection in waiting:
        connection.sendall(begun)
    for connection in waiting:
        with connection:
            status, error = status_and_error(read_all(connection))
            assert (status, error["code"]) == (408, "TIMEOUT")
            assert error["traceId"]


def test_a_chunked_body_without_an_end_is_answered_with_408(server: RunningServer) -> None:
    head = POST.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked") + b"\r\n"
    with connect(server) as connection:
        connection.sendall(head + b"5\r\n{\r\n\r\n\r\n")
        assert status_and_error(read_all(connection))[0] == 408


def test_a_second_request_has_a_deadline_as_well(server: RunningServer) -> None:
    with connect(server) as connection:
        connection.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET /api/health HTTP/1.1\r\nHo")
        assert b"408 Request Timeout" in read_all(connection)


def test_an_unread_request_body_does_not_keep_the_connection_open(server: RunningServer) -> None:
    """The page does not read the body; the response is sent before its end."""
    with connect(server) as connection:
        connection.sendall(
            b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
        )
        assert read_all(connection).startswith(b"HTTP/1.1 200")


def test_endless_request_headers_are_refused(server: RunningServer) -> None:
    with connect(server) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * 100_000)
        status, error = status_and_error(read_all(connection))
        assert (status, error["code"]) == (431, "HEADERS_TOO_LARGE")


@pytest.mark.parametrize(
    ("target", "host", "status"),
    [
        (b"http://evil.example/api/v1/auth/config", b"localhost", 421),
        (b"http://localhost/api/v1/auth/config", b"evil.example", 200),
        (b"http://localhost:80/api/v1/auth/config", b"localhost", 200),
        (b"http://evil@localhost/api/v1/auth/config", b"localhost", 421),
        (b"/api/v1/auth/config", b"evil.example", 421),
        (b"//evil.example/api/v1/auth/config", b"evil.example", 421),
    ],
)
def test_a_target_in_absolute_form_names_the_host(
    server: RunningServer, target: bytes, host: bytes, status: int
) -> None:
    with connect(server) as connection:
        request = b"GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
        connection.sendall(request % (target, host))
        assert read_all(connection).split()[1] == str(status).encode()


class Upload:
    """An application that takes a body, and a client that sends it in pieces."""

    def __init__(self, *, piece: int, pieces: int, pause_seconds: float, busy_seconds: float = 0):
        self.app = FastAPI()
        install_error_handlers(self.app)
        self.app.add_middleware(BodyTimeout)
        self._left = pieces
        self._piece = piece
        self._pause_seconds = pause_seconds
        self.status = 0

        @self.app.post("/")
        async def take(request: Request) -> int:
            size = 0
            async for part in request.stream():
                size += len(part)
                await asyncio.sleep(busy_seconds)
            return size

    async def _receive(self) -> Any:
        await asyncio.sleep(self._pause_seconds)
        self._left -= 1
        return {"type": "http.request", "body": b"x" * self._piece, "more_body": self._left > 0}

    async def _send(self, message: Any) -> None:
        self.status = message.get("status", self.status)

    async def run(self) -> int:
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "path": "/",
            "query_string": b"",
            "headers": [(b"transfer-encoding", b"chunked")],
        }
        await self.app(scope, self._receive, self._send)
        return self.status


@pytest.mark.parametrize(
    ("upload", "expected"),
    [
        # 10 MB at 56 kbit/s take 25 minutes.
        ({"piece": 7_000, "pieces": 1500, "pause_seconds": 1}, 200),
        # A link that is down from time to time.
        ({"piece": 65_536, "pieces": 20, "pause_seconds": 14}, 200),
        # A server that is itself slow.
        ({"piece": 10, "pieces": 50, "pause_seconds": 0.1, "busy_seconds": 60}, 200),
        # One byte at a time.
        ({"piece": 1, "pieces": 1000, "pause_seconds": 1}, 408),
        ({"piece": 1, "pieces": 1000, "pause_seconds": 14}, 408),
        ({"piece": 100, "pieces": 1000, "pause_seconds": 1}, 408),
        ({"piece": 100, "pieces": 2, "pause_seconds": 16}, 408),
    ],
)
def test_slow_uploads_are_accepted_while_they_make_progress(
    upload: dict[str, Any], expected: int
) -> None:
    assert (body_timeout.WINDOW_SECONDS, body_timeout.WINDOW_BYTES) == (15, 4096)
    assert run_virtually(Upload(**upload).run()) == expected


def test_a_websocket_handshake_is_answered_like_another_request(server: RunningServer) -> None:
    with connect(server) as connection:
        connection.sendall(
            b"GET /api/v1/auth/config HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
            b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YQ==\r\n\r\n"
        )
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
