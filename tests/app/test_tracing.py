"""Traces reach a collector, with the trace id of the caller and the logs, and without secrets."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from asgi_lifespan import LifespanManager
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from edison.app import tracing
from edison.app.main import create_app
from edison.kit import ids
from edison.settings import Settings
from edison.workspace.accounts import service
from tests.support.browser import Browser, error_of
from tests.support.collector import Collector, attributes, collecting


@pytest.fixture
async def collector() -> AsyncIterator[Collector]:
    async with collecting() as collector:
        yield collector


@pytest.fixture
def settings(settings: Settings, collector: Collector) -> Settings:
    return settings.model_copy(update={"otel_endpoint": collector.url})


async def test_spans_of_a_request_arrive_under_the_trace_id_the_caller_sees(
    settings: Settings, collector: Collector
) -> None:
    app = create_app(settings)
    async with LifespanManager(app), Browser(app) as browser:
        response = await browser.get("/api/v1/auth/config")
        refused = await browser.get("/api/v1/auth/me")
    assert collector.services == {"edison"}
    spans = collector.trace(response.headers["X-Trace-Id"])
    (request,) = [span for span in spans if not span.parent_span_id]
    assert request.name == "GET /api/v1/auth/config"
    statements = [attributes(span).get("db.query.text", "") for span in spans]
    assert any("FROM users" in statement for statement in statements)
    trace_id = error_of(refused)["traceId"]
    assert trace_id == refused.headers["X-Trace-Id"]
    assert collector.trace(trace_id)


async def test_a_failed_statement_shows_its_kind_but_not_its_values(
    settings: Settings, collector: Collector
) -> None:
    app = create_app(settings)
    async with LifespanManager(app):
        with pytest.raises(DBAPIError):
            async with app.state.database.read() as session:
                await session.execute(text("SELECT :value FROM nowhere"), {"value": "hush"})
    (failed,) = [span for span in collector.spans if span.status.code == 2]
    assert failed.name == "SELECT"
    assert attributes(failed)["db.system.name"] == app.state.database.engine.dialect.name
    assert "hush" not in str(collector.spans)


async def test_a_callers_trace_is_continued(settings: Settings, collector: Collector) -> None:
    trace_id = "4bf92f3577b34da6a3ce929d0e0e4736"
    parent = "00f067aa0ba902b7"
    app = create_app(settings)
    async with LifespanManager(app), Browser(app) as browser:
        response = await browser.get(
            "/api/v1/auth/config", headers={"traceparent": f"00-{trace_id}-{parent}-01"}
        )
    assert response.headers["X-Trace-Id"] == trace_id
    assert parent in {span.parent_span_id.hex() for span in collector.trace(trace_id)}


async def test_no_secret_leaves_in_a_span(
    settings: Settings, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = ids.new_secret()

    async def fail(*_: object) -> bool:
        raise RuntimeError(f"lost {secret}")

    monkeypatch.setattr(service, "has_users", fail)
    app = create_app(settings)
    async with LifespanManager(app), Browser(app) as browser:
        await browser.get(f"/api/v1/invitations/{secret}")
        await browser.get(f"/api/v1/auth/oidc/callback?code=abc-{secret[:9]}&state=def&x=1")
        await browser.get("/api/v1/auth/config", headers={"Authorization": f"Bearer {secret}"})
    everything = "".join(str(span) for span in collector.spans)
    assert secret not in everything
    assert secret[:9] not in everything
    assert "code=***&state=***&x=1" in everything


async def test_probes_are_not_traced(settings: Settings, collector: Collector) -> None:
    app = create_app(settings)
    async with LifespanManager(app), Browser(app) as browser:
        await browser.get("/metrics")
    assert "/metrics" not in "".join(span.name for span in collector.spans)


async def test_an_unreachable_collector_does_not_affect_requests(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracing, "EXPORT_TIMEOUT_SECONDS", 1)
    app = create_app(settings.model_copy(update={"otel_endpoint": "http://127.0.0.1:9"}))
    async with LifespanManager(app, shutdown_timeout=20), Browser(app) as browser:
        assert (await browser.get("/api/v1/auth/config")).status_code == 200


def test_missing_packages_are_named_in_one_line(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(tracing.TracingNotInstalled) as refused:
        create_app(settings)
    assert "pip install 'edison-workbench[otel]'" in refused.value.message
    assert "\n" not in refused.value.message


@pytest.mark.parametrize("variable", ["EDISON_OTEL_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"])
def test_the_standard_variable_works_too(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "http://collector:4318/")
    assert Settings().otel_endpoint == "http://collector:4318"


def test_tracing_packages_are_imported_only_when_enabled(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from edison.app.main import create_app; "
        "from edison.settings import Settings; create_app(Settings(data_dir=Path(sys.argv[1]))); "
        "sys.exit(any(name.startswith('opentelemetry.sdk') for name in sys.modules))"
    )
    environment = {name: value for name, value in os.environ.items() if "OTEL" not in name}
    done = subprocess.run([sys.executable, "-c", code, tmp_path], env=environment, check=False)
    assert done.returncode == 0
