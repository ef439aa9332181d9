"""What is counted of calls."""

import pytest
from prometheus_client import REGISTRY

from edison.app.call_metrics import CallMetrics
from edison.kit.money import NANOS_PER_USD
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    Outcome,
    Usage,
)
from edison.pipeline.generate.path.ports import AttemptReport

ANSWER = Completion(
    text="Yes.",
    finish_reason=FinishReason.STOP,
    usage=Usage(input_tokens=30, output_tokens=7),
    model="m",
)
FAILURE = CallFailed(reason=FailureReason.RATE_LIMIT, message="Too often.", is_retryable=True)


def read(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, {"provider": "test-metrics", **labels}) or 0


@pytest.mark.parametrize(
    ("outcome", "result", "tokens"),
    [(ANSWER, "answered", (30, 7)), (FAILURE, "rate_limit", (0, 0)), (None, "cancelled", (0, 0))],
)
def test_an_attempt_is_counted_once(
    outcome: Outcome | None, result: str, tokens: tuple[int, int]
) -> None:
    series: list[tuple[str, dict[str, str], float]] = [
        ("edison_call_attempts_total", {"result": result}, 1),
        ("edison_call_seconds_count", {}, 1),
        ("edison_call_seconds_sum", {}, 1.5),
        ("edison_call_seconds_bucket", {"le": "1.0"}, 0),
        ("edison_call_seconds_bucket", {"le": "2.5"}, 1),
        ("edison_call_tokens_total", {"kind": "input"}, tokens[0]),
        ("edison_call_tokens_total", {"kind": "output"}, tokens[1]),
        ("edison_call_cost_usd_total", {}, 0.25),
    ]
    before = [read(name, **labels) for name, labels, _ in series]
    CallMetrics(None).attempt_ended(
        AttemptReport(
            provider="test-metrics",
            model="m",
            attempt=1,
            outcome=outcome,
            cost_nanos=NANOS_PER_USD // 4,
            started_at=10.0,
            ended_at=11.5,
        )
    )
    after = [read(name, **labels) for name, labels, _ in series]
    added = [new - old for new, old in zip(after, before, strict=True)]
    assert added == [expected for _, _, expected in series]


def test_waits_and_cached_answers_are_counted() -> None:
    names = ("edison_call_wait_seconds_total", "edison_call_cached_total")
    labels: tuple[dict[str, str], ...] = ({"reason": "concurrency"}, {})
    before = [read(name, **each) for name, each in zip(names, labels, strict=True)]
    metrics = CallMetrics(None)
    metrics.waited(provider="test-metrics", reason="concurrency", seconds=0.5)
    metrics.waited(provider="test-metrics", reason="concurrency", seconds=0.25)
    metrics.answered_from_cache(provider="test-metrics", model="m")
    after = [read(name, **each) for name, each in zip(names, labels, strict=True)]
    assert [new - old for new, old in zip(after, before, strict=True)] == [0.75, 1]
