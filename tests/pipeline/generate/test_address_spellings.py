"""Spellings of forbidden addresses: no provider connects to any of them."""

import socket
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult
from pydantic import ValidationError

from edison.pipeline.generate import catalog
from edison.pipeline.generate.addresses import (
    AddressRefused,
    NetworkPolicy,
    check_address,
    check_host,
    check_url,
)
from edison.pipeline.generate.fault import OutboundFailed, OutboundFault
from edison.pipeline.generate.outbound import OutboundClient
from edison.pipeline.generate.outcome import CallFailed
from tests.fake_providers import vertex
from tests.pipeline.generate.address_spellings import LOOPBACK_SPELLINGS, METADATA_SPELLINGS
from tests.pipeline.generate.conftest import Serve

STRICT = NetworkPolicy()
LOOPBACK = NetworkPolicy(allow_loopback=True)
ALL = NetworkPolicy(allow_loopback=True, allow_private=True)


ADDRESS_FIELDS = {
    "openai": "base_url",
    "openai_compatible": "base_url",
    "anthropic": "base_url",
    "ollama": "base_url",
    "azure": "endpoint",
    "vertex": "base_url",
    "bedrock": "endpoint_url",
}
SECRETS: dict[str, dict[str, Any]] = {
    "vertex": {"service_account": vertex.service_account("http://127.0.0.1:9/token")},
}


def fields_of(kind: str, url: str) -> dict[str, Any]:
    return SECRETS.get(kind, {"api_key": "sk-planted-key"}) | {ADDRESS_FIELDS[kind]: url}


class Requests:
    """A server on 127.0.0.1 that counts its requests."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.port = 0

    async def answer(self, request: web.Request) -> web.Response:
        self.paths.append(request.path)
        return web.json_response({"data": [], "models": []})


@pytest.fixture
async def requests(serve: Serve) -> Requests:
    requests = Requests()
    requests.port = int((await serve(requests.answer)).rsplit(":", 1)[1])
    return requests


def test_the_corpus_is_large_and_covers_every_provider_that_takes_an_address() -> None:
    assert len(set(LOOPBACK_SPELLINGS)) + len(set(METADATA_SPELLINGS)) >= 120
    with_address = {
        key
        for key in catalog.provider_keys()
        if any("url" in name or "endpoint" in name for name in catalog.form_of(key)["properties"])
    }
    assert with_address == set(ADDRESS_FIELDS)


@pytest.mark.parametrize("spelling", LOOPBACK_SPELLINGS, ids=ascii)
async def test_no_spelling_of_loopback_is_connected_to(spelling: str, requests: Requests) -> None:
    client = OutboundClient(STRICT)
    try:
        with pytest.raises(OutboundFailed) as failed:
            await client.send(
                "GET", spelling.format(port=requests.port), headers={}, timeout_seconds=5
            )
    finally:
        await client.close()
    assert failed.value.fault in {OutboundFault.REFUSED, OutboundFault.DNS}
    assert requests.paths == []


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", METADATA_SPELLINGS, ids=ascii)
def test_no_spelling_of_a_metadata_service_passes_the_guard(host: str, scheme: str) -> None:
    with pytest.raises(AddressRefused):
        check_url(f"{scheme}://{host}/latest/", ALL)


@pytest.mark.parametrize("kind", ADDRESS_FIELDS)
async def test_no_provider_connects_to_any_spelling(kind: str, requests: Requests) -> None:
    for spelling in LOOPBACK_SPELLINGS:
        fields = fields_of(kind, spelling.format(port=requests.port))
        try:
            provider = catalog.load_provider(kind).open(fields, network=STRICT)
        except ValidationError:
            continue
        try:
            failure = await provider.check()
        finally:
            await provider.close()
        assert isinstance(failure, CallFailed), spelling
    assert requests.paths == []


@pytest.mark.parametrize(
    "url",
    [
        "https://api.openai.com/v1",
        "HTTPS://API.OpenAI.com:443/v1",
        "https://my_gateway.example.org",
        "https://xn--bcher-kva.example/v1",
        "https://1password.example",
        "https://8.8.8.8/v1",
        "https://[2606:4700::1111]:8443/v1",
        "https://7f000001.example.org",
    ],
)
def test_usual_addresses_pass(url: str) -> None:
    check_url(url, STRICT)


class TurningResolver(AbstractResolver):
    """Returns the next address each time, as a rebinding name server does."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = list(addresses)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        address = self.addresses.pop(0)
        return [
            ResolveResult(
                hostname=host, host=address, port=port, family=socket.AF_INET, proto=0, flags=0
            )
        ]

    async def close(self) -> None:
        return None


