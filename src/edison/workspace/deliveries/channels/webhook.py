"""Signed webhooks by the scheme of Standard Webhooks (standardwebhooks.com)."""

import base64
import hashlib
import hmac
from typing import ClassVar

import orjson

from edison.kit import clock
from edison.workspace.deliveries.channel import Channel, Recipient, SendResult
from edison.workspace.deliveries.http_post import post_json, read_host
from edison.workspace.deliveries.message import DeliveryMessage
from edison.workspace.deliveries.seals import SECRET_PREFIX
from edison.workspace.deliveries.transport import Transport


class Webhook(Channel):
    title: ClassVar[str] = "Webhook"
    is_signed: ClassVar[bool] = True

    def read_target(self, address: str, transport: Transport) -> str:
        return read_host(address, transport)

    async def send(
        self, message: DeliveryMessage, recipient: Recipient, transport: Transport
    ) -> SendResult:
        body = orjson.dumps(_event(message))
        timestamp = int(clock.now().timestamp())
        headers = {
            "webhook-id": message.id,
            "webhook-timestamp": str(timestamp),
            # While a secret is rotated there are two, and a receiver accepts either.
            "webhook-signature": " ".join(
                sign(secret, message.id, timestamp, body) for secret in recipient.secrets
            ),
        }
        return await post_json(transport, recipient.address, body, headers=headers)


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """HMAC-SHA256 of id, time and body, with the key that the secret encodes."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def _event(message: DeliveryMessage) -> dict[str, object]:
    data: dict[str, object] = {
        "project": {"id": str(message.project_id), "name": message.project_name},
        "title": message.title,
        "body": message.body,
        "entity": message.entity,
        "part": message.part,
        "url": message.url,
        "facts": message.facts,
    }
    if message.content is not None:
        data["content"] = message.content
    return {"type": message.kind, "timestamp": message.created_at, "data": data}
