"""Request handling shared by all routes: limits, headers, sizes, and the error format."""

import inspect
import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from sqlalchemy import Connection, event
from sqlalchemy.exc import OperationalError

from edison.app.middleware import rate_limit
from edison.settings import Settings
from tests.support.application import APPLICATION
from tests.support.browser import Browser, error_of

ME = "/api/v1/auth/me"
LOGIN = "/api/v1/auth/login"


def test_dependencies_do_not_run_in_threads() -> None:
    """FastAPI calls a dependency that is a plain function or a class in a thread."""
    plain = {
        (route.path, str(call))
        for route in APPLICATION.routes
        if isinstance(route, APIRoute)
        for call in _dependencies(route.dependant)
        if not (_is_asynchronous(call) or _is_asynchronous(type(call).__call__))
    }
    assert plain == set()


def _dependencies(dependant: Dependant) -> Iterator[Any]:
    for child in dependant.dependencies:
        yield child.call
        yield from _dependencies(child)


def _is_asynchronous(call: Any) -> bool:
    return inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call)


async def test_an_unknown_address_answers_404_in_the_error_shape(anonymous: Browser) -> None:
    response = await anonymous.get("/api/v1/nothing/here")
    assert response.status_code == 404
    assert error_of(response)["code"] == "NOT_FOUND"


async def test_a_wrong_method_answers_405_and_names_the_right_ones(anonymous: Browser) -> None:
    response = await anonymous.delete("/api/health")
    assert response.status_code == 405
    assert response.headers["Allow"] == "GET"
    assert error_of(response)["code"] == "METHOD_NOT_ALLOWED"


async def test_the_trace_id_is_in_the_error_and_in_the_header(anonymous: Browser) -> None:
    response = await anonymous.get(ME)
    assert error_of(response)["traceId"] == response.headers["X-Trace-Id"]
    assert len(response.headers["X-Trace-Id"]) == 32


async def test_a_callers_trace_id_is_taken_over(anonymous: Browser) -> None:
    trace = "0af7651916cd43dd8448eb211c80319c"
    headers = {"traceparent": f"00-{trace}-b7ad6b7169203331-01"}
    response = await anonymous.get(ME, headers=headers)
    assert response.headers["X-Trace-Id"] == trace


