"""Base class of providers that speak HTTP directly instead of through a vendor's library.

Optimised for throughput: one request, one parse, no layers in between.
"""

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any

import orjson
from pydantic import SecretStr

from edison.pipeline.generate.call import Call
from edison.pipeline.generate.fault import OutboundFailed
from edison.pipeline.generate.fields import UnusableCredential, sendable
from edison.pipeline.generate.http_provider import HttpProvider, describe_non_json
from edison.pipeline.generate.outcome import CallFailed, Outcome, Streamed, TextDelta
from edison.pipeline.generate.provider import CallEnd, OnEnd, SentCall
from edison.pipeline.generate.wire.failures import (
    RequestContext,
    cut_off,
    failure_of_answer,
    failure_of_error,
    failure_of_fault,
    malformed,
    request_id,
)
from edison.pipeline.generate.wire.json_value import Json
from edison.pipeline.generate.wire.reply import Reply

if TYPE_CHECKING:
    from edison.pipeline.generate.connection_pool import Exchange
    from edison.pipeline.generate.http_connection import Ending, WholeAnswer
    from edison.pipeline.generate.outbound import RequestHead
    from edison.pipeline.generate.outbound_session import OutboundResponse

WHOLE_DOCUMENTS = ("application/json", "text/html")


class _PostedCall:
    """A call in flight that has no task."""

    __slots__ = ("_call", "_on_end", "_provider", "_reply", "exchange")

    def __init__(
        self, provider: "DirectHttpProvider", call: Call, reply: Reply, on_end: OnEnd
    ) -> None:
        self._provider = provider
        self._call = call
        self._reply = reply
        self._on_end = on_end
        self.exchange: Exchange | None = None

    def end(self, ending: "Ending") -> None:
        try:
            outcome: CallEnd = self._provider.conclude(ending, self._call, self._reply)
        except Exception as broken:  # passed on, as a task would
            outcome = broken
        self._on_end(outcome)

    def abort(self) -> None:
        if self.exchange is not None and self.exchange.abort():
            asyncio.get_running_loop().call_soon(self._on_end, None)


