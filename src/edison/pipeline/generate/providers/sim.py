"""Simulated models: everything can be tried, shown and tested without a key or a network.

The settings are knobs for demonstrations and tests; the simulation itself is in `simulation/`. It
reads instructions in English only. Tools, top-p and penalties are reported as ignored.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import ClassVar

from pydantic import Field, PrivateAttr, model_validator

from edison.pipeline.generate.call import Call, Capabilities, Parameters
from edison.pipeline.generate.facts import ModelFacts
from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.generate.outcome import (
    Billed,
    CallFailed,
    Completion,
    FailureReason,
    Outcome,
    Streamed,
    TextDelta,
)
from edison.pipeline.generate.prices import Prices, Rate
from edison.pipeline.generate.provider import AvailableModel, Provider
from edison.pipeline.generate.simulation import luck
from edison.pipeline.generate.simulation.faults import Fault, FaultRates, failure
from edison.pipeline.generate.simulation.habits import Habits
from edison.pipeline.generate.simulation.reading import whole_text
from edison.pipeline.generate.simulation.simulate import CHARACTERS_PER_TOKEN, Reply, simulate
from edison.pipeline.generate.simulation.tiers import TIERS, Tier
from edison.pipeline.generate.tokens.scheme import TokenScheme
from edison.pipeline.render.prompt import RenderedPrompt

PRICE_VERSION = "sim 1"

_PIECES = 24
_UNHEEDED = ("top_p", "frequency_penalty", "presence_penalty", "tools")
# Of how many calls it is known how often they were tried.
REMEMBERED_CALLS = 4096


def _rate(title: str, default: float = 0.0) -> float:
    rate: float = Field(default=default, ge=0, le=1, title=title, json_schema_extra=ADVANCED)
    return rate


class Sim(Provider):
    """Deterministic models that answer, judge, refine, generate and draft. Nothing is sent."""

    title: ClassVar[str] = "Simulated models"
    is_simulated: ClassVar[bool] = True

    latency_scale: float = Field(
        default=0.15,
        ge=0,
        le=10,
        title="Latency scale",
        description="1 is as slow as a hosted model, 0 answers at once.",
    )
    fault_seed: int = Field(default=0, title="Seed of the faults", json_schema_extra=ADVANCED)
    rate_limit_rate: float = _rate("Rate-limited calls")
    timeout_rate: float = _rate("Calls that time out")
    server_error_rate: float = _rate("Server errors")
    malformed_rate: float = _rate("Malformed responses")
    content_filter_rate: float = _rate("Content filter")
    truncated_rate: float = _rate("Broken streams")
    judge_noise: float = Field(
        default=1.0, ge=0, le=5, title="Noise of judges", json_schema_extra=ADVANCED
    )
    judge_leniency: float = Field(
        default=0.05, ge=-0.5, le=0.5, title="Leniency of judges", json_schema_extra=ADVANCED
    )
    judge_verbosity_bias: float = Field(
        default=0.04,
        ge=0,
        le=0.5,
        title="Judges' taste for length",
        json_schema_extra=ADVANCED,
    )
    judge_position_bias: float = Field(
        default=0.06, ge=0, le=0.5, title="Judges' position bias", json_schema_extra=ADVANCED
    )
    broken_json_rate: float = _rate("Verdicts with broken JSON", 0.01)
    broken_diff_rate: float = _rate("Suggestions with broken diffs", 0.02)

    _attempts: dict[str, int] = PrivateAttr(default_factory=dict)

    @model_validator(mode="after")
    def _faults_fit(self) -> "Sim":
        if sum(rate for _, rate in self._faults().rates) > 1:
            raise ValueError("The shares of failing calls add up to more than 1.")
        return self

    @classmethod
    def capabilities_of(cls, model: str) -> Capabilities:
        return Capabilities(**dict.fromkeys(_UNHEEDED, False))

    @classmethod
    def facts_of(cls, model: str) -> ModelFacts:
        tier = TIERS.get(model)
        if tier is None:
            return ModelFacts()
        return ModelFacts(
            display_name=tier.display_name,
            context_window=tier.context_window,
            prices=Prices(
                input=Rate(nanos_per_million=tier.input_nanos_per_million),
                output=Rate(nanos_per_million=tier.output_nanos_per_million),
                version=PRICE_VERSION,
            ),
        )

    @classmethod
    def token_scheme(cls, model: str) -> TokenScheme:
        return TokenScheme(encoding="four_characters")

    async def complete(self, call: Call) -> Outcome:
        outcome: Outcome | None = None
        async for item in self._run(call, pieces=1):
            if not isinstance(item, TextDelta):
                outcome = item
        if outcome is None:
            raise RuntimeError("A stream ended without an outcome.")
        return outcome

    def stream(self, call: Call) -> AsyncIterator[Streamed]:
        return self._run(call, pieces=_PIECES)

    async def _run(self, call: Call, *, pieces: int) -> AsyncIterator[Streamed]:
        started = _now()
        tier = TIERS.get(call.model)
        if tier is None:
            yield _unknown(call.model)
            return
        request_id = _request_id(call)
        fault, pace = self._fault(request_id), _pace(request_id)
        deadline = started + call.timeout_seconds
        try:
            await self._wait(tier.first_token_seconds * pace, deadline)
            if fault is not None and fault is not Fault.TRUNCATED:
                yield failure(fault, request_id)
                return
            first = _now() - started
            prompt, parameters, ignored = _heeded(call)
            reply = simulate(prompt, tier, parameters, self._habits())
            if reply.usage.input_tokens > tier.context_window:
                yield _too_long(tier)
                return
            spoken = _pieces(reply.text, pieces)
            for piece in spoken[: len(spoken) // 2 if fault else None]:
                yield TextDelta(text=piece)
                seconds = len(piece) / CHARACTERS_PER_TOKEN / tier.tokens_per_second
                await self._wait(seconds * pace, deadline)
            if fault:
                yield failure(fault, request_id)
                return
            yield _completion(call.model, reply, request_id, ignored, (started, first))
        except TimeoutError:
            yield failure(Fault.TIMEOUT, request_id)

    async def _wait(self, seconds: float, deadline: float) -> None:
        """Takes its time, but not longer than the call may. `asyncio.timeout` would be wrong here:
        around a `yield` it would cancel the reader of the stream.
        """
        delay = seconds * self.latency_scale
        left = deadline - _now()
        await asyncio.sleep(max(0.0, min(delay, left)))
        if delay > left:
            raise TimeoutError

    async def list_models(self) -> list[AvailableModel] | CallFailed:
        return [
            AvailableModel(
                id=tier.id, display_name=tier.display_name, context_window=tier.context_window
            )
            for tier in TIERS.values()
        ]

    async def check(self) -> CallFailed | None:
        return None

    def _fault(self, request_id: str) -> Fault | None:
        """Hangs on the call and how often it was tried, not on what else is going on."""
        faults = self._faults()
        if not any(rate for _, rate in faults.rates):
            return None
        attempt = self._attempts.pop(request_id, 0)
        self._attempts[request_id] = attempt + 1
        if len(self._attempts) > REMEMBERED_CALLS:
            del self._attempts[next(iter(self._attempts))]
        return faults.drawn(request_id, attempt)

    def _faults(self) -> FaultRates:
        rates = (
            (Fault.RATE_LIMIT, self.rate_limit_rate),
            (Fault.TIMEOUT, self.timeout_rate),
            (Fault.SERVER_ERROR, self.server_error_rate),
            (Fault.MALFORMED, self.malformed_rate),
            (Fault.CONTENT_FILTER, self.content_filter_rate),
            (Fault.TRUNCATED, self.truncated_rate),
        )
        return FaultRates(rates=rates, seed=self.fault_seed)

    def _habits(self) -> Habits:
        return Habits(
            noise=self.judge_noise,
            leniency=self.judge_leniency,
            verbosity=self.judge_verbosity_bias,
            position=self.judge_position_bias,
            broken_json_rate=self.broken_json_rate,
            broken_diff_rate=self.broken_diff_rate,
        )


def _now() -> float:
    """By the clock that waits go by, which may be a test's."""
    return asyncio.get_running_loop().time()


