"""Prometheus metrics and OpenTelemetry spans of model calls."""

from collections import OrderedDict
from functools import cache
from typing import TYPE_CHECKING

from prometheus_client import Histogram

from edison import __version__
from edison.app.batched_counter import BatchedCounter
from edison.kit.money import NANOS_PER_USD
from edison.pipeline.generate.outcome import CallFailed, Completion, Outcome
from edison.pipeline.generate.path.ports import AttemptReport

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import SpanContext, Tracer

# The provider is a label; the model is not, because the set of models is unbounded.
ATTEMPTS = BatchedCounter(
    "edison_call_attempts", "Attempts to call a model", ["provider", "result"]
)
SECONDS = Histogram(
    "edison_call_seconds",
    "Duration of an attempt",
    ["provider"],
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120),
)
WAITED = BatchedCounter("edison_call_wait_seconds", "Queue time of calls", ["provider", "reason"])
TOKENS = BatchedCounter("edison_call_tokens", "Tokens used", ["provider", "kind"])
COST = BatchedCounter("edison_call_cost_usd", "Cost of calls with a known price", ["provider"])
CACHED = BatchedCounter("edison_call_cached", "Calls answered from the cache", ["provider"])
ANSWERED = "answered"

# Names of the conventions where they differ from Edison's.
_PROVIDER_NAMES = {
    "azure": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "vertex": "gcp.vertex_ai",
}

# Spans that an evaluation of their answer can still refer to.
_SPANS_KEPT = 10_000


class _ProviderSeries:
    """The series that answers of a provider count in, looked up once."""

    def __init__(self, provider: str) -> None:
        self.answered = ATTEMPTS.labels(provider, ANSWERED)
        self.seconds = SECONDS.labels(provider)
        self.cost = COST.labels(provider)
        self.input_tokens = TOKENS.labels(provider, "input")
        self.output_tokens = TOKENS.labels(provider, "output")


_series_of = cache(_ProviderSeries)


class CallMetrics:
    """Observer of the call path. Spans follow OpenTelemetry's conventions for generative models."""

    def __init__(self, provider: "TracerProvider | None") -> None:
        self._provider = provider
        self._spans: OrderedDict[str, SpanContext] = OrderedDict()

    def find_span(self, answer: Completion) -> "SpanContext | None":
        """The span of the call that gave the answer, if this process made it not long ago."""
        key = answer.response_id or answer.request_id
        return None if key is None else self._spans.get(key)

    def attempt_ended(self, report: AttemptReport) -> None:
        series, outcome = _series_of(report.provider), report.outcome
        if isinstance(outcome, Completion):
            series.answered.inc()
        else:
            ATTEMPTS.labels(report.provider, _result(report)).inc()
        series.seconds.observe(report.ended_at - report.started_at)
        if report.cost_nanos:
            series.cost.inc(report.cost_nanos / NANOS_PER_USD)
        usage = None if outcome is None else outcome.usage
        if usage is not None:
            series.input_tokens.inc(usage.input_tokens)
            series.output_tokens.inc(usage.output_tokens)
        if self._provider is not None:
            span = _trace(self._provider.get_tracer("edison.calls", __version__), report)
            self._keep(report.outcome, span)

    def _keep(self, outcome: Outcome | None, span: "SpanContext") -> None:
        key = isinstance(outcome, Completion) and (outcome.response_id or outcome.request_id)
        if key:
            self._spans[key] = span
            if len(self._spans) > _SPANS_KEPT:
                self._spans.popitem(last=False)

    def answered_from_cache(self, *, provider: str, model: str) -> None:
        CACHED.labels(provider).inc()

    def waited(self, *, provider: str, reason: str, seconds: float) -> None:
        WAITED.labels(provider, reason).inc(seconds)


def _trace(tracer: "Tracer", report: AttemptReport) -> "SpanContext":
    from opentelemetry.trace import SpanKind, Status, StatusCode

    span = tracer.start_span(
        f"chat {report.model}",
        kind=SpanKind.CLIENT,
        start_time=int(report.started_at * 1e9),
        attributes=_attributes(report),
    )
    if not isinstance(report.outcome, Completion):
        span.set_status(Status(StatusCode.ERROR, _result(report)))
    span.end(int(report.ended_at * 1e9))
    return span.get_span_context()


def _result(report: AttemptReport) -> str:
    if report.outcome is None:
        return "cancelled"
    return report.outcome.reason if isinstance(report.outcome, CallFailed) else ANSWERED


def _attributes(report: AttemptReport) -> dict[str, str | int | list[str]]:
    attributes: dict[str, str | int | list[str]] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": _PROVIDER_NAMES.get(report.provider, report.provider),
        "gen_ai.request.model": report.model,
        "edison.attempt": report.attempt,
    }
    outcome = report.outcome
    if outcome is not None and outcome.usage is not None:
        attributes["gen_ai.usage.input_tokens"] = outcome.usage.input_tokens
        attributes["gen_ai.usage.output_tokens"] = outcome.usage.output_tokens
    if isinstance(outcome, Completion):
        attributes["gen_ai.response.model"] = outcome.model
        attributes["gen_ai.response.finish_reasons"] = [outcome.finish_reason]
        if outcome.response_id is not None:
            attributes["gen_ai.response.id"] = outcome.response_id
    else:
        attributes["error.type"] = _result(report)
    return attributes
