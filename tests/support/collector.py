"""An OpenTelemetry collector for tests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer


@dataclass
class Collector:
    """Accepts OTLP over HTTP and stores the received spans and events."""

    url: str = ""
    spans: list[Any] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    services: set[str] = field(default_factory=set)
    was_sent: asyncio.Event = field(default_factory=asyncio.Event)

    async def receive_spans(self, request: web.Request) -> web.Response:
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
            ExportTraceServiceRequest,
            ExportTraceServiceResponse,
        )

        sent = ExportTraceServiceRequest.FromString(await self._read(request))
        for resource in sent.resource_spans:
            self.services.add(attributes(resource.resource)["service.name"])
            for scope in resource.scope_spans:
                self.spans.extend(scope.spans)
        return self._answer(ExportTraceServiceResponse())

    async def receive_events(self, request: web.Request) -> web.Response:
        from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
            ExportLogsServiceRequest,
            ExportLogsServiceResponse,
        )

        sent = ExportLogsServiceRequest.FromString(await self._read(request))
        for resource in sent.resource_logs:
            self.services.add(attributes(resource.resource)["service.name"])
            for scope in resource.scope_logs:
                self.events.extend(scope.log_records)
        return self._answer(ExportLogsServiceResponse())

    async def _read(self, request: web.Request) -> bytes:
        assert request.content_type == "application/x-protobuf"
        return await request.read()

    def _answer(self, message: Any) -> web.Response:
        self.was_sent.set()
        return web.Response(body=message.SerializeToString(), content_type="application/x-protobuf")

    def trace(self, trace_id: str) -> list[Any]:
        return [span for span in self.spans if span.trace_id.hex() == trace_id]


def attributes(holder: Any) -> dict[str, Any]:
    """The attributes of a span, an event or a resource."""
    return {
        each.key: getattr(each.value, each.value.WhichOneof("value")) for each in holder.attributes
    }


@asynccontextmanager
async def collecting() -> AsyncIterator[Collector]:
    collector = Collector()
    app = web.Application()
    app.router.add_post("/v1/traces", collector.receive_spans)
    app.router.add_post("/v1/logs", collector.receive_events)
    server = TestServer(app, host="127.0.0.1")
    await server.start_server()
    collector.url = str(server.make_url("")).rstrip("/")
    yield collector
    await server.close()
