"""The guarded HTTP client: allowed and refused addresses, limits and deadlines."""

import asyncio
import gzip
import socket
import ssl
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from edison.pipeline.generate.addresses import AddressRefused, NetworkPolicy, check_address
from edison.pipeline.generate.fault import OutboundFailed, OutboundFault
from edison.pipeline.generate.outbound import OutboundClient
from tests.pipeline.generate.conftest import Serve

STRICT = NetworkPolicy()
LOOPBACK = NetworkPolicy(allow_loopback=True)
ALL = NetworkPolicy(allow_loopback=True, allow_private=True)


class FakeResolver(AbstractResolver):
    """Answers from a table and records its lookups."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses
        self.asked: list[str] = []

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.append(host)
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in self.addresses
        ]

    async def close(self) -> None:
        return None


@pytest.fixture
async def client() -> AsyncIterator[OutboundClient]:
    client = OutboundClient(LOOPBACK, max_response_bytes=10_000)
    yield client
    await client.close()


async def read_in_pieces(client: OutboundClient, url: str, **options: Any) -> tuple[int, bytes]:
    async with await client.send("GET", url, **options) as answer:
        return answer.status, await answer.read()


async def read_at_once(
    client: OutboundClient, url: str, *, headers: dict[str, str], timeout_seconds: float
) -> tuple[int, bytes]:
    answer = await client.fetch(client.head("GET", url, headers), timeout_seconds=timeout_seconds)
    return answer.status, answer.whole_content()


@pytest.fixture(params=[read_in_pieces, read_at_once], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every rule holds for both ways to read an answer."""
    monkeypatch.setattr(sys.modules[__name__], "ask", request.param)


ask = read_in_pieces


async def fetch(client: OutboundClient, url: str, *, timeout_seconds: float = 5) -> bytes:
    return (await ask(client, url, headers={}, timeout_seconds=timeout_seconds))[1]


async def fault_of(
    client: OutboundClient, url: str, *, timeout_seconds: float = 5
) -> OutboundFault:
    with pytest.raises(OutboundFailed) as failed:
        await fetch(client, url, timeout_seconds=timeout_seconds)
    return failed.value.fault


async def test_reads_an_answer_from_an_allowed_address(
    client: OutboundClient, serve: Serve
) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=request.headers["Accept-Encoding"])

    assert await fetch(client, await serve(answer)) == b"identity"


async def test_a_path_is_sent_letter_for_letter_but_never_splits_a_request(
    client: OutboundClient, serve: Serve
) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=f"{request.rel_url.raw_path} {'X-Evil' in request.headers}")

    url = await serve(answer)
    assert await fetch(client, f"{url}/model/a%3Ab") == b"/model/a%3Ab False"
    assert (await fetch(client, f"{url}/a b HTTP/1.1\r\nX-Evil: 1")).endswith(b"False")


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://example.org/",
        "gopher://127.0.0.1/",
        "//127.0.0.1/",
        "127.0.0.1:80",
        "https://",
        "http://name:word@127.0.0.1/",
        "http://[::1/",
        "http://1.2.3.4.5/",
    ],
)
async def test_refuses_other_schemes_and_malformed_addresses(
    client: OutboundClient, url: str
) -> None:
    assert await fault_of(client, url) is OutboundFault.REFUSED


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "169.254.170.2",
        "100.100.100.200",
        "168.63.129.16",
        "[fd00:ec2::254]",
        "[fd20:ce::254]",
        "[fe80::1]",
        "[::ffff:169.254.169.254]",
        "[::ffff:a9fe:a9fe]",
        "[::a9fe:a9fe]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:a9fe:a9fe::1]",
        "2852039166",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "169.254.43518",
        "0xa9.254.169.254",
        "metadata.google.internal",
        "METADATA.google.internal.",
        "metadata",
        "0.0.0.0",
        "[::]",
        "224.0.0.1",
        "255.255.255.255",
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_never_calls_metadata_services_however_they_are_spelled(
    host: str, scheme: str
) -> None:
    client = OutboundClient(ALL)
    assert await fault_of(client, f"{scheme}://{host}/latest/meta-data/") is OutboundFault.REFUSED
    await client.close()


@pytest.mark.parametrize(
    ("address", "policy", "is_allowed"),
    [
        ("127.0.0.1", STRICT, False),
        ("127.8.8.8", LOOPBACK, True),
        ("::1", LOOPBACK, True),
        ("::ffff:127.0.0.1", LOOPBACK, True),
        ("::ffff:127.0.0.1", STRICT, False),
        ("127.0.0.1", NetworkPolicy(allow_private=True), False),
        ("10.1.2.3", LOOPBACK, False),
        ("10.1.2.3", ALL, True),
        ("172.16.0.9", STRICT, False),
        ("192.168.1.1", ALL, True),
        ("100.64.0.1", STRICT, False),
        ("fd12:3456::1", STRICT, False),
        ("fd12:3456::1", ALL, True),
        ("8.8.8.8", STRICT, True),
        ("2606:4700::1111", STRICT, True),
        ("64:ff9b::a00:1", STRICT, False),
        ("2002:7f00:1::", STRICT, False),
    ],
)
def test_private_addresses_need_permission(
    address: str, policy: NetworkPolicy, is_allowed: bool
) -> None:
    if is_allowed:
        check_address(address, policy, is_encrypted=True)
    else:
        with pytest.raises(AddressRefused):
            check_address(address, policy, is_encrypted=True)


