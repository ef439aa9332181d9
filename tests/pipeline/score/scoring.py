"""Applies scorers as the engine does, with scripted models."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed, Completion, FinishReason
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.apply import ScorerConfig, apply, configure
from edison.pipeline.score.scorer import Scored, Subject, Tools
from edison.simulation.habits import Habits
from edison.simulation.simulate import simulate
from edison.simulation.tiers import TIERS
from tests.support.simulated import sampling_of

COST_NANOS = 1_000
SOUND = Habits(noise=0, broken_json_rate=0)


@dataclass
class ScriptedTools:
    """Gives its answers in turn, and records the questions."""

    answers: list[str | CallFailed | Exception] = field(default_factory=list)
    asked: list[tuple[UUID, RenderedPrompt, Parameters]] = field(default_factory=list)

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        said = self.answers[len(self.asked)]
        self.asked.append((model_id, prompt, parameters))
        if isinstance(said, Exception):
            raise said
        outcome = _completion(said) if isinstance(said, str) else said
        return _answer(outcome, f"key {len(self.asked)}")


@dataclass
class SimTools:
    """Answers with a simulated model."""

    habits: Habits = SOUND
    model: str = "sim-large"
    asked: list[RenderedPrompt] = field(default_factory=list)

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        self.asked.append(prompt)
        reply = simulate(prompt, TIERS[self.model], sampling_of(parameters), self.habits)
        return _answer(_completion(reply.text), f"key {len(self.asked)}")


def _answer(outcome: Completion | CallFailed, cache_key: str) -> Answer:
    return Answer(
        outcome=outcome,
        attempts=1,
        cost_nanos=COST_NANOS,
        is_cached=False,
        waited_seconds=0,
        price_version=None,
        cache_key=cache_key,
    )


def _completion(text: str) -> Completion:
    return Completion(text=text, finish_reason=FinishReason.STOP, usage=None, model="scripted")


async def score(
    kind: str,
    answer: str | Subject,
    expected: str | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    threshold: float | None = None,
    is_negated: bool = False,
    tools: Tools | None = None,
) -> Scored:
    subject = Subject(text=answer, expected=expected) if isinstance(answer, str) else answer
    config = ScorerConfig(
        kind=kind, options=options or {}, threshold=threshold, is_negated=is_negated
    )
    return await apply(configure(config), subject, tools or ScriptedTools())


async def value(
    kind: str, answer: str, expected: str | None = None, **options: Any
) -> float | None:
    """The scorer's value; fails if there is a flag."""
    scored = await score(kind, answer, expected, options)
    assert scored.flag is None
    return scored.value
