"""Prometheus metrics: the series that alerts depend on, with bounded labels."""

import asyncio
import re
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from asgi_lifespan import LifespanManager
from fastapi import FastAPI
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from edison.app.main import create_app
from edison.jobs import dead
from edison.jobs.job import Job
from edison.jobs.retry import Failure
from edison.kit.money import NANOS_PER_USD
from edison.settings import Settings
from tests.factories.budgets import exhaust_budget
from tests.factories.experiments import add_experiment, add_iteration, add_suggestion
from tests.factories.projects import make_project
from tests.factories.runs import add_run
from tests.support.browser import Browser

MOST_FOR_REQUESTS = 12
MONITORING = Path(__file__).parents[2] / "deploy" / "monitoring"


async def read(browser: Browser) -> list[Metric]:
    response = await browser.get("/metrics")
    assert response.status_code == 200
    return list(text_string_to_metric_families(response.text))


def value(metrics: Iterable[Metric], name: str, **labels: str) -> float:
    """The sum of a series over all labels not named; 0 when there is none."""
    return sum(
        sample.value
        for metric in metrics
        for sample in metric.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def _named_in_deploy() -> set[str]:
    """The metrics that the alert rules and the dashboard use."""
    texts = [file.read_text() for file in MONITORING.iterdir()]
    found = set(re.findall(r"\bedison_\w+", "".join(texts)))
    return {re.sub(r"_(total|bucket)$", "", name) for name in found}


async def test_the_exposition_has_the_expected_families_once(anonymous: Browser) -> None:
    await anonymous.get("/api/v1/auth/config")
    names = [metric.name for metric in await read(anonymous)]
    assert len(set(names)) == len(names)
    assert _named_in_deploy() <= set(names)
    assert {
        "edison_http_requests",
        "edison_http_request_seconds",
        "edison_http_requests_in_progress",
        "edison_rate_limited",
        "edison_sign_in_failures",
        "edison_database_connections",
        "edison_database_connections_most",
        "edison_database_waiting",
        "edison_database_wait_seconds",
        "edison_database_refused",
        "edison_database_query_seconds",
        "edison_build_info",
        "process_resident_memory_bytes",
        "process_cpu_seconds",
        "process_open_fds",
    } <= set(names)


async def test_requests_are_counted_by_route_and_not_by_address(anonymous: Browser) -> None:
    before = await read(anonymous)
    await anonymous.get("/api/v1/auth/config")
    await anonymous.delete("/api/v1/auth/tokens/0199e0a0-0000-7000-8000-000000000001")
    await anonymous.get("/api/v1/there/is/nothing")
    await anonymous.get("/projects")
    await anonymous.request("BREW", "/api/v1/auth/config")
    after = await read(anonymous)
    for method, route, status in (
        ("GET", "/api/v1/auth/config", "200"),
        ("DELETE", "/api/v1/auth/tokens/{token_id}", "401"),
        ("GET", "other", "404"),
        ("GET", "pages", "200"),
    ):
        labels = {"method": method, "route": route, "status": status}
        name = "edison_http_requests_total"
        assert value(after, name, **labels) == value(before, name, **labels) + 1, labels
    text = (await anonymous.get("/metrics")).text
    assert "BREW" not in text
    assert "0199e0a0" not in text
    assert "there/is" not in text


async def test_the_metrics_request_counts_as_in_progress(anonymous: Browser) -> None:
    assert value(await read(anonymous), "edison_http_requests_in_progress") == 1


async def test_database_connections_are_shown(app: FastAPI, anonymous: Browser) -> None:
    name = "edison_database_connections"
    async with AsyncExitStack() as held:
        for _ in range(MOST_FOR_REQUESTS):
            session = await held.enter_async_context(app.state.database.read())
            await session.connection()
        waiting = asyncio.create_task(anonymous.get("/api/v1/auth/config"))
        during = await read(anonymous)
        while not value(during, "edison_database_waiting", pool="requests"):
            during = await read(anonymous)
    assert value(during, "edison_database_connections_most", pool="requests") == (MOST_FOR_REQUESTS)
    assert value(during, name, state="in_use", pool="requests") == MOST_FOR_REQUESTS
    await waiting
    after = await read(anonymous)
    assert value(after, "edison_database_wait_seconds_count", pool="requests") == 1
    assert value(after, "edison_database_wait_seconds_sum", pool="requests") > 0
    assert value(after, "edison_database_refused_total", pool="requests") == 0


async def test_two_applications_in_one_process_do_not_clash(
    anonymous: Browser, settings: Settings
) -> None:
    name = "edison_database_connections_most"
    alone = value(await read(anonymous), name)
    other = create_app(settings)
    async with LifespanManager(other):
        assert value(await read(anonymous), name) == 2 * alone
    assert value(await read(anonymous), name) == alone


class TestLimits:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"requests_per_minute": 2})

    async def test_refused_requests_are_counted(self, anonymous: Browser) -> None:
        name, labels = "edison_rate_limited_total", {"limit": "requests"}
        before = value(await read(anonymous), name, **labels)
        # The minute may change in between, hence more than three.
        statuses = [(await anonymous.get("/api/v1/auth/config")).status_code for _ in range(6)]
        refused = statuses.count(429)
        assert refused >= 2
        assert value(await read(anonymous), name, **labels) == before + refused


