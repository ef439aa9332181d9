"""Base class of providers reached through pydantic-ai.

The library translates prompts and answers to each vendor's protocol. Edison supplies the rest: the
connection, the deadline, the secrets, no retries, and a record of the request as sent.
"""

import asyncio
import logging
import warnings
from abc import abstractmethod
from collections.abc import AsyncIterator
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

from pydantic import PrivateAttr

from edison.pipeline.generate.call import Call
from edison.pipeline.generate.fault import OutboundFailed
from edison.pipeline.generate.fields import UnusableCredential
from edison.pipeline.generate.hosted.exchange import Exchange, current
from edison.pipeline.generate.http_provider import HttpProvider
from edison.pipeline.generate.outcome import FailureReason, Outcome, Streamed, TextDelta
from edison.pipeline.generate.wire.failures import RequestContext, cut_off, failed
from edison.pipeline.generate.wire.reply import Reply

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

# Exceptions raised by pydantic-ai, vendor libraries and Python on unexpected documents, in addition
# to pydantic-ai's own errors.
BROKEN_DOCUMENT = (LookupError, TypeError, ValueError, AttributeError, AssertionError, RuntimeError)
VENDOR_LOGGERS = ("anthropic", "boto3", "botocore", "google_genai", "httpcore2", "httpx2", "openai")
VENDOR_MODULES = r"(pydantic_ai|anthropic|openai|google|boto3|botocore)(\.|$)"


class HostedProvider(HttpProvider):
    """Subclasses create the pydantic-ai model, once per name, and add vendor-specific settings."""

    _models: "dict[str, Model[Any]]" = PrivateAttr(default_factory=dict)

    _making: asyncio.Lock = PrivateAttr(default_factory=asyncio.Lock)

    @abstractmethod
    def _make_model(self, name: str) -> "Model[Any]":
        """Called in a thread, because it imports the vendor's library."""

    async def complete(self, call: Call) -> Outcome:
        try:
            model = await self._model(call.model)
        except UnusableCredential as unusable:
            return unusable.failure(self._asked(call))
        from pydantic_ai import direct

        from edison.pipeline.generate.hosted import translation

        asked, exchange, started = self._begin(call)
        token = current.set(exchange)
        try:
            async with asyncio.timeout(call.timeout_seconds):
                response = await direct.model_request(
                    model,
                    translation.to_messages(call),
                    model_settings=self._settings(call),
                    model_request_parameters=translation.to_request_parameters(call),
                )
        except TimeoutError:
            return failed(asked, FailureReason.TIMEOUT)
        except self._errors() as error:
            return translation.to_failure(asked, error, exchange)
        finally:
            current.reset(token)
            exchange.abandon()
        reply = Reply(started=started, ignored=_ignored(call, exchange), model=call.model)
        translation.fill(reply, response, exchange)
        if response.finish_reason is None:
            # The library streams long answers even when no stream was requested.
            return cut_off(asked, usage=reply.usage_so_far())
        return reply.outcome(asked)

    async def stream(self, call: Call) -> AsyncIterator[Streamed]:
        try:
            model = await self._model(call.model)
        except UnusableCredential as unusable:
            yield unusable.failure(self._asked(call))
            return
        from pydantic_ai import direct

        from edison.pipeline.generate.hosted import translation

        asked, exchange, started = self._begin(call)
        reply = Reply(started=started, ignored=(), model=call.model)
        try:
            # The request is sent while the stream opens; later reads hold a reference to their
            # exchange. So the context variable is reset before the first yield, and the reader's
            # context stays unchanged.
            token = current.set(exchange)
            try:
                opening = direct.model_request_stream(
                    model,
                    translation.to_messages(call),
                    model_settings=self._settings(call),
                    model_request_parameters=translation.to_request_parameters(call),
                )
                events = await opening.__aenter__()
            finally:
                current.reset(token)
            try:
                async for event in events:
                    text = translation.new_text(event)
                    if text:
                        reply.add_text(text)
                        yield TextDelta(text=text)
                response = events.get()
            finally:
                exchange.abandon()
                await opening.__aexit__(None, None, None)
        except self._errors() as error:
            yield translation.to_failure(asked, error, exchange)
        else:
            reply.ignored = _ignored(call, exchange)
            translation.fill(reply, response, exchange)
            if translation.is_whole(response):
                yield reply.outcome(asked, is_streamed=True)
            else:
                yield cut_off(asked, usage=reply.usage_so_far())

    def _vendor_errors(self) -> tuple[type[Exception], ...]:
        """Errors of the vendor's library that pydantic-ai passes through."""
        return ()

    def _errors(self) -> tuple[type[Exception], ...]:
        from httpx2 import TransportError
        from pydantic_ai.exceptions import AgentRunError, UserError

        own = (AgentRunError, UserError, OutboundFailed)
        # Libraries pass on a connection that breaks while they read an error's body.
        return (*own, TransportError, *BROKEN_DOCUMENT, *self._vendor_errors())

    def _begin(self, call: Call) -> tuple[RequestContext, Exchange, float]:
        # Suppressed, because the output already shows which parameters were not sent. Filters
        # belong to the process, not the task: setting one again is harmless, restoring one is not.
        warnings.filterwarnings("ignore", module=VENDOR_MODULES)
        warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
        exchange = Exchange(deadline=monotonic() + call.timeout_seconds)
        return self._asked(call), exchange, perf_counter()

    async def _model(self, name: str) -> "Model[Any]":
        model = self._models.get(name)
        if model is None:
            # Many first calls arrive at once, and creating a model can be slow.
            async with self._making:
                model = self._models.get(name)
                if model is None:
                    silence_vendor_loggers()
                    model = await asyncio.to_thread(self._make_model, name)
                    self._models[name] = model
        return model

    def _settings(self, call: Call) -> "ModelSettings":
        from edison.pipeline.generate.hosted import translation

        parameters, _ = call.sendable()
        settings = translation.to_settings(parameters)
        # The exchange enforces the deadline; without a number Anthropic's library rejects long
        # answers.
        settings["timeout"] = call.timeout_seconds
        return settings

    async def close(self) -> None:
        self._models.clear()
        await super().close()


def silence_vendor_loggers() -> None:
    """Raises log levels: below WARNING the libraries log complete requests and answers."""
    for name in VENDOR_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)


def _ignored(call: Call, exchange: Exchange) -> tuple[str, ...]:
    """Parameters the model does not accept, and parameters the library left out."""
    parameters, refused = call.sendable()
    asked_for = [
        name
        for name in (
            "temperature",
            "max_tokens",
            "top_p",
            "frequency_penalty",
            "presence_penalty",
            "stop",
            "seed",
        )
        if getattr(parameters, name) is not None
    ]
    if call.sends_json:
        asked_for.append("json_output")
    if call.sends_tools:
        asked_for.append("tools")
    return refused + exchange.missing(asked_for)
