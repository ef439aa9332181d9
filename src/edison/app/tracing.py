"""Traces to an OpenTelemetry collector, when one is configured.

FastAPI opens a span per request by itself once it is given a tracer provider, and its trace id is
the one in logs, error bodies and `X-Trace-Id`. This module makes the provider, adds the database's
statements, and keeps secrets in addresses from leaving. The provider is handed around rather than
installed globally, so that several applications can live in one process.
"""

import asyncio
from typing import TYPE_CHECKING

from fastapi.telemetry import TelemetryConfig
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.types import Scope

from edison import __version__
from edison.app.redaction import redact_text
from edison.kit.errors import Unavailable
from edison.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import Span, SpanProcessor, TracerProvider

# A dead collector must not hold up a shutdown for longer than this.
EXPORT_TIMEOUT_SECONDS = 5
_QUIET = ("/api/health", "/api/readiness", "/metrics", "/assets/")


class TracingNotInstalled(Unavailable):
    """A collector is configured, but the packages that talk to it are missing."""

    code = "TRACING_NOT_INSTALLED"

    def __init__(self) -> None:
        super().__init__(
            "Tracing is configured (otel_endpoint), but its packages are not installed: "
            "pip install 'edison[otel]'."
        )


class Tracing:
    """The life of one application's traces."""

    def __init__(self, provider: "TracerProvider | None") -> None:
        self._provider = provider

    def for_requests(self) -> TelemetryConfig:
        """What FastAPI should record: spans. Prometheus has the metrics, structlog the logs."""
        return {
            "tracing": self._provider is not None,
            "tracer_provider": self._provider,
            "metrics": False,
            "logs": False,
            "auto_configure": False,
            "exclude": _is_quiet,
        }

    def watch_database(self, engine: AsyncEngine) -> None:
        if self._provider is None:
            return
        from opentelemetry.instrumentation.sqlalchemy import SQLAlchemyInstrumentor

        SQLAlchemyInstrumentor().instrument(
            engine=engine.sync_engine, tracer_provider=self._provider
        )

    async def close(self) -> None:
        """Send what is left."""
        if self._provider is None:
            return
        from opentelemetry.instrumentation.sqlalchemy import SQLAlchemyInstrumentor

        SQLAlchemyInstrumentor().uninstrument()
        await asyncio.to_thread(self._provider.shutdown)


def start_tracing(settings: Settings) -> Tracing:
    """Raises TracingNotInstalled when a collector is configured without the `otel` extra."""
    if settings.otel_endpoint is None:
        return Tracing(None)
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.instrumentation import sqlalchemy as _sqlalchemy  # noqa: F401
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as missing:
        raise TracingNotInstalled from missing
    exporter = OTLPSpanExporter(
        endpoint=f"{settings.otel_endpoint}/v1/traces", timeout=EXPORT_TIMEOUT_SECONDS
    )
    provider = TracerProvider(
        resource=Resource.create({"service.name": "edison", "service.version": __version__}),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(_redaction())
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return Tracing(provider)


def _is_quiet(scope: Scope) -> bool:
    """Probes and assets would drown everything else."""
    return bool(scope["path"].startswith(_QUIET))


def _redaction() -> "SpanProcessor":
    from opentelemetry.sdk.trace import SpanProcessor

    class Redaction(SpanProcessor):
        """Invitation links and sign-in codes travel in addresses."""

        def on_start(self, span: "Span", parent_context: "Context | None" = None) -> None:
            for name in ("url.path", "url.query"):
                value = (span.attributes or {}).get(name)
                if isinstance(value, str):
                    span.set_attribute(name, redact_text(f"?{value}")[1:])

    return Redaction()
