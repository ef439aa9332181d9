"""Names of spans and events, checked against the published registry of conventions."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from edison.app import call_metrics, evaluation_events
from edison.pipeline.generate.outcome import Completion, FinishReason, Usage
from edison.pipeline.generate.path.ports import AttemptReport

# In the registry for readers of old data only.
DEPRECATED = {"gen_ai.system", "gen_ai.usage.prompt_tokens", "gen_ai.usage.completion_tokens"}


@pytest.fixture(scope="module")
def registry() -> Any:
    return import_module("opentelemetry.semconv._incubating.attributes.gen_ai_attributes")


def test_every_name_is_in_the_registry(registry: Any) -> None:
    source = Path(call_metrics.__file__).read_text()
    used = set(re.findall(r"\bgen_ai\.[a-z_.]+", source))
    assert used == {
        "gen_ai.operation.name",
        "gen_ai.provider.name",
        "gen_ai.request.model",
        "gen_ai.response.finish_reasons",
        "gen_ai.response.id",
        "gen_ai.response.model",
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.output_tokens",
    }
    assert used <= published(registry)


def test_every_attribute_of_an_event_is_in_the_registry(registry: Any) -> None:
    """The package has no names of events; this one is from the registry's events.yaml."""
    assert evaluation_events.EVENT == "gen_ai.evaluation.result"
    source = Path(evaluation_events.__file__).read_text()
    used = set(re.findall(r"\bgen_ai\.[a-z_.]+", source)) - {evaluation_events.EVENT}
    assert used == {
        "gen_ai.evaluation.explanation",
        "gen_ai.evaluation.name",
        "gen_ai.evaluation.score.label",
        "gen_ai.evaluation.score.value",
        "gen_ai.response.id",
    }
    assert used <= published(registry)


def published(registry: Any) -> set[str]:
    constants = vars(registry).items()
    return {value for name, value in constants if name.startswith("GEN_AI_")} - DEPRECATED


def test_values_are_those_of_the_registry(registry: Any) -> None:
    completion = Completion(
        text="Yes.",
        finish_reason=FinishReason.STOP,
        usage=Usage(input_tokens=3, output_tokens=1),
        model="m-1",
    )
    known = {each.value for each in registry.GenAiProviderNameValues}
    for provider in ("openai", "anthropic", "azure", "bedrock", "vertex"):
        report = AttemptReport(
            provider=provider,
            model="m",
            attempt=1,
            outcome=completion,
            cost_nanos=None,
            started_at=0.0,
            ended_at=1.0,
        )
        found = call_metrics._attributes(report)
        assert found["gen_ai.provider.name"] in known
        assert found["gen_ai.response.finish_reasons"] == ["stop"]
