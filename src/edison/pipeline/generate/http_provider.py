"""Base class of providers reached over HTTP: one guarded client, and metadata requests."""

from abc import abstractmethod
from collections.abc import AsyncIterator
from functools import cached_property
from typing import TYPE_CHECKING

from edison.pipeline.generate.call import Call
from edison.pipeline.generate.fault import OutboundFailed
from edison.pipeline.generate.fields import UnusableCredential
from edison.pipeline.generate.moderation import moderate
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    Outcome,
    Streamed,
    TextDelta,
)
from edison.pipeline.generate.provider import Provider
from edison.pipeline.generate.wire.failures import (
    RequestContext,
    failure_of_answer,
    failure_of_error,
    failure_of_fault,
    malformed,
)
from edison.pipeline.generate.wire.json_value import Json

if TYPE_CHECKING:
    from edison.pipeline.generate.http_connection import WholeAnswer
    from edison.pipeline.generate.outbound import OutboundClient

CHECK_TIMEOUT_SECONDS = 15.0


class HttpProvider(Provider):
    @cached_property
    def _outbound(self) -> "OutboundClient":
        """Cached among the fields: a private attribute takes far longer to read, and every call
        reads it.
        """
        from edison.pipeline.generate.outbound import OutboundClient

        return OutboundClient(self._network)

    @abstractmethod
    async def _headers(self, timeout_seconds: float) -> dict[str, str]:
        """Returns the authentication headers. Raises UnusableCredential or OutboundFailed."""

    async def check(self) -> CallFailed | None:
        models = await self.list_models()
        return models if isinstance(models, CallFailed) else None

    async def _get(self, url: str) -> Json | CallFailed:
        """Fetches a document about the service itself, such as its list of models."""
        asked = RequestContext(
            service=self.title,
            timeout_seconds=CHECK_TIMEOUT_SECONDS,
            hide_secrets=self.hide_secrets,
        )
        try:
            client = self._client()
            head = client.head("GET", url, await self._headers(CHECK_TIMEOUT_SECONDS))
            answer = await client.fetch(head, timeout_seconds=CHECK_TIMEOUT_SECONDS)
            content = answer.whole_content()
        except OutboundFailed as fault:
            return failure_of_fault(asked, fault)
        except UnusableCredential as unusable:
            return unusable.failure(asked)
        if not answer.is_success:
            return failure_of_answer(asked, answer.status, answer.headers, content)
        document = Json.parse(content)
        if document is None:
            return malformed(asked, describe_non_json(content))
        if document["error"]:
            return failure_of_error(asked, document, status=answer.status, headers=answer.headers)
        return document

    async def _moderate(self, call: Call, base_url: str) -> Outcome:
        """Runs OpenAI's moderation endpoint, for providers that offer it."""

        async def send(body: bytes) -> "WholeAnswer":
            headers = await self._headers(call.timeout_seconds)
            client = self._client()
            head = client.head(
                "POST", f"{base_url}/moderations", headers | {"Content-Type": "application/json"}
            )
            return await client.fetch(head, body, timeout_seconds=call.timeout_seconds)

        return await moderate(call, self._asked(call), send)

    async def _moderated(self, call: Call, base_url: str) -> AsyncIterator[Streamed]:
        """Streaming form of `_moderate`; the result arrives in one piece."""
        outcome = await self._moderate(call, base_url)
        if isinstance(outcome, Completion):
            yield TextDelta(text=outcome.text)
        yield outcome

    def _asked(self, call: Call) -> RequestContext:
        return RequestContext(
            service=self.title,
            model=call.model,
            timeout_seconds=call.timeout_seconds,
            hide_secrets=self.hide_secrets,
        )

    def _client(self) -> "OutboundClient":
        return self._outbound

    async def close(self) -> None:
        client = self.__dict__.pop("_outbound", None)
        if client is not None:
            await client.close()


def describe_non_json(content: bytes) -> str:
    """Describes content that is not JSON, for an error message."""
    if content.lstrip()[:1] == b"<":
        return "it is a web page; check the address of the credential"
    return "it is not JSON" if content.strip() else "it is empty"
