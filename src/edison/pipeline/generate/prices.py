"""Prices of tokens, in exact integers.

A rate is in nano-dollars per million tokens. The cost of a call is summed exactly and rounded up
once to a whole nano-dollar, so a reported cost is never less than the amount owed.
"""

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.outcome import Usage

MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTier:
    """Rate for the whole call if it has more than this many input tokens."""

    above_input_tokens: int
    nanos_per_million: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    nanos_per_million: int
    tiers: tuple[RateTier, ...] = ()
    """In ascending order of `above_input_tokens`."""

    def at(self, input_tokens: int) -> int:
        rate = self.nanos_per_million
        for tier in self.tiers:
            if input_tokens > tier.above_input_tokens:
                rate = tier.nanos_per_million
        return rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """`version` names the source of the rates: a price table or a manual entry. Without a rate for
    tokens read from or written to the provider's cache, they cost as much as other input.
    """

    input: Rate
    output: Rate
    cached_input: Rate | None = None
    cache_write: Rate | None = None
    version: str

    def cost_nanos(self, usage: Usage) -> int:
        size = usage.input_tokens
        cached = min(usage.cached_input_tokens, size)
        written = min(usage.cache_write_tokens, size - cached)
        total = (size - cached - written) * self.input.at(size)
        total += usage.output_tokens * self.output.at(size)
        if cached:
            total += cached * (self.cached_input or self.input).at(size)
        if written:
            total += written * (self.cache_write or self.input).at(size)
        return -(-total // MILLION)

    def worst_case_nanos(self, *, input_tokens: int, max_tokens: int) -> int:
        """Upper bound of a call's cost: no tokens read from the provider's cache, all of them
        written to it if that costs more, and an answer of `max_tokens`.
        """
        highest = self.input.at(input_tokens)
        if self.cache_write is not None:
            highest = max(highest, self.cache_write.at(input_tokens))
        total = input_tokens * highest + max_tokens * self.output.at(input_tokens)
        return -(-total // MILLION)
