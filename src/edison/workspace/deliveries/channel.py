"""Base of channels, one per file in `channels/`, and their registry."""

from abc import ABC, abstractmethod
from dataclasses import field
from typing import ClassVar

from edison.kit import registry
from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.deliveries.message import DeliveryMessage
from edison.workspace.deliveries.transport import Transport

_PACKAGE = "edison.workspace.deliveries.channels"
MOST_ANSWER = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """`secrets` sign a message, the newest first; empty for channels that do not sign."""

    address: str = field(repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SendResult:
    """The result of one attempt. `failure` is a sentence for users, None when the receiver accepted
    the message. `is_gone`: the receiver asks for no more messages. `is_unavailable`: other messages
    would fail, too.
    """

    failure: str | None = None
    status: int | None = None
    answer: str | None = None
    is_gone: bool = False
    is_unavailable: bool = False


class Channel(ABC):
    """A way to send messages. The module's name is the channel's key, which is stored."""

    title: ClassVar[str]
    # Whether messages are signed with a secret that Edison generates.
    is_signed: ClassVar[bool] = False

    @abstractmethod
    def read_target(self, address: str, transport: Transport) -> str:
        """The part of a valid address that may be shown. Raises ValueError or AddressRefused, with
        a sentence for users.
        """

    @abstractmethod
    async def send(
        self, message: DeliveryMessage, recipient: Recipient, transport: Transport
    ) -> SendResult:
        """One attempt. Returns failures of the receiver instead of raising them."""


def channel_keys() -> tuple[str, ...]:
    return registry.keys_of(_PACKAGE)


def load_channel(key: str) -> Channel:
    """Raises KeyError."""
    return registry.load_plugin(_PACKAGE, key, Channel)()


def shorten_answer(content: bytes) -> str:
    """The beginning of an answer as text that can be stored and shown."""
    text = content.decode(errors="replace")
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)[:MOST_ANSWER]
