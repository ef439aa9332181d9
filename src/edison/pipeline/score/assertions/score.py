"""Assertions as a scorer: from a subject to a row, and from a verdict to a score."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any
from uuid import UUID

import orjson

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.render.nunjucks.javascript import UNDEFINED
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.render.values import value_text
from edison.pipeline.score.assertions.evaluate import evaluate_row
from edison.pipeline.score.assertions.model import (
    Assertion,
    AssertionRow,
    AssertionVerdict,
    GraderFailed,
    Response,
    RowError,
    Services,
    Unsupported,
)
from edison.pipeline.score.assertions.read import InvalidAssertion, read_assertions, read_case
from edison.pipeline.score.inquiry import SEED
from edison.pipeline.score.scorer import (
    CaseAssertions,
    CriterionScore,
    Flag,
    NotApplicable,
    Scored,
    Subject,
    Tools,
)
from edison.pipeline.score.scorers.embedding_similarity import EXTRA, EXTRA_MISSING

_NANOS = 1_000_000_000
_MILLISECONDS = 1_000
_LONGEST_REASON = 500
_MOST_CRITERIA = 50


class ToolsGrader:
    """Asks one of the project's models; vectors are computed on this machine. `others` are the
    models of providers that assertions name, by what `provider_key` makes of them.
    """

    def __init__(
        self,
        tools: Tools,
        model_id: UUID,
        max_tokens: int,
        *,
        others: Mapping[str, UUID] | None = None,
    ) -> None:
        self._tools = tools
        self._model_id = model_id
        self._max_tokens = max_tokens
        self._others = others or {}
        self._calls = 0

    async def ask(self, assertion: Assertion, messages: list[dict[str, str]]) -> str:
        """Raises GraderFailed."""
        system = "\n\n".join(each["content"] for each in messages if each["role"] == "system")
        asked = tuple(
            Message(
                role="assistant" if each["role"] == "assistant" else "user", text=each["content"]
            )
            for each in messages
            if each["role"] != "system"
        )
        prompt = RenderedPrompt(
            messages=asked or (Message(role="user", text=system),),
            system=system if asked and system else None,
        )
        # Another seed for each call, so that a repeated question is not answered from the cache.
        parameters = Parameters(temperature=0, seed=SEED + self._calls, max_tokens=self._max_tokens)
        self._calls += 1
        named = provider_key(assertion.settings.get("provider"))
        model_id = self._others.get(named, self._model_id)
        answer = await self._tools.ask(model_id, prompt, parameters)
        if isinstance(answer.outcome, CallFailed):
            raise GraderFailed(answer.outcome.message)
        return answer.outcome.text

    async def embed(self, assertion: Assertion, text: str) -> list[float]:
        """Raises GraderFailed."""
        if find_spec(EXTRA) is None:
            raise Unsupported(EXTRA_MISSING)
        return await asyncio.to_thread(_vector, text)


def provider_key(provider: Any) -> str:
    """Equal for providers that are written alike."""
    return orjson.dumps(provider, option=orjson.OPT_SORT_KEYS).decode()


def _vector(text: str) -> list[float]:
    from edison.pipeline.score.static_vectors import load_vectors

    found = load_vectors().embed(text.encode("utf-8", "replace").decode())
    if found is None:
        raise GraderFailed("A text without words has no meaning to compare.")
    return [float(each) for each in found]


async def score_by_assertions(
    assertions: Sequence[Assertion],
    subject: Subject,
    *,
    threshold: float | None,
    services: Services,
    case_input: str = "",
) -> Scored:
    """Adds the assertions of the case, whose threshold takes precedence; they are those of the run,
    or those in the input `case_input`. Raises NotApplicable when the row is an error.
    """
    try:
        if case_input and subject.assertions is None:
            subject = replace(subject, assertions=read_case(subject.inputs.get(case_input)))
        row, own = row_of(subject), subject.assertions or CaseAssertions()
        verdict = await evaluate_row(
            [*assertions, *read_assertions(own.assertions)],
            row,
            threshold=threshold if own.threshold is None else own.threshold,
            services=services,
        )
    except InvalidAssertion as invalid:
        raise NotApplicable(Flag.CODE_FAILED, str(invalid)) from invalid
    except Unsupported as missing:
        raise NotApplicable(Flag.UNAVAILABLE, str(missing)) from missing
    except RowError as wrong:
        raise NotApplicable(Flag.CODE_FAILED, str(wrong)) from wrong
    return Scored(
        value=_share(verdict.score),
        rationale=verdict.reason[:_LONGEST_REASON],
        raw=_details(verdict),
        criteria={
            name: CriterionScore(value=_share(score), raw=_finite(score))
            for name, score in list(verdict.named_scores.items())[:_MOST_CRITERIA]
        },
        is_passed=verdict.is_passed,
    )


def row_of(subject: Subject) -> AssertionRow:
    """Where the prompt is not known, the case's inputs take its place."""
    inputs = "\n".join(f"{name}: {value_text(each)}" for name, each in subject.inputs.items())
    latency = subject.latency_seconds
    return AssertionRow(
        output=_output(subject),
        vars=subject.inputs,
        prompt=subject.prompt or inputs or "(no inputs)",
        options={} if subject.assertions is None else subject.assertions.options,
        response=Response(
            cost=None if subject.cost_nanos is None else subject.cost_nanos / _NANOS,
            latency_ms=None if latency is None else latency * _MILLISECONDS,
            finish_reason=subject.finish_reason,
        ),
    )


def _output(subject: Subject) -> Any:
    """An answer that only calls tools is the list of its calls."""
    if subject.answer or not subject.tool_calls:
        return subject.answer
    return [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for call in subject.tool_calls
    ]


def _share(score: float) -> float:
    """Scores of code may be any number."""
    return min(1.0, max(0.0, _finite(score)))


def _finite(score: float) -> float:
    return score if math.isfinite(score) else 0.0


def _details(verdict: AssertionVerdict) -> str:
    components = [
        {
            "type": each.type,
            "pass": each.is_passed,
            "score": _finite(each.score),
            "reason": each.reason[:_LONGEST_REASON],
            "metric": each.metric,
        }
        for each in verdict.components
    ]
    found: dict[str, Any] = {
        "pass": verdict.is_passed,
        "score": _finite(verdict.score),
        "components": components,
        "namedScores": {name: _finite(each) for name, each in verdict.named_scores.items()},
        "namedScoreWeights": {name: _finite(each) for name, each in verdict.named_weights.items()},
    }
    if verdict.output is not UNDEFINED:
        found["output"] = verdict.output
    return orjson.dumps(found).decode()
