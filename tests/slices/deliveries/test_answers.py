"""What each answer of a receiver does to a delivery and to its destination."""

import asyncio
import socket
from datetime import datetime, timedelta
from itertools import product

import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from edison.pipeline.generate.addresses import NetworkPolicy
from edison.settings import Settings
from edison.workspace.deliveries import http_post
from edison.workspace.deliveries.schedule import RETRY_SECONDS, retry_delay
from edison.workspace.deliveries.transport import Transport
from tests.conftest import TurnableClock
from tests.slices.deliveries.conftest import Desk, Receiver

pytestmark = pytest.mark.usefixtures("by_hand")


async def one_attempt(desk: Desk, address: str) -> dict[str, object]:
    """The log entry of a message that was attempted once."""
    destination = (await desk.add(address))["destination"]
    await desk.notify()
    await desk.deliver(destination["id"])
    (entry,) = await desk.log(destination["id"])
    # Keeps it from receiving the messages of later attempts.
    await desk.ada.delete(f"{desk.url}/{destination['id']}")
    return entry


async def test_any_2xx_delivers(desk: Desk, receiver: Receiver) -> None:
    for status in (200, 202, 204, 299):
        receiver.answer = status
        entry = await one_attempt(desk, receiver.url)
        assert (entry["state"], entry["status"], entry["failure"]) == ("delivered", status, None)
        assert entry["next_attempt_at"] is None


async def test_everything_else_is_retried(desk: Desk, receiver: Receiver) -> None:
    statuses = (301, 302, 307, 308, 304, 400, 401, 404, 429, 500, 503)
    for number, status in enumerate(statuses, start=1):
        receiver.answer = status
        entry = await one_attempt(desk, receiver.url)
        assert (entry["state"], entry["status"], entry["attempts"]) == ("waiting", status, 1)
        assert str(status) in str(entry["failure"])
        assert entry["answer"] == ("" if status == 304 else "the answer")
        # A redirect was not followed.
        assert len(receiver.received) == number


async def test_410_switches_the_destination_off(desk: Desk, receiver: Receiver) -> None:
    receiver.answer = 410
    destination = (await desk.add(receiver.url))["destination"]
    await desk.notify()
    await desk.notify()
    await desk.deliver(destination["id"])
    states = [entry["state"] for entry in await desk.log(destination["id"])]
    assert sorted(states) == ["cancelled", "failed"]
    off = await desk.read(destination["id"])
    assert (off["is_enabled"], off["disabled_reason"]) == (False, "gone")
    titles = [
        each["title"] for each in (await desk.ada.get("/api/v1/notifications")).json()["items"]
    ]
    assert f"{destination['name']} was switched off" in titles
    # Nothing is sent until it is enabled again.
    await desk.notify()
    await desk.deliver(destination["id"])
    assert len(receiver.received) == 1


async def test_a_receiver_that_does_not_answer_is_retried(
    desk: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_post, "TIMEOUT_SECONDS", 0.3)

    async def never(_: web.Request) -> web.StreamResponse:
        await receiver.is_over.wait()
        return web.Response()

    receiver.answer = never
    entry = await one_attempt(desk, receiver.url)
    assert (entry["state"], entry["status"]) == ("waiting", None)
    assert "did not answer in time" in str(entry["failure"])


