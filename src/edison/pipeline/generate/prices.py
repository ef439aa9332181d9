"""What tokens cost, in exact integers.

A rate is in nano-dollars per million tokens. A call's cost is summed up exactly and rounded once,
upward, to a whole nano-dollar: what is reported is never less than what is owed.
"""

from dataclasses import dataclass

from edison.pipeline.generate.outcome import Usage

MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """A rate for whole calls with more than this many input tokens."""

    above_input_tokens: int
    nanos_per_million: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    nanos_per_million: int
    tiers: tuple[Tier, ...] = ()
    """In rising order."""

    def at(self, input_tokens: int) -> int:
        rate = self.nanos_per_million
        for tier in self.tiers:
            if input_tokens > tier.above_input_tokens:
                rate = tier.nanos_per_million
        return rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """`version` says which table, or whose decision, the rates come from. Providers without a rate
    for tokens read from their cache, or written into it, charge them like any other.
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
        total = (
            (size - cached - written) * self.input.at(size)
            + cached * (self.cached_input or self.input).at(size)
            + written * (self.cache_write or self.input).at(size)
            + usage.output_tokens * self.output.at(size)
        )
        return -(-total // MILLION)

    def worst_case_nanos(self, *, input_tokens: int, max_tokens: int) -> int:
        """What a call costs at most: nothing read from the provider's cache, everything written
        into it if that costs more, and as long an answer as it may be.
        """
        dearest = self.input.at(input_tokens)
        if self.cache_write is not None:
            dearest = max(dearest, self.cache_write.at(input_tokens))
        total = input_tokens * dearest + max_tokens * self.output.at(input_tokens)
        return -(-total // MILLION)
