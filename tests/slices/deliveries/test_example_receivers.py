"""The receivers in docs/notifications.md accept genuine messages and nothing else; the channel in
docs/howto/add-a-channel.md sends.
"""

import asyncio
import os
import re
import shutil
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from edison.kit import clock, ids
from edison.kit.sealing import load_sealing_keys
from edison.pipeline.generate.addresses import NetworkPolicy
from edison.workspace.deliveries.channel import Channel, Recipient, SendResult
from edison.workspace.deliveries.channels.webhook import Webhook
from edison.workspace.deliveries.message import DeliveryMessage
from edison.workspace.deliveries.seals import new_secret
from edison.workspace.deliveries.transport import Transport
from tests.conftest import TurnableClock
from tests.slices.deliveries.conftest import Receiver
from tests.support.patience import PATIENCE_SECONDS

DOCS = Path(__file__).parents[3] / "docs"
PAGE = DOCS / "notifications.md"
HOWTO = DOCS / "howto" / "add-a-channel.md"
LANGUAGES = {
    "python": ([sys.executable], "receiver.py"),
    "javascript": ([shutil.which("node") or "node"], "receiver.mjs"),
}


def message(title: str) -> DeliveryMessage:
    return DeliveryMessage(
        id=f"msg_{ids.new_id().hex}",
        kind="review_waiting",
        title=title,
        body="Größe",
        created_at=clock.now(),
        project_id=ids.new_id(),
        project_name="Engine",
        entity={"type": "experiment", "id": "1"},
        part=None,
        facts=None,
        content=None,
        url=None,
    )


@dataclass(frozen=True, kw_only=True)
class Running:
    url: str
    transport: Transport
    output: asyncio.StreamReader

    async def send(self, sent: DeliveryMessage, *secrets: str) -> SendResult:
        recipient = Recipient(address=self.url, secrets=secrets)
        return await Webhook().send(sent, recipient, self.transport)


@asynccontextmanager
async def documented(language: str, secret: str, folder: Path) -> AsyncIterator[Running]:
    (code,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    command, name = LANGUAGES[language]
    (folder / name).write_text(code)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        *command,
        str(folder / name),
        env={**os.environ, "EDISON_WEBHOOK_SECRET": secret, "PORT": str(port)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    transport = Transport(
        keys=load_sealing_keys(folder / "keys"),
        network=NetworkPolicy(allow_loopback=True),
        mail=None,
        site=None,
    )
    running = Running(url=f"http://127.0.0.1:{port}/", transport=transport, output=process.stdout)
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            # A wrong signature is answered as soon as the receiver listens.
            while (await running.send(message("too early"), new_secret())).status is None:
                assert process.returncode is None
            yield running
    finally:
        process.kill()
        await process.wait()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_documented_receiver_checks_signatures(
    language: str, tmp_path: Path, turnable_clock: TurnableClock
) -> None:
    if shutil.which(LANGUAGES[language][0][0]) is None:
        pytest.skip("Node is not installed")
    secret, other = new_secret(), new_secret()
    first, second = message("first"), message("second")
    async with documented(language, secret, tmp_path) as running:
        assert (await running.send(first, other)).status == 401
        assert (await running.send(first, secret)).status == 204
        # Repeated, and while the secret is rotated.
        assert (await running.send(first, other, secret)).status == 204
        turnable_clock.advance(minutes=-6)
        assert (await running.send(second, secret)).status == 401
        turnable_clock.advance(minutes=6)
        assert (await running.send(second, secret)).status == 204
        lines = [(await running.output.readline()).decode().strip() for _ in range(2)]
    assert lines == ["review_waiting first", "review_waiting second"]


async def test_the_channel_of_the_howto_sends(receiver: Receiver, tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", HOWTO.read_text(), re.DOTALL)
    module: dict[str, Any] = {}
    exec(compile(code, "teams.py", "exec"), module)  # noqa: S102 - the documented code
    channel: Channel = module["Teams"]()
    transport = Transport(
        keys=load_sealing_keys(tmp_path / "keys"),
        network=NetworkPolicy(allow_loopback=True),
        mail=None,
        site=None,
    )
    assert channel.read_target(receiver.url, transport) == "127.0.0.1"
    sent = await channel.send(message("Lower"), Recipient(address=receiver.url), transport)
    assert (sent.failure, sent.status) == (None, 200)
    assert receiver.received[0].event == {"text": "Lower\n\nGröße"}