async def test_a_name_that_changes_its_address_is_checked_each_time(requests: Requests) -> None:
    resolver = TurningResolver("127.0.0.1", "169.254.169.254")
    client = OutboundClient(LOOPBACK, resolver=resolver)
    url = f"http://models.example.org:{requests.port}/"
    try:
        async with await client.send("GET", url, headers={}, timeout_seconds=5) as answer:
            await answer.read()
        # One lookup per connection: while it is kept the name is not resolved again.
        assert resolver.addresses == ["169.254.169.254"]
        connector = client._session(False).connector
        assert isinstance(connector, aiohttp.TCPConnector)
        connector.clear_dns_cache()
        # Another port is another connection.
        with pytest.raises(OutboundFailed, match="metadata") as failed:
            await client.send("GET", "http://models.example.org:9/", headers={}, timeout_seconds=5)
        assert failed.value.fault is OutboundFault.REFUSED
    finally:
        await client.close()


class BlindResolver(AbstractResolver):
    """Simulates a hole in the checks before: gives the connector an unchecked address."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host, host="127.0.0.1", port=port, family=family, proto=0, flags=0
            )
        ]

    async def close(self) -> None:
        return None


async def test_the_socket_address_is_checked_last(requests: Requests) -> None:
    client = OutboundClient(STRICT)
    connector = client._session(False).connector
    assert isinstance(connector, aiohttp.TCPConnector)
    connector._resolver = BlindResolver()
    try:
        with pytest.raises(OutboundFailed) as failed:
            await client.send(
                "GET", f"http://a.example:{requests.port}/", headers={}, timeout_seconds=5
            )
    finally:
        await client.close()
    assert failed.value.fault is OutboundFault.REFUSED
    assert requests.paths == []


async def test_the_peer_of_a_connection_is_checked(
    requests: Requests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection made all the same gets no request."""
    client = OutboundClient(STRICT)
    connector = client._session(False).connector
    assert isinstance(connector, aiohttp.TCPConnector)
    connector._resolver = BlindResolver()
    monkeypatch.setattr(connector, "_socket_factory", None)
    try:
        with pytest.raises(OutboundFailed) as failed:
            await client.send(
                "GET", f"http://a.example:{requests.port}/", headers={}, timeout_seconds=5
            )
    finally:
        await client.close()
    assert failed.value.fault is OutboundFault.REFUSED
    assert requests.paths == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("kind", ADDRESS_FIELDS)
async def test_a_redirect_is_never_followed(
    kind: str, status: int, serve: Serve, requests: Requests
) -> None:
    async def redirect(_: web.Request) -> web.Response:
        target = f"http://127.0.0.1:{requests.port}/stolen"
        return web.Response(status=status, headers={"Location": target})

    url = await serve(redirect)
    fields = fields_of(kind, url)
    if kind == "vertex":
        fields["service_account"] = vertex.service_account(f"{url}/token")
    provider = catalog.load_provider(kind).open(fields, network=LOOPBACK)
    try:
        failure = await provider.check()
    finally:
        await provider.close()
    assert isinstance(failure, CallFailed)
    assert requests.paths == []


def test_checks_of_a_host_are_cached() -> None:
    check_url("https://cached.example.org/a", STRICT)
    before = check_host.cache_info().hits
    check_url("https://cached.example.org/b", STRICT)
    assert check_host.cache_info().hits == before + 1


@pytest.mark.parametrize(
    ("host", "is_allowed"),
    [
        ("api.openai.com", True),
        ("API.openai.com.", True),
        ("eu.api.openai.com", True),
        ("a.b.api.openai.com", False),
        ("api.openai.com.evil.example", False),
        ("evilapi.openai.com", False),
        ("openai.com", False),
    ],
)
def test_a_bound_secret_goes_to_its_hosts_only(host: str, is_allowed: bool) -> None:
    bound = NetworkPolicy(only_hosts=(("api.openai.com", "*.api.openai.com"),))
    if is_allowed:
        check_url(f"https://{host}/v1", bound)
    else:
        with pytest.raises(AddressRefused, match=r"only to api\.openai\.com"):
            check_url(f"https://{host}/v1", bound)


def test_addresses_that_embed_private_ones_are_private() -> None:
    for address in ("::ffff:0:10.0.0.1", "2600::5efe:a00:1", "fec0::1", "::10.0.0.1"):
        with pytest.raises(AddressRefused):
            check_address(address, STRICT, is_encrypted=True)
