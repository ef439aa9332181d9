"""What a channel sends: stored with a delivery when the news comes in, completed when it leaves."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.deliveries.models import Delivery
from edison.workspace.notifications.schemas import News

_MOST_BODY = 4_000
_MOST_CONTENT = 20_000
TEST_KIND = "test"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryMessage:
    """`url` is the page to open; None when the installation has no public URL. `content` has prompt
    text or answers; None unless the destination includes it.
    """

    id: str
    kind: str
    title: str
    body: str
    created_at: datetime
    project_id: UUID
    project_name: str
    entity: Mapping[str, str]
    part: Mapping[str, str] | None
    facts: Mapping[str, Any] | None
    content: str | None
    url: str | None


def payload_of(news: News, *, includes_content: bool) -> dict[str, Any]:
    """The stored part of a message."""
    return {
        "title": news.title[:200],
        "body": news.body[:_MOST_BODY],
        "path": news.path,
        "entity": {"type": news.entity[0], "id": str(news.entity[1])},
        "part": None if news.part is None else {"type": news.part[0], "id": str(news.part[1])},
        "facts": None if news.facts is None else news.facts.model_dump(mode="json"),
        "content": news.content[:_MOST_CONTENT] if includes_content and news.content else None,
    }


def sample_payload(destination_id: UUID, project_id: UUID) -> dict[str, Any]:
    """The stored part of a test message."""
    return {
        "title": "Test message from Edison",
        "body": "This destination receives messages.",
        "path": f"/p/{project_id}/settings/destinations",
        "entity": {"type": "destination", "id": str(destination_id)},
        "part": None,
        "facts": None,
        "content": None,
    }


def message_of(
    delivery: Delivery, *, project_name: str, site: str | None, includes_content: bool
) -> DeliveryMessage:
    payload = delivery.payload
    return DeliveryMessage(
        id=delivery.message_id,
        kind=delivery.kind,
        title=payload["title"],
        body=payload["body"],
        created_at=delivery.created_at,
        project_id=delivery.project_id,
        project_name=project_name,
        entity=payload["entity"],
        part=payload["part"],
        facts=payload["facts"],
        content=payload["content"] if includes_content else None,
        url=None if site is None else site + payload["path"],
    )
