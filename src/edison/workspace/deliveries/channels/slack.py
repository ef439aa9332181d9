"""Slack, by an incoming webhook. Mattermost and Rocket.Chat accept the same messages."""

from typing import ClassVar

import orjson

from edison.workspace.deliveries.channel import Channel, Recipient, SendResult
from edison.workspace.deliveries.http_post import post_json, read_host
from edison.workspace.deliveries.message import DeliveryMessage
from edison.workspace.deliveries.transport import Transport

# Slack refuses longer texts in a section.
_MOST_TEXT = 2_900
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class Slack(Channel):
    title: ClassVar[str] = "Slack"

    def read_target(self, address: str, transport: Transport) -> str:
        return read_host(address, transport)

    async def send(
        self, message: DeliveryMessage, recipient: Recipient, transport: Transport
    ) -> SendResult:
        body = orjson.dumps(compose(message))
        return await post_json(transport, recipient.address, body, headers={})


def compose(message: DeliveryMessage) -> dict[str, object]:
    """`text` is shown in push notifications, `blocks` in the channel. The escapes keep names from
    mentioning channels or adding links.
    """
    title = f"*{_escape(message.title)}*"
    if message.url is not None:
        title = f"*<{message.url}|{_escape(message.title)}>*"
    texts = [f"{title}\n{_escape(message.body)}"]
    if message.content is not None:
        texts.append(_escape(message.content))
    blocks: list[dict[str, object]] = [
        {"type": "section", "text": {"type": "mrkdwn", "text": text[:_MOST_TEXT]}} for text in texts
    ]
    project = {"type": "mrkdwn", "text": f"Edison · {_escape(message.project_name)}"}
    blocks.append({"type": "context", "elements": [project]})
    return {"text": _escape(message.title), "blocks": blocks}


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)
