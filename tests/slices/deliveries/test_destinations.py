"""Destinations of a project: who may manage them, what they show, signatures and rotation."""

import asyncio
import base64
import hashlib
import hmac
import json
from datetime import timedelta
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.app.sealed_secrets import reseal_all
from edison.kit import clock, ids
from edison.kit.sealing import add_sealing_key, load_sealing_keys
from edison.loops.experiments.notifications import RUN_FINISHED
from edison.workspace.audit.models import AuditEntry
from edison.workspace.credentials.vault import sealing_folder
from edison.workspace.deliveries.channels.slack import compose
from edison.workspace.deliveries.channels.webhook import sign
from edison.workspace.deliveries.message import DeliveryMessage
from edison.workspace.deliveries.models import Destination
from edison.workspace.deliveries.seals import open_recipient
from edison.workspace.projects.models import Role
from tests.conftest import TurnableClock
from tests.factories.projects import make_member
from tests.slices.deliveries.conftest import Desk, Received, Receiver
from tests.support.patience import PATIENCE_SECONDS


def signs(secret: str, received: Received) -> bool:
    """As a receiver checks it, without Edison's code."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{received.id}.{received.headers['webhook-timestamp']}.".encode() + received.body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{expected}" in received.headers["webhook-signature"].split(" ")


def test_signatures_follow_the_published_example() -> None:
    signature = sign(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_slack_texts_cannot_mention_or_link() -> None:
    message = DeliveryMessage(
        id="msg_1",
        kind="review_waiting",
        title="<!channel> & <https://example.org|us>",
        body="<@U1>",
        created_at=clock.now(),
        project_id=ids.new_id(),
        project_name="<!here>",
        entity={},
        part=None,
        facts=None,
        content=None,
        url=None,
    )
    composed = json.dumps(compose(message))
    assert "<" not in composed
    assert "&lt;!channel&gt; &amp; &lt;https" in composed


@pytest.mark.usefixtures("by_hand")
class TestByHand:
    async def test_a_webhook_is_signed_and_says_what_happened(
        self, desk: Desk, receiver: Receiver
    ) -> None:
        saved = await desk.add(receiver.url)
        await desk.notify()
        await desk.notify(RUN_FINISHED)
        await desk.deliver(saved["destination"]["id"])
        (received,) = receiver.received
        assert signs(saved["secret"], received)
        event = received.event
        assert event["type"] == "review_waiting"
        assert event["data"]["title"] == "A review waits"
        assert event["data"]["project"] == {
            "id": str(desk.project.id),
            "name": desk.project.name,
        }
        place = f"/p/{desk.project.id}/experiments/{event['data']['entity']['id']}"
        assert event["data"]["url"] == f"https://edison.example.org{place}"
        assert "content" not in event["data"]

    async def test_content_is_sent_only_where_it_is_switched_on(
        self, desk: Desk, receiver: Receiver
    ) -> None:
        without = (await desk.add(receiver.url))["destination"]["id"]
        with_it = (await desk.add(receiver.url, includes_content=True))["destination"]["id"]
        await desk.notify(content="PROMPT TEXT")
        await desk.deliver(without)
        assert b"PROMPT TEXT" not in receiver.received[-1].body
        # Switched off between the event and the attempt.
        await desk.ada.patch(f"{desk.url}/{with_it}", json={"includes_content": False})
        await desk.deliver(with_it)
        assert b"PROMPT TEXT" not in receiver.received[-1].body
        await desk.ada.patch(f"{desk.url}/{with_it}", json={"includes_content": True})
        await desk.notify(content="PROMPT TEXT")
        await desk.deliver(with_it)
        assert receiver.received[-1].event["data"]["content"] == "PROMPT TEXT"

    async def test_slack_gets_an_unsigned_message(self, desk: Desk, receiver: Receiver) -> None:
        saved = await desk.add(receiver.url, channel="slack")
        assert saved["secret"] is None
        await desk.notify()
        await desk.deliver(saved["destination"]["id"])
        (received,) = receiver.received
        message = json.loads(received.body)
        assert message["text"] == "A review waits"
        assert "<https://edison.example.org/p/" in message["blocks"][0]["text"]["text"]
        assert "webhook-signature" not in received.headers

    async def test_rotation_during_retries_signs_with_both_secrets(
        self, desk: Desk, receiver: Receiver, turnable_clock: TurnableClock
    ) -> None:
        saved = await desk.add(receiver.url)
        place = f"{desk.url}/{saved['destination']['id']}"
        receiver.answer = 500
        await desk.notify()
        await desk.deliver(saved["destination"]["id"])
        rotated = (await desk.ada.post(f"{place}/rotate")).json()
        receiver.answer = 200
        turnable_clock.advance(seconds=12)
        await desk.deliver(saved["destination"]["id"])
        first, second = receiver.received
        assert first.id == second.id
        assert signs(saved["secret"], first)
        assert not signs(rotated["secret"], first)
        assert signs(saved["secret"], second)
        assert signs(rotated["secret"], second)
        turnable_clock.advance(hours=25)
        await desk.notify()
        await desk.deliver(saved["destination"]["id"])
        third = receiver.received[-1]
        assert not signs(saved["secret"], third)
        assert signs(rotated["secret"], third)

    async def test_another_host_gets_another_secret(self, desk: Desk, receiver: Receiver) -> None:
        saved = await desk.add("https://hooks.example.org/PLANTED-path")
        place = f"{desk.url}/{saved['destination']['id']}"
        same = await desk.ada.patch(place, json={"address": "https://hooks.example.org/other"})
        assert same.json()["secret"] is None
        moved = (await desk.ada.patch(place, json={"address": receiver.url})).json()
        assert moved["secret"] not in (None, saved["secret"])
        assert moved["destination"]["target"] == "127.0.0.1"

    async def test_a_test_message_is_sent_at_once_and_logged(
        self, desk: Desk, receiver: Receiver
    ) -> None:
        destination = (await desk.add(receiver.url))["destination"]
        place = f"{desk.url}/{destination['id']}"
        worked = (await desk.ada.post(f"{place}/test")).json()
        assert (worked["state"], worked["is_test"], worked["status"]) == ("delivered", True, 200)
        assert receiver.received[-1].event["type"] == "test"
        receiver.answer = 410
        failed = (await desk.ada.post(f"{place}/test")).json()
        assert (failed["state"], failed["attempts"]) == ("failed", 1)
        shown = await desk.read(destination["id"])
        assert shown["is_enabled"]
        assert shown["last_failure"] == "The receiver answered 410."

    async def test_redelivery_repeats_the_message_with_its_id(
        self, desk: Desk, receiver: Receiver
    ) -> None:
        destination = (await desk.add(receiver.url))["destination"]
        place = f"{desk.url}/{destination['id']}"
        await desk.notify()
        await desk.deliver(destination["id"])
        (entry,) = await desk.log(destination["id"])
        again = await desk.ada.post(f"{place}/deliveries/{entry['id']}/redeliver")
        assert (again.status_code, again.json()["state"]) == (200, "waiting")
        await desk.deliver(destination["id"])
        assert [each.id for each in receiver.received] == [entry["message_id"]] * 2
        assert receiver.received[0].body == receiver.received[1].body
        off = (await desk.ada.post(f"{place}/disable")).json()
        assert (off["is_enabled"], off["disabled_reason"]) == (False, "member")
        refused = await desk.ada.post(f"{place}/deliveries/{entry['id']}/redeliver")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "DESTINATION_OFF")
        assert (await desk.ada.post(f"{place}/enable")).json()["is_enabled"]

    async def test_bad_requests_name_the_field(self, desk: Desk) -> None:
        good = {
            "channel": "webhook",
            "name": "Hook",
            "address": "https://example.org/PLANTED",
            "kinds": ["review_waiting"],
        }
        for field, value in {
            "channel": "pigeon",
            "name": "",
            "kinds": ["weather"],
            "address": "https://example.org\\@10.0.0.1/PLANTED",
        }.items():
            refused = await desk.ada.post(desk.url, json=good | {field: value})
            assert refused.status_code == 400, refused.text
            assert (refused.json()["error"]["path"] or "").startswith(field)
            assert "PLANTED" not in refused.text
        no_mail = await desk.ada.post(
            desk.url, json=good | {"channel": "email", "address": "a@example.org"}
        )
        assert "EDISON_SMTP_HOST" in no_mail.json()["error"]["message"]
        assert (await desk.ada.post(desk.url, json=good)).status_code == 201
        twice = await desk.ada.post(desk.url, json=good)
        assert (twice.status_code, twice.json()["error"]["code"]) == (409, "DUPLICATE_NAME")
        slack = await desk.add("https://hooks.slack.com/services/x", channel="slack")
        rotated = await desk.ada.post(f"{desk.url}/{slack['destination']['id']}/rotate")
        assert (rotated.status_code, rotated.json()["error"]["code"]) == (409, "NOT_SIGNED")

    async def test_secrets_are_sealed_and_never_shown(
        self, desk: Desk, receiver: Receiver, caplog: pytest.LogCaptureFixture
    ) -> None:
        saved = await desk.add(receiver.url)
        destination_id = saved["destination"]["id"]
        receiver.answer = 500
        await desk.notify()
        await desk.deliver(destination_id)
        await desk.ada.patch(f"{desk.url}/{destination_id}", json={"name": "Other"})
        texts = [caplog.text, (await desk.ada.get(desk.url)).text]
        texts.append((await desk.ada.get(f"{desk.url}/{destination_id}/deliveries")).text)
        async with desk.app.state.database.read() as session:
            row = await session.get(Destination, UUID(destination_id))
            entries = (await session.scalars(select(AuditEntry))).all()
            texts += [str(row.__dict__), str([entry.__dict__ for entry in entries])]
        for text in texts:
            assert "PLANTED" not in text
            assert saved["secret"].removeprefix("whsec_") not in text

    async def test_key_rotation_seals_destinations_again(
        self, desk: Desk, receiver: Receiver
    ) -> None:
        saved = await desk.add(receiver.url)
        await desk.ada.post(f"{desk.url}/{saved['destination']['id']}/rotate")
        folder = sealing_folder(desk.app.state.settings)
        add_sealing_key(folder)
        keys = load_sealing_keys(folder)
        async with desk.app.state.database.write() as session:
            assert await reseal_all(session, keys=keys) == 2
        async with desk.app.state.database.read() as session:
            row = await session.get(Destination, UUID(saved["destination"]["id"]))
        assert keys.is_current(row.address)
        recipient = open_recipient(row, keys, now=row.updated_at + timedelta(hours=1))
        assert recipient.address == receiver.url
        assert recipient.secrets[1] == saved["secret"]

    async def test_only_admins_see_destinations(self, desk: Desk) -> None:
        editor = await make_member(desk.app, desk.project, Role.EDITOR)
        assert (await editor.browser.get(desk.url)).status_code == 403
        refused = await editor.browser.post(desk.url, json={})
        assert refused.status_code == 403


async def test_a_message_arrives_without_delay(
    app: FastAPI, desk: Desk, receiver: Receiver
) -> None:
    """The queue runs the job after the commit; on PostgreSQL a worker does."""
    if not app.state.database.is_sqlite:
        pytest.skip("there is no worker in this test")
    await desk.add(receiver.url)
    await desk.notify()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await receiver.arrived.wait()
    assert receiver.received[0].event["type"] == "review_waiting"
