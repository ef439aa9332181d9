"""Traces and events to an OpenTelemetry collector, when one is configured.

Given a tracer provider, FastAPI opens a span per request; its trace id is the one in logs, error
bodies and `X-Trace-Id`. This module creates the provider, adds a span per SQL statement
(OpenTelemetry's own instrumentation refuses SQLAlchemy 2.1), and redacts secrets in URLs. The
provider is passed as an argument instead of being installed globally, so that several applications
can run in one process.
"""

import asyncio
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from sqlalchemy import event
from sqlalchemy.engine import ExceptionContext, ExecutionContext
from sqlalchemy.ext.asyncio import AsyncEngine

from edison import __version__
from edison.kit.errors import Unavailable
from edison.kit.redaction import redact_text
from edison.settings import Settings

if TYPE_CHECKING:
    from fastapi.telemetry import TelemetryConfig
    from opentelemetry.context import Context
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk.trace import Span as StartedSpan
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.trace import Span
    from starlette.types import Scope

# Limits how long an unreachable collector delays a shutdown.
EXPORT_TIMEOUT_SECONDS = 5
_QUIET = ("/api/health", "/api/readiness", "/metrics", "/assets/")


class TracingNotInstalled(Unavailable):
    """A collector is configured, but the OpenTelemetry packages are not installed."""

    code = "TRACING_NOT_INSTALLED"

    def __init__(self) -> None:
        super().__init__(
            "Tracing is configured (otel_endpoint), but its packages are not installed: "
            "pip install 'edison-workbench[otel]'."
        )


class Tracing:
    """Lifecycle of one application's tracing."""

    def __init__(
        self, provider: "TracerProvider | None", events: "LoggerProvider | None" = None
    ) -> None:
        self._provider = provider
        self.events = events

    @property
    def provider(self) -> "TracerProvider | None":
        """None when no collector is configured."""
        return self._provider

    def for_requests(self) -> "TelemetryConfig":
        """FastAPI's options: spans only. Metrics go to Prometheus, logs to structlog."""
        return {
            "tracing": self._provider is not None,
            "tracer_provider": self._provider,
            "metrics": False,
            "logs": False,
            "auto_configure": False,
            "exclude": _is_quiet,
        }

    def watch_database(self, engine: AsyncEngine) -> None:
        """Adds a span per statement; its text contains placeholders, never values."""
        if self._provider is None:
            return
        from opentelemetry.trace import SpanKind, Status, StatusCode

        tracer = self._provider.get_tracer("edison.database", __version__)
        open_spans: WeakKeyDictionary[ExecutionContext, Span] = WeakKeyDictionary()

        @event.listens_for(engine.sync_engine, "before_cursor_execute")
        def _begin(*call: Any) -> None:
            statement, context = str(call[2]), call[4]
            verb = statement.partition(" ")[0].upper()
            open_spans[context] = tracer.start_span(
                verb,
                kind=SpanKind.CLIENT,
                attributes={
                    "db.system.name": engine.dialect.name,
                    "db.operation.name": verb,
                    "db.query.text": statement,
                },
            )

        @event.listens_for(engine.sync_engine, "after_cursor_execute")
        def _end(*call: Any) -> None:
            if (span := open_spans.pop(call[4], None)) is not None:
                span.end()

        @event.listens_for(engine.sync_engine, "handle_error")
        def _fail(error: ExceptionContext) -> None:
            context = error.execution_context
            if context is not None and (span := open_spans.pop(context, None)) is not None:
                # Only the type: messages quote rejected values.
                span.set_status(Status(StatusCode.ERROR, type(error.original_exception).__name__))
                span.end()

    async def close(self) -> None:
        """Exports the remaining spans and events."""
        for each in (self._provider, self.events):
            if each is not None:
                await asyncio.to_thread(each.shutdown)


def start_tracing(settings: Settings) -> Tracing:
    """Raises TracingNotInstalled when a collector is configured without the `otel` extra."""
    if settings.otel_endpoint is None:
        return Tracing(None)
    try:
        from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk._logs import LoggerProvider
        from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as missing:
        raise TracingNotInstalled from missing
    exporter = OTLPSpanExporter(
        endpoint=f"{settings.otel_endpoint}/v1/traces", timeout=EXPORT_TIMEOUT_SECONDS
    )
    resource = Resource.create({"service.name": "edison", "service.version": __version__})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(_redaction())
    provider.add_span_processor(BatchSpanProcessor(exporter))
    events = LoggerProvider(resource=resource, shutdown_on_exit=False)
    written = OTLPLogExporter(
        endpoint=f"{settings.otel_endpoint}/v1/logs", timeout=EXPORT_TIMEOUT_SECONDS
    )
    events.add_log_record_processor(BatchLogRecordProcessor(written))
    return Tracing(provider, events)


def _is_quiet(scope: "Scope") -> bool:
    """Probes and assets would flood the traces."""
    return bool(scope["path"].startswith(_QUIET))


def _redaction() -> "SpanProcessor":
    from opentelemetry.sdk.trace import SpanProcessor

    class RedactingSpanProcessor(SpanProcessor):
        """Redacts URLs, which contain invitation and sign-in codes."""

        def on_start(self, span: "StartedSpan", parent_context: "Context | None" = None) -> None:
            for name in ("url.path", "url.query"):
                value = (span.attributes or {}).get(name)
                if isinstance(value, str):
                    span.set_attribute(name, redact_text(f"?{value}")[1:])

    return RedactingSpanProcessor()
