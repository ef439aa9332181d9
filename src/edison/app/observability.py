"""What Prometheus gets to see. Metrics are per process, labels come from small fixed sets.

Metrics are module-level because a process has one registry; several applications in one process
(tests) share them.
"""

from collections.abc import Iterator, Mapping
from weakref import WeakSet

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, Info
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import QueuePool
from starlette.types import Scope

from edison import __version__

REQUESTS = Counter("edison_http_requests", "Requests answered", ["method", "route", "status"])
SECONDS = Histogram("edison_http_request_seconds", "Time to answer", ["method", "route"])
IN_PROGRESS = Gauge("edison_http_requests_in_progress", "Requests being answered right now")
RATE_LIMITED = Counter("edison_rate_limited", "Requests refused by a limit", ["limit"])
SIGN_IN_FAILURES = Counter("edison_sign_in_failures", "Failed sign-ins", ["method", "reason"])
BUILD = Info("edison_build", "The running version")
BUILD.info({"version": __version__})

_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
_LOGIN = "login"


def note_request(scope: Scope, *, routes: Mapping[str, str], status: int, seconds: float) -> None:
    """Count an answered request. `routes` maps handler names to paths."""
    handler = getattr(scope.get("route"), "name", "")
    # Neither the path nor a made-up method may become a label: both would grow without bound.
    route = routes.get(handler) or ("other" if scope["path"].startswith("/api/") else "pages")
    method = scope["method"] if scope["method"] in _METHODS else "other"
    REQUESTS.labels(method, route, str(status)).inc()
    SECONDS.labels(method, route).observe(seconds)
    if status == 429:
        # A request over its limit is refused before a route is chosen.
        RATE_LIMITED.labels("attempts" if handler in routes else "requests").inc()
    if handler == _LOGIN and status in (401, 429):
        SIGN_IN_FAILURES.labels("password", "wrong" if status == 401 else "locked").inc()
    if failure := scope.get("state", {}).get("sign_in_failure"):
        SIGN_IN_FAILURES.labels("oidc", failure).inc()


class _Pools(Collector):
    """Database connections of every application in this process, read when asked."""

    def __init__(self) -> None:
        self.engines: WeakSet[AsyncEngine] = WeakSet()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        connections = GaugeMetricFamily(
            "edison_database_connections", "Open database connections", labels=["state"]
        )
        pools = [engine.pool for engine in self.engines]
        queues = [pool for pool in pools if isinstance(pool, QueuePool)]
        connections.add_metric(["in_use"], sum(pool.checkedout() for pool in queues))
        connections.add_metric(["idle"], sum(pool.checkedin() for pool in queues))
        yield connections
        yield GaugeMetricFamily(
            "edison_database_connections_most",
            "Connections the pools may open at most",
            value=sum(pool.size() + pool._max_overflow for pool in queues),
        )


_pools = _Pools()
REGISTRY.register(_pools)


def watch_pool(engine: AsyncEngine) -> None:
    """Show the engine's connections in the metrics for as long as it lives."""
    _pools.engines.add(engine)


def forget_pool(engine: AsyncEngine) -> None:
    _pools.engines.discard(engine)