class DirectHttpProvider(HttpProvider):
    """Subclasses define the URL, the request body and how to parse the answer."""

    @abstractmethod
    def _chat_url(self) -> str: ...

    @abstractmethod
    def _request(self, call: Call, *, is_streamed: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Returns the body, and the names of requested parameters that are not sent."""

    @abstractmethod
    def _read_answer(self, document: Json, reply: Reply) -> str | None:
        """Fills `reply` from the document. Returns what is wrong with the document, or None."""

    @abstractmethod
    def _read_piece(self, document: Json, reply: Reply) -> str:
        """Fills `reply` from a piece of a streamed answer. Returns the text it adds."""

    @abstractmethod
    def _pieces(self, response: "OutboundResponse") -> AsyncIterator[Json | None]:
        """Yields the documents of a stream. None means that the answer is complete."""

    @abstractmethod
    def _secret(self) -> SecretStr | None: ...

    async def complete(self, call: Call) -> Outcome:
        body, reply = self._started(call, is_streamed=False)
        try:
            ending: Ending = await self._outbound.fetch(
                self._chat_head, body, timeout_seconds=call.timeout_seconds
            )
        except OutboundFailed as fault:
            ending = fault
        except UnusableCredential as unusable:
            return unusable.failure(self._asked(call))
        return self.conclude(ending, call, reply)

    def begin(self, call: Call, on_end: OnEnd) -> SentCall | None:
        body, reply = self._started(call, is_streamed=False)
        posted = _PostedCall(self, call, reply, on_end)
        try:
            posted.exchange = self._outbound.begin(
                self._chat_head, body, posted.end, timeout_seconds=call.timeout_seconds
            )
        except (OutboundFailed, UnusableCredential):
            # `complete` meets it again, and says so.
            return None
        return None if posted.exchange is None else posted

    def conclude(self, ending: "Ending", call: Call, reply: Reply) -> Outcome:
        if isinstance(ending, OutboundFailed):
            return failure_of_fault(self._asked(call), ending)
        if not ending.is_success:
            content = None if ending.fault else ending.content
            return failure_of_answer(self._asked(call), ending.status, ending.headers, content)
        if ending.fault is not None:
            return failure_of_fault(self._asked(call), ending.fault)
        return self._outcome(ending.content, ending, call, reply)

    async def stream(self, call: Call) -> AsyncIterator[Streamed]:
        asked = self._asked(call)
        body, reply = self._started(call, is_streamed=True)
        try:
            async with await self._outbound.send(
                "POST",
                self._chat_url(),
                headers=self._written_headers(),
                body=body,
                timeout_seconds=call.timeout_seconds,
            ) as response:
                if not 200 <= response.status < 300:
                    yield await self._refusal(response, asked)
                elif response.headers.get("Content-Type", "").startswith(WHOLE_DOCUMENTS):
                    # The server does not stream, reports an error, or is a different kind of
                    # server.
                    content = await response.read()
                    outcome = self._outcome(content, response, call, reply, is_streamed=True)
                    if reply.pieces:
                        yield TextDelta(text="".join(reply.pieces))
                    yield outcome
                else:
                    async for item in self._follow(response, reply, asked):
                        yield item
        except OutboundFailed as fault:
            yield failure_of_fault(asked, fault)
        except UnusableCredential as unusable:
            yield unusable.failure(asked)

    def _started(self, call: Call, *, is_streamed: bool) -> tuple[bytes, Reply]:
        """The body of the request, and the reply to fill, whose time begins here."""
        started = perf_counter()
        body, ignored = self._request(call, is_streamed=is_streamed)
        return orjson.dumps(body), Reply(started=started, ignored=ignored, model=call.model)

    async def _refusal(self, response: "OutboundResponse", asked: RequestContext) -> CallFailed:
        """Failure for an error status, even if its body is incomplete."""
        content: bytes | None = None
        with suppress(OutboundFailed):
            content = await response.read()
        return failure_of_answer(asked, response.status, response.headers, content)

    async def _follow(
        self, response: "OutboundResponse", reply: Reply, asked: RequestContext
    ) -> AsyncIterator[Streamed]:
        reply.request_id = request_id(response.headers)
        try:
            async for piece in self._pieces(response):
                if piece is None:
                    reply.is_complete = True
                    break
                if piece["error"]:
                    failure = failure_of_error(asked, piece, status=200, headers=response.headers)
                    yield replace(failure, usage=reply.usage_so_far())
                    return
                text = self._read_piece(piece, reply)
                if text:
                    yield TextDelta(text=text)
        except orjson.JSONDecodeError:
            yield malformed(asked, "a piece of the stream is not JSON", usage=reply.usage_so_far())
            return
        if not reply.is_complete and reply.finish_reason is None:
            yield cut_off(asked, usage=reply.usage_so_far())
        elif reply.finish_reason is None and not reply.pieces and not reply.tool_calls:
            yield malformed(asked, "the stream is empty", usage=reply.usage_so_far())
        else:
            yield reply.outcome(asked, is_streamed=True)

    def _outcome(
        self,
        content: bytes,
        response: "OutboundResponse | WholeAnswer",
        call: Call,
        reply: Reply,
        *,
        is_streamed: bool = False,
    ) -> Outcome:
        document = Json.parse(content)
        if document is None:
            return malformed(self._asked(call), describe_non_json(content))
        if document["error"]:
            return failure_of_error(
                self._asked(call), document, status=response.status, headers=response.headers
            )
        reply.request_id = request_id(response.headers)
        wrong = self._read_answer(document, reply)
        if wrong is not None:
            return malformed(self._asked(call), wrong, usage=reply.usage)
        return reply.completion(is_streamed=is_streamed) or reply.withheld(self._asked(call))

    @cached_property
    def _chat_head(self) -> "RequestHead":
        """Shared by all calls that are not streamed. Cached like `_outbound`."""
        return self._outbound.head("POST", self._chat_url(), self._written_headers())

    async def _headers(self, timeout_seconds: float) -> dict[str, str]:
        return self._written_headers()

    def _written_headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        secret = self._secret()
        if secret is not None:
            headers["Authorization"] = f"Bearer {sendable(secret)}"
        return headers