async def test_failed_sign_ins_are_counted_by_reason(anonymous: Browser) -> None:
    name = "edison_sign_in_failures_total"
    before = await read(anonymous)
    body = {"email": "ada@example.org", "password": "wrong"}
    statuses = [
        (await anonymous.post("/api/v1/auth/login", json=body)).status_code for _ in range(6)
    ]
    assert statuses == [401] * 5 + [429]
    after = await read(anonymous)
    for reason, count in (("wrong", 5), ("locked", 1)):
        labels = {"method": "password", "reason": reason}
        assert value(after, name, **labels) == value(before, name, **labels) + count
    locked = {"limit": "attempts"}
    name = "edison_rate_limited_total"
    assert value(after, name, **locked) == value(before, name, **locked) + 1


class TestSingleSignOn:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(
            update={"oidc_issuer": "http://127.0.0.1:9", "oidc_client_id": "edison"}
        )

    async def test_failures_are_counted_by_code(self, anonymous: Browser) -> None:
        name, labels = "edison_sign_in_failures_total", {"method": "oidc", "reason": "oidc_state"}
        before = value(await read(anonymous), name, **labels)
        await anonymous.get("/api/v1/auth/oidc/callback", params={"state": "x", "code": "y"})
        assert value(await read(anonymous), name, **labels) == before + 1


async def test_usage_is_counted_over_all_projects(
    app: FastAPI, ada: Browser, anonymous: Browser
) -> None:
    assert (await ada.get("/api/v1/auth/me")).status_code == 200
    projects = [await make_project(app), await make_project(app, name="Other")]
    await exhaust_budget(app, projects[0].id)
    async with app.state.database.write() as session:
        for project in projects:
            run = {"done_count": 5, "error_count": 1, "cached_count": 2, "score_count": 4}
            await add_run(session, project.id, **run, cost_nanos=NANOS_PER_USD)
            iteration = await add_iteration(session, await add_experiment(session, project.id))
            await add_suggestion(session, iteration, state="approved")
    metrics = await read(anonymous)
    seen = {
        "runs": value(metrics, "edison_runs", state="completed"),
        "answered": value(metrics, "edison_cells", result="answered"),
        "failed": value(metrics, "edison_cells", result="failed"),
        "cached": value(metrics, "edison_cells", result="cached"),
        "scores": value(metrics, "edison_scores"),
        "cost": value(metrics, "edison_runs_cost_usd"),
        "approved": value(metrics, "edison_suggestions", state="approved"),
        "people": value(metrics, "edison_users_active"),
        "budget": value(metrics, "edison_budget_used_share_most"),
        "database": value(metrics, "edison_database_up"),
    }
    assert seen == {
        "runs": 2, "answered": 4, "failed": 2, "cached": 4, "scores": 8, "cost": 2,
        "approved": 2, "people": 1, "budget": 1, "database": 1,
    }  # fmt: skip
    assert 0 < value(metrics, "edison_disk_used_share") <= 1
    assert value(metrics, "edison_database_query_seconds_count") > 0


class TestWithoutSchedules:
    """The scheduler of monitors queues jobs of its own."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"scheduling": False})

    async def test_jobs_and_processes_are_counted(self, app: FastAPI, anonymous: Browser) -> None:
        await app.state.batch_writer.heartbeat.wait_until_registered()
        job = Job(task="work", key="work:1")
        failure = Failure(kind="RuntimeError", trace_id="abc", is_passing=False)
        assert await dead.mark_dead(app.state.database, job, failure=failure, attempts=4)
        metrics = await read(anonymous)
        assert value(metrics, "edison_dead_jobs") == 1
        assert value(metrics, "edison_processes", kind="server") == 1
        assert value(metrics, "edison_processes", kind="worker") == 0
        assert value(metrics, "edison_jobs") == 0
        assert value(metrics, "edison_jobs_oldest_waiting_seconds") == 0
