"""Records the HTTP exchange of one call through a vendor's library.

The libraries drop parameters silently and hide headers, and one client serves many calls at once.
So each call sets an Exchange in its context, and the transport records into it.
"""

from collections.abc import Mapping
from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import field
from time import monotonic
from typing import Any

import orjson

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.fault import OutboundFailed
from edison.pipeline.generate.fields import UnusableCredential
from edison.pipeline.generate.wire.failures import GATEWAY_STATUSES

# Names of each parameter in the protocols of OpenAI, Anthropic, Google and Bedrock.
WIRE_NAMES: Mapping[str, frozenset[str]] = {
    "temperature": frozenset({"temperature"}),
    "max_tokens": frozenset(
        {"max_tokens", "max_completion_tokens", "maxOutputTokens", "maxTokens"}
    ),
    "top_p": frozenset({"top_p", "topP"}),
    "frequency_penalty": frozenset({"frequency_penalty", "frequencyPenalty"}),
    "presence_penalty": frozenset({"presence_penalty", "presencePenalty"}),
    "stop": frozenset({"stop", "stop_sequences", "stopSequences"}),
    "seed": frozenset({"seed"}),
    "json_output": frozenset({"response_format", "responseMimeType", "output_config"}),
    "tools": frozenset({"tools", "toolConfig"}),
}
NESTED = ("generationConfig", "inferenceConfig", "additionalModelRequestFields")


@dataclass(slots=True, kw_only=True)
class Exchange:
    deadline: float
    """On the monotonic clock."""
    sent: bytes = b""
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    first_bytes: bytes = b""
    """The first piece of the answer's body."""
    fault: OutboundFailed | None = None
    refused: UnusableCredential | None = None
    pending: "Future[Any] | None" = None
    """The future a thread is waiting for."""

    @property
    def is_sent(self) -> bool:
        return self.status is not None or bool(self.sent)

    @property
    def is_accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_lost_by_gateway(self) -> bool:
        """A gateway's own error page. Vendor libraries turn it into an object that looks like the
        provider's error, although the model behind the gateway may have answered.
        """
        is_document = self.first_bytes.lstrip().startswith(b"{")
        return self.status in GATEWAY_STATUSES and not is_document

    def note_body(self, chunk: bytes) -> None:
        self.first_bytes = self.first_bytes or chunk

    def abandon(self) -> None:
        """Cancels a request made on behalf of a thread, which would otherwise continue without a
        reader.
        """
        if self.pending is not None:
            self.pending.cancel()

    def remaining_seconds(self) -> float:
        # aiohttp treats zero as no timeout.
        return max(self.deadline - monotonic(), 0.001)

    def missing(self, names: list[str]) -> tuple[str, ...]:
        """Returns the names whose parameter is absent from the sent body."""
        try:
            body = orjson.loads(self.sent)
        except orjson.JSONDecodeError:
            return ()
        sent = set(body)
        for key in NESTED:
            sent |= set(body.get(key) or ())
        return tuple(name for name in names if not WIRE_NAMES[name] & sent)


current: ContextVar[Exchange] = ContextVar("exchange")