def _heeded(call: Call) -> tuple[RenderedPrompt, Parameters, tuple[str, ...]]:
    """What the simulation goes by, and the names of all else, whatever the caller believes it can
    do.
    """
    able = replace(call.capabilities, **dict.fromkeys(_UNHEEDED, False))
    narrowed = replace(call, capabilities=able)
    parameters, ignored = narrowed.sendable()
    prompt = call.prompt
    if prompt.wants_json and not narrowed.sends_json:
        prompt = replace(prompt, wants_json=False)
    return prompt, parameters, ignored


def _request_id(call: Call) -> str:
    asked = (call.model, whole_text(call.prompt), call.parameters.seed)
    return f"sim-{luck.uniform(*asked) * 1e12:012.0f}"


def _pace(request_id: str) -> float:
    """Latency is spread as in real life: most answers quick, some slow, always the same ones."""
    return float(2 ** (0.5 * luck.normal(request_id)))


def _pieces(text: str, count: int) -> list[str]:
    size = max(8, -(-len(text) // count))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _completion(
    model: str, reply: Reply, request_id: str, ignored: tuple[str, ...], times: tuple[float, float]
) -> Completion:
    started, first = times
    return Completion(
        text=reply.text,
        finish_reason=reply.finish_reason,
        usage=reply.usage,
        model=model,
        request_id=request_id,
        ignored_parameters=ignored,
        latency_seconds=_now() - started,
        first_token_seconds=first,
    )


def _unknown(model: str) -> CallFailed:
    known = ", ".join(TIERS)
    return CallFailed(
        reason=FailureReason.MODEL_NOT_FOUND,
        message=f"There is no simulated model {model!r}. Choose one of: {known}.",
        is_retryable=False,
        billed=Billed.NOTHING,
    )


def _too_long(tier: Tier) -> CallFailed:
    return CallFailed(
        reason=FailureReason.CONTEXT_LENGTH,
        message=f"The prompt is longer than the {tier.context_window} tokens of {tier.id}.",
        is_retryable=False,
        billed=Billed.NOTHING,
    )
