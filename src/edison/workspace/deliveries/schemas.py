"""Bodies of the destination routes. Addresses are write-only; secrets are shown once."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field, SecretStr, StringConstraints

from edison.api.schema import Line, Schema
from edison.workspace.deliveries.channel import channel_keys
from edison.workspace.deliveries.states import DeliveryState, DisabledReason
from edison.workspace.notifications.schemas import KindKey

DestinationName = Annotated[
    Line, StringConstraints(min_length=1, max_length=100), Field(examples=["On-call"])
]
Address = Annotated[
    SecretStr,
    Field(
        min_length=3,
        max_length=2000,
        description="URL of the webhook, or an email address",
        examples=["https://example.org/hooks/edison"],
    ),
]


def _known_channel(key: str) -> str:
    if key not in channel_keys():
        raise ValueError(f"Choose one of: {', '.join(channel_keys())}.")
    return key


def _without_repetition(kinds: list[str]) -> list[str]:
    return list(dict.fromkeys(kinds))


ChannelKey = Annotated[
    str, AfterValidator(_known_channel), Field(max_length=20, examples=["webhook"])
]
Kinds = Annotated[
    list[KindKey], AfterValidator(_without_repetition), Field(min_length=1, max_length=50)
]


class DestinationRequest(Schema):
    """`kinds` are those of `GET /notifications/kinds`. With `includes_content`, messages may
    contain prompt text and answers.
    """

    channel: ChannelKey
    name: DestinationName
    address: Address
    kinds: Kinds
    includes_content: bool = False


class DestinationChange(Schema):
    """Fields left out are not changed. An address on another host gets a new signing secret."""

    name: DestinationName | None = None
    address: Address | None = None
    kinds: Kinds | None = None
    includes_content: bool | None = None


class DestinationRead(Schema):
    """`target` is the host of a URL, or the email address. `failing_since` is set while no delivery
    succeeds, and `last_failure` is null after a success.
    """

    id: UUID
    channel: str
    name: str
    target: str
    kinds: list[str]
    includes_content: bool
    is_enabled: bool
    disabled_reason: DisabledReason | None
    disabled_at: datetime | None
    failing_since: datetime | None
    last_attempt_at: datetime | None
    last_failure: str | None
    created_at: datetime
    updated_at: datetime


class DestinationSaved(Schema):
    """`secret` verifies the signatures of a webhook. It is not shown again; null when it did not
    change.
    """

    destination: DestinationRead
    secret: str | None


class RotatedSecret(Schema):
    """Messages are signed with the new and with the previous secret until `previous_until`."""

    secret: str
    previous_until: datetime


class ChannelRead(Schema):
    key: str
    title: str
    is_signed: bool


class DeliveryRead(Schema):
    """`message_id` is the same in all attempts. `status`, `answer` and `failure` are those of the
    last attempt; `answer` has the first 500 characters of the response.
    """

    id: UUID
    message_id: str
    kind: str
    title: str
    is_test: bool
    state: DeliveryState
    attempts: int
    status: int | None
    answer: str | None
    failure: str | None
    created_at: datetime
    last_attempt_at: datetime | None
    next_attempt_at: datetime | None
    delivered_at: datetime | None


DeliveryStateParam = Annotated[DeliveryState | None, Field(description="Only in this state")]
