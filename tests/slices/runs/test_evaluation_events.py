"""Scores of a run as OpenTelemetry events, on the spans of the calls that were scored."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from edison.settings import Settings
from tests.fake_providers import openai
from tests.slices.runs.conftest import Desk
from tests.support.collector import Collector, attributes, collecting
from tests.support.patience import PATIENCE_SECONDS

SCORERS = [
    {"kind": "contains", "label": "Way", "options": {"phrases": ["way"]}},
    {"kind": "exact", "label": "Exact", "options": {}},
]


@pytest.fixture
async def collector() -> AsyncIterator[Collector]:
    async with collecting() as collector:
        yield collector


@pytest.fixture
def settings(
    settings: Settings,
    collector: Collector,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Settings:
    for processor in ("BSP", "BLRP"):
        monkeypatch.setenv(f"OTEL_{processor}_SCHEDULE_DELAY", "20")
    changes = {"otel_endpoint": collector.url, "otel_explanations": request.param}
    return settings.model_copy(update=changes)


async def receive(collector: Collector, count: int) -> list[dict[str, Any]]:
    """The attributes of the first events, when their spans are there too."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(collector.events) < count or not calls_of(collector):
            collector.was_sent.clear()
            await collector.was_sent.wait()
    assert {event.event_name for event in collector.events} == {"gen_ai.evaluation.result"}
    return [attributes(event) for event in collector.events]


def calls_of(collector: Collector) -> list[Any]:
    return [span for span in collector.spans if span.name == "chat gpt-x"]


@pytest.mark.parametrize("settings", [False], indirect=True)
async def test_each_score_is_an_event_of_its_call(desk: Desk, collector: Collector) -> None:
    run = await desk.run(scorers=SCORERS)

    found = await receive(collector, 6)
    # The cases have no expected answer, so the second scorer does not apply.
    assert [each.pop("edison.case.position") for each in sorted(found, key=str)] == list(range(6))
    assert (
        found
        == [
            {
                "gen_ai.evaluation.name": "Way",
                "gen_ai.evaluation.score.value": 1.0,
                "gen_ai.evaluation.score.label": "pass",
                "gen_ai.response.id": "chatcmpl-1",
                "edison.run.id": run["id"],
                "edison.variant.position": 0,
                "edison.repeat": 0,
            }
        ]
        * 6
    )
    calls = calls_of(collector)
    assert {attributes(call)["gen_ai.response.id"] for call in calls} == {"chatcmpl-1"}
    spans = {(event.trace_id, event.span_id) for event in collector.events}
    assert spans <= {(call.trace_id, call.span_id) for call in calls}


@pytest.mark.parametrize("settings", [True], indirect=True)
async def test_explanations_are_sent_if_the_settings_say_so(
    desk: Desk, collector: Collector
) -> None:
    desk.server.replies = [openai.completion("It is lost.")]
    await desk.run(scorers=SCORERS[:1])

    first, *_ = await receive(collector, 6)
    assert first["gen_ai.evaluation.score.label"] == "fail"
    assert "way" in first["gen_ai.evaluation.explanation"]
