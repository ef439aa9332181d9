"""Prometheus metrics of requests and connection pools. Metrics are per process; labels come from
small fixed sets.

Metrics are module-level because a process has one registry, which several applications in one
process (tests) share.
"""

import time
from collections.abc import Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, Info, Metric
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector
from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.types import Scope

from edison import __version__
from edison.db.pool import FairPool

REQUESTS = Counter("edison_http_requests", "Requests handled", ["method", "route", "status"])
SECONDS = Histogram("edison_http_request_seconds", "Request duration", ["method", "route"])
IN_PROGRESS = Gauge("edison_http_requests_in_progress", "Requests in progress")
RATE_LIMITED = Counter("edison_rate_limited", "Requests rejected by a limit", ["limit"])
SIGN_IN_FAILURES = Counter("edison_sign_in_failures", "Failed sign-ins", ["method", "reason"])
QUERY_SECONDS = Histogram(
    "edison_database_query_seconds",
    "Duration of a database statement; on SQLite without those of write batches",
    buckets=(0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
BUILD = Info("edison_build", "The running version")
BUILD.info({"version": __version__})

_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
_LOGIN = "login"
_BEGUN = "edison_begun"


def count_request(scope: Scope, *, routes: Mapping[str, str], status: int, seconds: float) -> None:
    """Counts a finished request. `routes` maps handler names to paths."""
    handler = getattr(scope.get("route"), "name", "")
    # Paths and unknown methods are not used as labels: both are unbounded.
    route = routes.get(handler) or ("other" if scope["path"].startswith("/api/") else "pages")
    method = scope["method"] if scope["method"] in _METHODS else "other"
    REQUESTS.labels(method, route, str(status)).inc()
    SECONDS.labels(method, route).observe(seconds)
    if status == 429:
        # The rate limiter rejects a request before routing.
        RATE_LIMITED.labels("attempts" if handler in routes else "requests").inc()
    if handler == _LOGIN and status in (401, 429):
        SIGN_IN_FAILURES.labels("password", "wrong" if status == 401 else "locked").inc()
    if failure := scope.get("state", {}).get("sign_in_failure"):
        SIGN_IN_FAILURES.labels("oidc", failure).inc()


class _Pools(Collector):
    """Database connections of every application in this process, read on each scrape."""

    def __init__(self) -> None:
        self.engines: WeakKeyDictionary[AsyncEngine, str] = WeakKeyDictionary()

    def collect(self) -> Iterator[Metric]:
        pools = [(name, engine.pool) for engine, name in self.engines.items()]
        rooms = [
            (name, pool, pool.waiting_room) for name, pool in pools if isinstance(pool, FairPool)
        ]
        connections = GaugeMetricFamily(
            "edison_database_connections", "Open database connections", labels=["pool", "state"]
        )
        most = GaugeMetricFamily(
            "edison_database_connections_most",
            "Connection limit of the pools",
            labels=["pool"],
        )
        waiting = GaugeMetricFamily(
            "edison_database_waiting", "Tasks waiting for a connection", labels=["pool"]
        )
        waits = SummaryMetricFamily(
            "edison_database_wait_seconds",
            "Waits for a free connection",
            labels=["pool"],
        )
        refused = CounterMetricFamily(
            "edison_database_refused",
            "Waits for a connection that timed out",
            labels=["pool"],
        )
        for name in sorted({name for name, *_ in rooms}):
            found = [(pool, room) for each, pool, room in rooms if each == name]
            connections.add_metric([name, "in_use"], sum(pool.checkedout() for pool, _ in found))
            connections.add_metric([name, "idle"], sum(pool.checkedin() for pool, _ in found))
            most.add_metric([name], sum(room.places for _, room in found))
            waiting.add_metric([name], sum(room.waiting for _, room in found))
            waits.add_metric(
                [name],
                count_value=sum(room.waited_count for _, room in found),
                sum_value=sum(room.waited_seconds for _, room in found),
            )
            refused.add_metric([name], sum(room.refused_count for _, room in found))
        yield from (connections, most, waiting, waits, refused)


_pools = _Pools()
REGISTRY.register(_pools)


def watch_pool(name: str, engine: AsyncEngine) -> None:
    """Exports the engine's connection counts for as long as the engine exists, and measures its
    statements.
    """
    _pools.engines[engine] = name
    event.listen(engine.sync_engine, "before_cursor_execute", _begin_statement)
    event.listen(engine.sync_engine, "after_cursor_execute", _end_statement)


def _begin_statement(connection: Connection, *_rest: Any) -> None:
    connection.info[_BEGUN] = time.perf_counter()


def _end_statement(connection: Connection, *_rest: Any) -> None:
    QUERY_SECONDS.observe(time.perf_counter() - connection.info[_BEGUN])


def unwatch_pool(engine: AsyncEngine) -> None:
    _pools.engines.pop(engine, None)
