"""Metrics of the server and its engine are reported as one program's."""

from prometheus_client import REGISTRY

from edison.app.call_metrics import ATTEMPTS
from edison.app.engine.metrics import expose_metrics, read_metrics


def lines(exposed: bytes, name: str) -> list[str]:
    return [line for line in exposed.decode().splitlines() if line.startswith(name)]


async def test_counters_of_both_processes_are_added() -> None:
    ATTEMPTS.labels("test", "answered").inc(3)
    of_engine = await read_metrics(None)
    labels = {"provider": "test", "result": "answered"}
    own = REGISTRY.get_sample_value("edison_call_attempts_total", labels) or 0
    name = 'edison_call_attempts_total{provider="test",result="answered"}'
    assert lines(expose_metrics(of_engine), name) == [f"{name} {2 * own}"]
    assert lines(expose_metrics([]), name) == [f"{name} {own}"]


async def test_a_label_that_only_the_engine_has_is_reported() -> None:
    of_engine = [
        {
            "name": "edison_call_attempts",
            "documentation": "Attempts",
            "type": "counter",
            "samples": [("edison_call_attempts_total", {"provider": "x", "result": "y"}, 2.0)],
        }
    ]
    name = 'edison_call_attempts_total{provider="x",result="y"}'
    assert lines(expose_metrics(of_engine), name) == [f"{name} 2.0"]


async def test_metrics_of_requests_and_processes_stay_the_servers_own() -> None:
    names = {family["name"] for family in await read_metrics(None)}
    assert "edison_call_seconds" in names
    assert {
        name for name in names if not name.startswith(("edison_call_", "edison_database_"))
    } == (set())
    assert "edison_database_up" not in names