async def test_an_unexpected_error_shows_a_trace_id_and_nothing_else(
    app: FastAPI, anonymous: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def explode(*_: Any, **__: Any) -> None:
        raise RuntimeError("the secret is hunter2")

    monkeypatch.setattr("edison.workspace.accounts.service.has_users", explode)
    response = await anonymous.get("/api/v1/auth/config")
    assert response.status_code == 500
    assert error_of(response)["code"] == "INTERNAL_SERVER_ERROR"
    assert error_of(response)["details"] is None
    assert "hunter2" not in response.text
    assert "Traceback" not in response.text


async def test_a_lost_database_answers_503_with_retry_after(
    anonymous: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OperationalError("SELECT 1", {}, Exception("database is locked"))

    monkeypatch.setattr("edison.workspace.accounts.service.has_users", fail)
    response = await anonymous.get("/api/v1/auth/config")
    assert response.status_code == 503
    assert error_of(response)["code"] == "SERVICE_UNAVAILABLE"
    assert response.headers["Retry-After"] == "5"


@pytest.mark.parametrize("declared", [True, False])
async def test_a_body_of_ten_megabytes_is_refused(anonymous: Browser, declared: bool) -> None:
    body = json.dumps({"email": "x" * 10_000_000}).encode()

    async def pieces() -> Any:
        for start in range(0, len(body), 65536):
            yield body[start : start + 65536]

    headers = {"Content-Type": "application/json"}
    content: Any = body if declared else pieces()
    response = await anonymous.post(LOGIN, content=content, headers=headers)
    assert response.status_code == 413
    assert error_of(response)["code"] == "PAYLOAD_TOO_LARGE"


@pytest.mark.parametrize("path", ["/login", "/api/health", ME, "/metrics"])
async def test_every_response_carries_security_headers(anonymous: Browser, path: str) -> None:
    headers = (await anonymous.get(path)).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    policy = headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


async def test_pages_get_a_fresh_nonce_and_no_inline_scripts(anonymous: Browser) -> None:
    first, second = await anonymous.get("/login"), await anonymous.get("/login")
    policies = [page.headers["Content-Security-Policy"] for page in (first, second)]
    assert policies[0] != policies[1]
    for page, policy in zip((first, second), policies, strict=True):
        assert "script-src 'self';" in policy
        nonce = policy.split("'nonce-")[1].split("'")[0]
        assert "__CSP_NONCE__" not in page.text
        assert f'nonce="{nonce}"' in page.text


async def test_api_answers_are_never_stored_by_caches(anonymous: Browser) -> None:
    assert (await anonymous.get(ME)).headers["Cache-Control"] == "no-store"


class TestRateLimit:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(
            update={"requests_per_minute": 3, "requests_per_minute_signed_in": 5}
        )

    @pytest.fixture(autouse=True)
    def _fixed_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # Twenty seconds into a minute, so that no test crosses into the next one.
        monkeypatch.setattr(rate_limit.time, "time", lambda: 1_800_000_020.0)

    async def test_anonymous_requests_share_a_limit_per_address(self, app: FastAPI) -> None:
        statuses = [(await Browser(app).get(ME)).status_code for _ in range(4)]
        assert statuses == [401, 401, 401, 429]
        assert (await Browser(app, address="192.0.2.7").get(ME)).status_code == 401

    async def test_rate_limit_headers_count_down_with_retry_after(self, anonymous: Browser) -> None:
        responses = [await anonymous.get(ME) for _ in range(4)]
        remaining = [response.headers["X-RateLimit-Remaining"] for response in responses]
        assert remaining == ["2", "1", "0", "0"]
        refused = responses[-1]
        assert error_of(refused)["code"] == "TOO_MANY_REQUESTS"
        assert refused.headers["X-RateLimit-Limit"] == "3"
        assert refused.headers["Retry-After"] == "40"
        assert refused.headers["X-RateLimit-Reset"] == "2027-01-15T08:01:00+00:00"

    async def test_signed_in_users_have_their_own_rate_limit(
        self, app: FastAPI, ada: Browser
    ) -> None:
        assert (await ada.get(ME)).status_code == 200
        statuses = [(await ada.get(ME)).status_code for _ in range(6)]
        assert statuses == [200] * 5 + [429]
        assert (await Browser(app).get(ME)).status_code == 401

    async def test_an_invalid_session_does_not_escape_the_limit(self, app: FastAPI) -> None:
        for number in range(3):
            stranger = Browser(app, headers={"Authorization": f"Bearer edn_{number}"})
            assert (await stranger.get(ME)).status_code == 401
        stranger = Browser(app, headers={"Authorization": "Bearer edn_again"})
        assert (await stranger.get(ME)).status_code == 429

    async def test_pages_and_health_are_not_limited(self, anonymous: Browser) -> None:
        for _ in range(6):
            assert (await anonymous.get("/api/health")).status_code == 200
            assert (await anonymous.get("/login")).status_code == 200


async def test_a_change_that_cannot_be_committed_is_not_reported_as_done(
    app: FastAPI, ada: Browser
) -> None:
    engine = app.state.database.engine.sync_engine

    def fail(connection: Connection) -> None:
        if connection.get_execution_options().get("writes", True):
            raise OperationalError("COMMIT", {}, Exception("disk I/O error"))

    event.listen(engine, "commit", fail)
    try:
        response = await ada.post("/api/v1/projects", json={"name": "Lost"})
    finally:
        event.remove(engine, "commit", fail)
    assert response.status_code == 503
    assert (await ada.get("/api/v1/projects")).json()["total"] == 0