def test_the_internet_is_only_called_with_encryption() -> None:
    with pytest.raises(AddressRefused, match="https://"):
        check_address("8.8.8.8", ALL, is_encrypted=False)


@pytest.mark.parametrize("addresses", [("127.0.0.1", "169.254.169.254"), ("8.8.8.8", "127.0.0.1")])
async def test_a_name_with_one_forbidden_address_is_refused(addresses: tuple[str, ...]) -> None:
    client = OutboundClient(LOOPBACK, resolver=FakeResolver(*addresses))
    assert await fault_of(client, "http://models.example.org/") is OutboundFault.REFUSED
    await client.close()


async def test_a_name_is_resolved_once_and_exactly_that_address_is_called(serve: Serve) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=request.host.split(":")[0])

    port = (await serve(answer)).rsplit(":", 1)[1]
    resolver = FakeResolver("127.0.0.1")
    client = OutboundClient(LOOPBACK, resolver=resolver)
    assert await fetch(client, f"http://models.example.org:{port}/") == b"models.example.org"
    assert resolver.asked == ["models.example.org"]
    await client.close()


async def test_redirects_are_handed_back_and_not_followed(
    client: OutboundClient, serve: Serve
) -> None:
    calls = []

    async def answer(request: web.Request) -> web.Response:
        calls.append(request.path)
        raise web.HTTPFound("/elsewhere")

    url = await serve(answer)
    assert (await ask(client, url, headers={}, timeout_seconds=5))[0] == 302
    assert calls == ["/"]


@pytest.mark.parametrize("is_chunked", [True, False])
async def test_a_body_may_not_be_larger_than_allowed(
    client: OutboundClient, serve: Serve, is_chunked: bool
) -> None:
    async def answer(request: web.Request) -> web.Response:
        response = web.Response(body=b"x" * 10_001)
        if is_chunked:
            response.enable_chunked_encoding()
        return response

    assert await fault_of(client, await serve(answer)) is OutboundFault.TOO_LARGE


async def test_a_compressed_body_counts_by_its_decompressed_size(
    client: OutboundClient, serve: Serve
) -> None:
    async def answer(request: web.Request) -> web.Response:
        packed = gzip.compress(b"x" * 1_000_000)
        return web.Response(body=packed, headers={"Content-Encoding": "gzip"})

    assert await fault_of(client, await serve(answer)) is OutboundFault.TOO_LARGE


async def test_a_slow_drip_ends_at_the_total_deadline(client: OutboundClient, serve: Serve) -> None:
    async def drip(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b".")
            await asyncio.sleep(0.02)

    url = await serve(drip)
    started = asyncio.get_running_loop().time()
    assert await fault_of(client, url, timeout_seconds=0.2) is OutboundFault.TIMEOUT
    assert asyncio.get_running_loop().time() - started < 2


async def test_silence_ends_at_the_deadline(client: OutboundClient, serve: Serve) -> None:
    async def hang(request: web.Request) -> web.Response:
        await asyncio.sleep(30)
        return web.Response()

    assert await fault_of(client, await serve(hang), timeout_seconds=0.1) is OutboundFault.TIMEOUT


async def test_an_unknown_name_is_a_name_failure(client: OutboundClient) -> None:
    assert await fault_of(client, "https://nowhere.invalid/") is OutboundFault.DNS


async def test_a_closed_port_cannot_be_reached(client: OutboundClient) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        assert await fault_of(client, f"http://127.0.0.1:{port}/") is OutboundFault.CONNECT


async def test_an_unknown_certificate_is_not_accepted(
    client: OutboundClient, serve: Serve, self_signed: ssl.SSLContext
) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response()

    assert await fault_of(client, await serve(answer, tls=self_signed)) is OutboundFault.TLS


async def test_a_reset_in_the_middle_is_noticed(client: OutboundClient, serve: Serve) -> None:
    async def reset(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "100"})
        await response.prepare(request)
        await response.write(b"half")
        assert request.transport
        request.transport.abort()
        return response

    assert await fault_of(client, await serve(reset)) is OutboundFault.BROKEN


async def test_a_header_with_a_line_break_is_refused_without_showing_it(
    client: OutboundClient, serve: Serve
) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response()

    url = await serve(answer)
    with pytest.raises(OutboundFailed) as failed:
        await ask(client, url, headers={"X-Key": "planted\nkey"}, timeout_seconds=1)
    assert failed.value.fault is OutboundFault.REFUSED
    assert "planted" not in str(failed.value)
