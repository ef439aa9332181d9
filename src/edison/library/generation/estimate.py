"""Estimate of a generation: a range with its assumptions."""

import asyncio

from edison.kit.money import usd_from_nanos
from edison.library.generation.instructions import prompt_of
from edison.library.generation.plan import CALLS_AT_ONCE, tokens_per_case
from edison.library.generation.prepare import PreparedGeneration
from edison.library.generation.schemas import CostRange, EstimateRead, GenerationRange
from edison.pipeline.generate.call_limits import DEFAULT_MAX_TOKENS
from edison.pipeline.generate.outcome import Usage
from edison.pipeline.generate.tokens.count import count_prompt

FASTEST_TOKENS_PER_SECOND = 150
SLOWEST_TOKENS_PER_SECOND = 20


async def estimate(prepared: PreparedGeneration) -> EstimateRead:
    plan, model = prepared.plan, prepared.model
    counted = await asyncio.to_thread(
        count_prompt, prompt_of(plan, 0), model=model.provider_model, provider=model.provider
    )
    calls = GenerationRange(low=plan.planned_batches, high=plan.most_batches)
    limit = model.parameters.max_tokens or DEFAULT_MAX_TOKENS
    shortest = tokens_per_case(plan, is_longest=False) * plan.count
    longest = tokens_per_case(plan, is_longest=True) * plan.batch_size
    input_tokens = GenerationRange(low=counted.tokens * calls.low, high=counted.tokens * calls.high)
    output_tokens = GenerationRange(
        low=shortest, high=max(shortest, min(limit, longest) * calls.high)
    )
    return EstimateRead(
        calls=calls,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cost_usd=_cost(prepared, input_tokens, output_tokens),
        seconds=GenerationRange(
            low=_seconds(output_tokens.low, calls.low, FASTEST_TOKENS_PER_SECOND),
            high=_seconds(output_tokens.high, calls.high, SLOWEST_TOKENS_PER_SECOND),
        ),
        assumptions=_assumptions(prepared, counted.method),
    )


def _cost(
    prepared: PreparedGeneration, input_tokens: GenerationRange, output_tokens: GenerationRange
) -> CostRange | None:
    prices = prepared.model.prices
    if prices is None:
        return None
    low, high = (
        usd_from_nanos(prices.cost_nanos(Usage(input_tokens=asked, output_tokens=answered)))
        for asked, answered in (
            (input_tokens.low, output_tokens.low),
            (input_tokens.high, output_tokens.high),
        )
    )
    return CostRange(low=low, high=high)


def _seconds(tokens: int, calls: int, tokens_per_second: int) -> int:
    """Calls run concurrently."""
    return max(1, round(tokens / tokens_per_second / min(CALLS_AT_ONCE, calls)))


def _assumptions(prepared: PreparedGeneration, method: str) -> list[str]:
    plan, model = prepared.plan, prepared.model
    known = [
        f"Each call asks for up to {plan.batch_size} cases; up to "
        f"{plan.most_batches - plan.planned_batches} more calls make up for repeated ones.",
        f"Models write {SLOWEST_TOKENS_PER_SECOND} to {FASTEST_TOKENS_PER_SECOND} tokens a second, "
        f"and {CALLS_AT_ONCE} calls run at once.",
    ]
    if method == "estimate":
        known.append("The provider counts tokens in its own way; these counts are estimates.")
    if model.prices is None:
        known.append(f"The price of {model.display_name} is unknown, and so is the cost.")
    if model.is_simulated:
        known.append(f"{model.display_name} is simulated; its prices are fictitious.")
    return known