async def test_only_the_beginning_of_a_huge_answer_is_read(desk: Desk, receiver: Receiver) -> None:
    written = 0

    async def huge(request: web.Request) -> web.StreamResponse:
        nonlocal written
        response = web.StreamResponse(headers={"Content-Length": str(100 * 1024 * 1024)})
        await response.prepare(request)
        for _ in range(100):
            try:
                await response.write(b"\x00\xff<b>x" * (1024 * 1024 // 6))
            except ConnectionError:
                break
            written += 1
        return response

    receiver.answer = huge
    entry = await one_attempt(desk, receiver.url)
    assert entry["state"] == "delivered"
    assert len(str(entry["answer"])) == 500
    assert "\x00" not in str(entry["answer"])
    assert written < 90


async def test_an_answer_that_does_not_end_counts_by_its_status(
    desk: Desk, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_post, "TIMEOUT_SECONDS", 0.5)

    async def endless(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(b"so far")
        await receiver.is_over.wait()
        return response

    receiver.answer = endless
    entry = await one_attempt(desk, receiver.url)
    assert entry["state"] == "delivered"


async def test_an_unreachable_receiver_is_retried(desk: Desk) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    entry = await one_attempt(desk, f"http://127.0.0.1:{port}/")
    assert (entry["state"], entry["status"]) == ("waiting", None)
    assert "cannot be reached" in str(entry["failure"])


def test_the_retry_schedule_has_jitter() -> None:
    for number, seconds in enumerate(RETRY_SECONDS, start=1):
        delays = {retry_delay(number) for _ in range(50)}
        assert len(delays) > 1
        for delay in delays:
            assert delay is not None
            assert abs(delay.total_seconds() - seconds) <= 0.1 * seconds
    assert retry_delay(len(RETRY_SECONDS) + 1) is None


async def test_a_message_is_given_up_after_the_last_retry_and_keeps_its_id(
    desk: Desk, receiver: Receiver, turnable_clock: TurnableClock
) -> None:
    receiver.answer = 500
    destination = (await desk.add(receiver.url))["destination"]
    await desk.notify()
    for seconds in (0, *RETRY_SECONDS):
        turnable_clock.advance(seconds=seconds * 0.89)
        await desk.deliver(destination["id"])
        sent_early = len(receiver.received)
        turnable_clock.advance(seconds=seconds * 0.22)
        await desk.deliver(destination["id"])
        if seconds:
            assert len(receiver.received) == sent_early + 1
    (entry,) = await desk.log(destination["id"])
    assert (entry["state"], entry["attempts"]) == ("failed", 7)
    assert {each.id for each in receiver.received} == {entry["message_id"]}
    assert len(receiver.received) == 7


async def test_three_days_of_failures_switch_off(
    desk: Desk, receiver: Receiver, turnable_clock: TurnableClock
) -> None:
    receiver.answer = 500
    destination = (await desk.add(receiver.url))["destination"]
    began = turnable_clock.now()
    while turnable_clock.now() < began + timedelta(days=3):
        await desk.notify()
        await desk.deliver(destination["id"])
        assert (await desk.read(destination["id"]))["is_enabled"]
        turnable_clock.advance(hours=20)
    await desk.deliver(destination["id"])
    off = await desk.read(destination["id"])
    assert (off["is_enabled"], off["disabled_reason"]) == (False, "failing")
    assert datetime.fromisoformat(off["failing_since"]) == began
    assert {entry["state"] for entry in await desk.log(destination["id"])} <= {
        "failed",
        "cancelled",
    }


async def test_a_success_ends_a_series_of_failures(
    desk: Desk, receiver: Receiver, turnable_clock: TurnableClock
) -> None:
    destination = (await desk.add(receiver.url))["destination"]
    for answer in (500, 200, 500):
        receiver.answer = answer
        await desk.notify()
        await desk.deliver(destination["id"])
        turnable_clock.advance(days=2)
    assert (await desk.read(destination["id"]))["is_enabled"]


PRIVATE = [
    "http://127.0.0.1:9/",
    "http://[::1]:9/",
    "https://10.0.0.1/",
    "https://192.168.1.1/hook",
    "https://172.16.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "https://metadata.google.internal/",
    "https://0x7f000001/",
    "https://2130706433/",
    "https://[::ffff:10.0.0.1]/",
    "https://[fd00:ec2::254]/",
    "https://user:secret@example.org/",
    "http://8.8.8.8/",
    "ftp://example.org/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://",
    "not an address",
]


class TestWithoutPermission:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"allow_private_addresses": False})

    async def test_forbidden_addresses_are_refused(self, desk: Desk) -> None:
        for channel, address in product(("webhook", "slack"), PRIVATE):
            body = {"channel": channel, "name": "Hook", "kinds": ["review_waiting"]}
            refused = await desk.ada.post(desk.url, json=body | {"address": address})
            assert refused.status_code == 400, address
            assert refused.json()["error"]["path"] == "address"
            assert "secret" not in refused.text
        assert (await desk.ada.get(desk.url)).json()["items"] == []


class Rebinding(AbstractResolver):
    """A name that points to a public address first, and to a private one afterwards."""

    def __init__(self) -> None:
        self.addresses = ["203.0.113.7", "10.0.0.5", "127.0.0.1"]

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        address = self.addresses.pop(0)
        return [
            ResolveResult(
                hostname=host, host=address, port=port, family=socket.AF_INET, proto=0, flags=0
            )
        ]

    async def close(self) -> None: ...


async def test_a_name_that_comes_to_point_inward_is_not_called(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = Rebinding()
    await resolver.resolve("rebinding.example")  # what the admin's own check would have seen
    inner = desk.transport
    strict = Transport(
        keys=inner.keys, network=NetworkPolicy(), mail=None, site=None, resolver=resolver
    )
    monkeypatch.setattr(Desk, "transport", strict)
    destination = (await desk.add("https://rebinding.example/"))["destination"]
    for _ in range(2):
        await desk.notify()
        await desk.deliver(destination["id"])
    assert resolver.addresses == []
    for entry in await desk.log(destination["id"]):
        assert entry["state"] == "waiting"
        assert "forbid" in entry["failure"] or "do not allow" in entry["failure"]


async def test_two_processes_attempt_a_delivery_once(desk: Desk, receiver: Receiver) -> None:
    destination = (await desk.add(receiver.url))["destination"]
    for _ in range(6):
        await desk.notify()
    await asyncio.gather(*(desk.deliver(destination["id"]) for _ in range(4)))
    sent = [each.id for each in receiver.received]
    assert len(sent) == len(set(sent)) == 6
    assert {each["attempts"] for each in await desk.log(destination["id"])} == {1}


async def test_a_process_that_dies_after_sending_leaves_a_lease_that_ends(
    desk: Desk, receiver: Receiver, turnable_clock: TurnableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    destination = (await desk.add(receiver.url))["destination"]
    await desk.notify()

    async def die(*_: object) -> None:
        raise ConnectionAbortedError

    with monkeypatch.context() as patch:
        patch.setattr("edison.workspace.deliveries.dispatch.record", die)
        with pytest.raises(ConnectionAbortedError):
            await desk.deliver(destination["id"])
    await desk.deliver(destination["id"])
    assert len(receiver.received) == 1
    turnable_clock.advance(seconds=61)
    await desk.deliver(destination["id"])
    (entry,) = await desk.log(destination["id"])
    assert (entry["state"], entry["attempts"]) == ("delivered", 2)
    assert [each.id for each in receiver.received] == [entry["message_id"]] * 2
