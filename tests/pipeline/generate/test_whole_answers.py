"""Whole answers over kept connections: what servers may send, and how an exchange can end."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.generate import connection_pool
from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.fault import OutboundFailed, OutboundFault
from edison.pipeline.generate.http_connection import LARGEST_HEAD_BYTES, Ending, WholeAnswer
from edison.pipeline.generate.outbound import OutboundClient

LOOPBACK = NetworkPolicy(allow_loopback=True)
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Server:
    """Speaks raw bytes, and counts its connections."""

    def __init__(self) -> None:
        self.connections = 0
        self.requests: list[bytes] = []
        self.closed = asyncio.Event()

    async def next_request(self, reader: asyncio.StreamReader) -> bytes:
        head = await reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        request = head + await reader.readexactly(length)
        self.requests.append(request)
        return request


@asynccontextmanager
async def serving(*answers: bytes, closes: bool = False) -> AsyncIterator[tuple[Server, str]]:
    """Gives these answers in turn on each connection, then closes it if told so."""
    state = Server()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        state.connections += 1
        try:
            for answer in answers:
                await state.next_request(reader)
                writer.write(answer)
                await writer.drain()
            if not closes:
                await reader.read()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            state.closed.set()
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        port = server.sockets[0].getsockname()[1]
        yield state, f"http://127.0.0.1:{port}/chat"
    finally:
        server.close()


@asynccontextmanager
async def asking(max_response_bytes: int = 10_000) -> AsyncIterator[OutboundClient]:
    client = OutboundClient(LOOPBACK, max_response_bytes=max_response_bytes)
    try:
        yield client
    finally:
        await client.close()


async def post(client: OutboundClient, url: str, *, timeout_seconds: float = 20) -> WholeAnswer:
    head = client.head("POST", url, {"X-Key": "k"})
    return await client.fetch(head, b"{}", timeout_seconds=timeout_seconds)


async def answer_to(*answers: bytes, closes: bool = False) -> WholeAnswer:
    async with (
        serving(*answers, closes=closes) as (_, url),
        asking() as client,
    ):
        return await post(client, url)


async def eventually(is_so: Callable[[], bool]) -> None:
    for _ in range(2000):
        if is_so():
            return
        await asyncio.sleep(0.01)
    pytest.fail("This did not happen within 20 s.")


async def test_the_request_is_complete_and_the_connection_is_used_again() -> None:
    async with serving(OK, OK, OK) as (server, url), asking() as client:
        for _ in range(3):
            assert (await post(client, url)).content == b"ok"
        assert server.connections == 1
        host = url.removeprefix("http://").removesuffix("/chat").encode()
        assert server.requests[0] == (
            b"POST /chat HTTP/1.1\r\nHost: %b\r\nAccept: */*\r\nAccept-Encoding: identity\r\n"
            b"User-Agent: edison\r\nX-Key: k\r\nContent-Length: 2\r\n\r\n{}" % host
        )


async def test_requests_at_the_same_time_have_connections_of_their_own() -> None:
    async with serving(OK, OK) as (server, url), asking() as client:
        answers = await asyncio.gather(*(post(client, url) for _ in range(5)))
        assert [answer.content for answer in answers] == [b"ok"] * 5
        assert server.connections == 5
        await asyncio.gather(*(post(client, url) for _ in range(5)))
        assert server.connections == 5


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1\r\n!\r\n0\r\n\r\n",
            b"ok!",
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", b""),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK, b"ok"),
        (b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK, b"ok"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", b"ok"),
    ],
)
async def test_every_way_to_end_a_body_is_understood(answer: bytes, content: bytes) -> None:
    got = await answer_to(answer)
    assert got.content == content
    assert got.fault is None
    assert "link" not in got.headers


async def test_without_a_length_the_body_ends_with_the_connection() -> None:
    got = await answer_to(b"HTTP/1.1 200 OK\r\nX-Request-Id: r1\r\n\r\nall of it", closes=True)
    assert got == WholeAnswer(status=200, headers={"x-request-id": "r1"}, content=b"all of it")


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
async def test_an_answer_that_breaks_off_keeps_its_status(answer: bytes) -> None:
    got = await answer_to(answer, closes=True)
    assert got.status == 200
    assert got.fault is not None
    assert got.fault.fault is OutboundFault.BROKEN
    with pytest.raises(OutboundFailed):
        got.whole_content()


async def test_a_reset_does_not_complete_a_body_without_a_length() -> None:
    connection = connection_pool.HttpConnection("h", max_bytes=100)
    connection.connection_made(_Nowhere())
    endings: list[Ending] = []
    connection.ask(b"", endings.append)
    connection.data_received(b"HTTP/1.1 200 OK\r\n\r\nhalf")
    connection.connection_lost(ConnectionResetError())
    await asyncio.sleep(0)
    (ending,) = endings
    assert isinstance(ending, WholeAnswer)
    assert ending.fault is not None
    assert ending.fault.fault is OutboundFault.BROKEN


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"SSH-2.0-OpenSSH_9.7\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * LARGEST_HEAD_BYTES + b"\r\n",
    ],
)
async def test_without_a_readable_head_there_is_no_answer(answer: bytes) -> None:
    with pytest.raises(OutboundFailed) as failed:
        await answer_to(answer, closes=True)
    assert failed.value.fault is OutboundFault.BROKEN


@pytest.mark.parametrize(
    ("answers", "connections"),
    [
        ([b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"], 2),
        # An answer without a request must not become the answer of the next request.
        ([OK + b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad"], 2),
        ([OK + b"HTTP/1.1 2"], 2),
        ([OK, OK], 1),
    ],
)
async def test_a_connection_is_only_reused_when_it_is_clean(
    answers: list[bytes], connections: int
) -> None:
    async with serving(*answers) as (server, url), asking() as client:
        for _ in range(2):
            assert (await post(client, url)).content == b"ok"
        assert server.connections == connections


async def test_a_connection_that_the_server_closed_is_not_reused() -> None:
    async with serving(OK, closes=True) as (server, url), asking() as client:
        for expected in (1, 2, 3):
            assert (await post(client, url)).content == b"ok"
            assert server.connections == expected
            await eventually(lambda: not any(each.is_open for each in _idle(client)))


def _idle(client: OutboundClient) -> list[connection_pool.HttpConnection]:
    assert client._pool is not None
    return [each for kept in client._pool._kept.values() for each in kept.idle]


async def test_idle_connections_are_closed_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_pool, "KEEPALIVE_SECONDS", 0)
    async with serving(OK) as (server, url), asking() as client:
        await post(client, url)
        async with asyncio.timeout(20):
            await server.closed.wait()
        assert _idle(client) == []


@pytest.mark.parametrize("encoding", ["gzip", "GZip", "deflate"])
async def test_a_compressed_answer_is_unpacked(encoding: str) -> None:
    packed = gzip.compress(b"hello", mtime=0)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: %b\r\nContent-Length: %d\r\n\r\n"
    got = await answer_to(head % (encoding.encode(), len(packed)) + packed)
    assert got.content == b"hello"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [(b"gzip", gzip.compress(b"hello", mtime=0)[:-9]), (b"gzip", b"no"), (b"br", b"x")],
)
async def test_an_answer_that_cannot_be_unpacked_is_broken(encoding: bytes, body: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: %b\r\nContent-Length: %d\r\n\r\n"
    got = await answer_to(head % (encoding, len(body)) + body)
    assert got.fault is not None
    assert got.fault.fault is OutboundFault.BROKEN


async def test_a_declared_size_beyond_the_limit_ends_the_exchange_at_once() -> None:
    got = await answer_to(b"HTTP/1.1 200 OK\r\nContent-Length: 10001\r\n\r\n")
    assert got.fault is not None
    assert got.fault.fault is OutboundFault.TOO_LARGE


async def test_a_deadline_after_the_head_keeps_the_status() -> None:
    async with (
        serving(b"HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 9\r\n\r\n") as (_, url),
        asking() as client,
    ):
        got = await post(client, url, timeout_seconds=0.3)
    assert (got.status, got.headers["retry-after"]) == (503, "7")
    assert got.fault is not None
    assert got.fault.fault is OutboundFault.TIMEOUT


async def test_a_cancelled_request_closes_its_connection() -> None:
    async with serving(b"") as (server, url), asking() as client:
        task = asyncio.create_task(post(client, url))
        await eventually(lambda: bool(server.requests))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with asyncio.timeout(20):
            await server.closed.wait()
        assert _idle(client) == []


async def test_a_deadline_that_passes_while_connecting_means_that_nothing_was_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def never(**_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(connection_pool.aiohappyeyeballs, "start_connection", never)
    async with asking() as client:
        with pytest.raises(OutboundFailed) as failed:
            await post(client, "http://127.0.0.1:9/", timeout_seconds=0.05)
    assert failed.value.fault is OutboundFault.CONNECT_TIMEOUT


@given(st.lists(st.integers(1, 40), max_size=6), st.booleans())
def test_it_does_not_matter_where_the_network_cuts_an_answer(
    cuts: list[int], is_chunked: bool
) -> None:
    body = b"HTTP/1.1 200 OK\r\nX-Request-Id: r\r\n"
    body += (
        b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        if is_chunked
        else b"Content-Length: 5\r\n\r\nabcde"
    )
    answer = b"HTTP/1.1 100 Continue\r\n\r\n" + body

    async def run() -> list[Ending]:
        connection = connection_pool.HttpConnection("h", max_bytes=100)
        connection.connection_made(_Nowhere())
        endings: list[Ending] = []
        connection.ask(b"", endings.append)
        rest = answer
        for cut in [*cuts, len(answer)]:
            if rest:
                connection.data_received(rest[:cut])
            rest = rest[cut:]
        assert connection.is_open
        await asyncio.sleep(0)
        return endings

    (ending,) = asyncio.run(run())
    assert isinstance(ending, WholeAnswer)
    assert ending.content == b"abcde"


class _Nowhere(asyncio.Transport):
    def write(self, data: object) -> None:
        """Nothing reads it."""

    def abort(self) -> None:
        """Nothing to close."""
