"""Simulated models: try, demonstrate and test everything without an API key or a network.

The settings are for demonstrations and tests; the simulation itself is in `simulation/`. It
understands instructions in English only. Tools, top-p and penalties are reported as ignored.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import ClassVar

from pydantic import Field, PrivateAttr, model_validator

from edison.pipeline.generate.call import Call, Capabilities
from edison.pipeline.generate.facts import ModelFacts
from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.generate.outcome import (
    Billed,
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    Outcome,
    Streamed,
    TextDelta,
    Usage,
)
from edison.pipeline.generate.prices import Prices, Rate
from edison.pipeline.generate.provider import AvailableModel, Provider
from edison.pipeline.generate.tokens.scheme import TokenScheme
from edison.simulation import seeded
from edison.simulation.faults import FaultRates, SimulatedFault
from edison.simulation.habits import Habits
from edison.simulation.prompt_reader import whole_text
from edison.simulation.request import ChatMessage, ChatRequest, Sampling
from edison.simulation.simulate import CHARACTERS_PER_TOKEN, SimulatedReply, simulate
from edison.simulation.tiers import LATEST_RELEASE, TIERS, Tier, find_tier

PRICE_VERSION = "sim 1"

_PIECES = 24
_IGNORED = ("top_p", "frequency_penalty", "presence_penalty", "tools")
# Number of calls whose attempts are counted.
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
    release: int = Field(
        default=1,
        ge=1,
        le=LATEST_RELEASE,
        title="Release of sim-moving",
        description="Release 2 follows instructions less well, as after a silent update.",
        json_schema_extra=ADVANCED,
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
        return Capabilities(**dict.fromkeys(_IGNORED, False))

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
        tier = find_tier(call.model, release=self.release)
        if tier is None:
            yield _unknown(call.model)
            return
        request_id = _request_id(call)
        fault, pace = self._fault(request_id), _pace(request_id)
        deadline = started + call.timeout_seconds
        try:
            await self._wait(tier.first_token_seconds * pace, deadline)
            if fault is not None and fault is not SimulatedFault.TRUNCATED:
                yield _failure(fault, request_id)
                return
            first = _now() - started
            request, sampling, ignored = _simulated(call)
            reply = simulate(request, tier, sampling, self._habits())
            if reply.input_tokens > tier.context_window:
                yield _too_long(tier)
                return
            spoken = _pieces(reply.text, pieces)
            for piece in spoken[: len(spoken) // 2 if fault else None]:
                yield TextDelta(text=piece)
                seconds = len(piece) / CHARACTERS_PER_TOKEN / tier.tokens_per_second
                await self._wait(seconds * pace, deadline)
            if fault:
                yield _failure(fault, request_id)
                return
            yield _completion(call.model, reply, request_id, ignored, (started, first))
        except TimeoutError:
            yield _failure(SimulatedFault.TIMEOUT, request_id)

    async def _wait(self, seconds: float, deadline: float) -> None:
        """Sleeps, but not beyond the call's deadline. `asyncio.timeout` would be wrong here: around
        a `yield` it would cancel the reader of the stream.
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

    def _fault(self, request_id: str) -> SimulatedFault | None:
        """Depends only on the call and its number of attempts, not on concurrent calls."""
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
            (SimulatedFault.RATE_LIMIT, self.rate_limit_rate),
            (SimulatedFault.TIMEOUT, self.timeout_rate),
            (SimulatedFault.SERVER_ERROR, self.server_error_rate),
            (SimulatedFault.MALFORMED, self.malformed_rate),
            (SimulatedFault.CONTENT_FILTER, self.content_filter_rate),
            (SimulatedFault.TRUNCATED, self.truncated_rate),
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
    """The event loop's clock, which tests may replace."""
    return asyncio.get_running_loop().time()


def _simulated(call: Call) -> tuple[ChatRequest, Sampling, tuple[str, ...]]:
    """Converts the call to the simulation's types. Also returns the names of ignored parameters,
    whatever capabilities the caller assumes.
    """
    able = replace(call.capabilities, **dict.fromkeys(_IGNORED, False))
    narrowed = replace(call, capabilities=able)
    parameters, ignored = narrowed.sendable()
    sampling = Sampling(
        temperature=parameters.temperature,
        seed=parameters.seed,
        stop=tuple(parameters.stop or ()),
        max_tokens=parameters.max_tokens,
    )
    return _request(call, wants_json=narrowed.sends_json), sampling, ignored


def _request(call: Call, *, wants_json: bool) -> ChatRequest:
    messages = (ChatMessage(role=each.role, text=each.text) for each in call.prompt.messages)
    return ChatRequest(
        messages=tuple(messages),
        system=call.prompt.system,
        wants_json=wants_json,
    )


def _request_id(call: Call) -> str:
    asked = (call.model, whole_text(_request(call, wants_json=False)), call.parameters.seed)
    return f"sim-{seeded.uniform(*asked) * 1e12:012.0f}"


def _pace(request_id: str) -> float:
    """Log-normal spread of latency, the same for the same request: most answers fast, some slow."""
    return float(2 ** (0.5 * seeded.normal(request_id)))


def _pieces(text: str, count: int) -> list[str]:
    size = max(8, -(-len(text) // count))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _completion(
    model: str,
    reply: SimulatedReply,
    request_id: str,
    ignored: tuple[str, ...],
    times: tuple[float, float],
) -> Completion:
    started, first = times
    return Completion(
        text=reply.text,
        finish_reason=FinishReason.LENGTH if reply.is_cut_off else FinishReason.STOP,
        usage=Usage(input_tokens=reply.input_tokens, output_tokens=reply.output_tokens),
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


def _failure(fault: SimulatedFault, request_id: str) -> CallFailed:
    reason, message, is_retryable, wait = _FAILURES[fault]
    return CallFailed(
        reason=reason,
        message=message,
        is_retryable=is_retryable,
        retry_after_seconds=wait,
        request_id=request_id,
        billed=_BILLED.get(fault, Billed.UNKNOWN),
    )


_BILLED = {
    SimulatedFault.RATE_LIMIT: Billed.NOTHING,
    SimulatedFault.SERVER_ERROR: Billed.NOTHING,
    SimulatedFault.CONTENT_FILTER: Billed.PROMPT,
}
_FAILURES: dict[SimulatedFault, tuple[FailureReason, str, bool, float | None]] = {
    SimulatedFault.RATE_LIMIT: (
        FailureReason.RATE_LIMIT,
        "The simulated provider got too many requests; it asks to wait a second.",
        True,
        1.0,
    ),
    SimulatedFault.TIMEOUT: (
        FailureReason.TIMEOUT,
        "The simulated model did not answer in time. Raise the timeout or try again.",
        True,
        None,
    ),
    SimulatedFault.SERVER_ERROR: (
        FailureReason.PROVIDER,
        "The simulated provider had an internal error. Try again.",
        True,
        None,
    ),
    SimulatedFault.MALFORMED: (
        FailureReason.MALFORMED_RESPONSE,
        "The simulated provider answered with something that is not a completion.",
        True,
        None,
    ),
    SimulatedFault.CONTENT_FILTER: (
        FailureReason.CONTENT_FILTER,
        "The simulated provider's content filter refused the prompt. Change its wording.",
        False,
        None,
    ),
    SimulatedFault.TRUNCATED: (
        FailureReason.NETWORK,
        "The connection to the simulated provider broke off in mid-answer. Try again.",
        True,
        None,
    ),
}
