"""Ranges of tokens and seconds of one call, learned from earlier calls of the same model.

Calls of the same prompt and model tell most: the range is at most `SAME_FACTOR` times as wide to
each side, so that costs are less than three times as high as they are low. Calls of other prompts
tell what the provider adds to the input, and roughly how much the model writes. Without any calls,
the answer may have any length up to max tokens.
"""

import math
from collections.abc import Sequence
from statistics import fmean, pstdev

from edison.kit.lazy_dataclasses import dataclass

# Mean of a run against the mean of earlier calls, to each side.
SAME_FACTOR = 1.65
LEAST_FACTOR = 1.25
OTHER_FACTOR = 6.0
# Standard errors that the range covers, before both factors above are applied.
ERRORS = 3.0
# Input billed against Edison's own count.
INPUT_SAME, INPUT_OTHER = 1.1, 1.3
EXACT_INPUT, ESTIMATED_INPUT = (1.0, 1.1), (0.5, 1.6)
TEMPLATE_TOKENS = 64
# Fewer calls of other prompts tell nothing; fewer of the same prompt nothing about the spread.
FEWEST_CALLS = 3
FEWEST_FOR_SPREAD = 5
UNKNOWN_SECONDS = (0.005, 30.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastCall:
    """A charged call. `counted` is Edison's own count of its prompt, None for old entries."""

    counted: int | None
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Earlier calls of a model for one purpose. `is_same`: made for the same prompt."""

    calls: Sequence[PastCall] = ()
    is_same: bool = False

    @property
    def is_known(self) -> bool:
        return len(self.calls) >= (1 if self.is_same else FEWEST_CALLS)

    @property
    def input_ratio(self) -> float | None:
        counted = [call for call in self.calls if call.counted]
        if not counted:
            return None
        return sum(call.input_tokens for call in counted) / sum(
            call.counted or 0 for call in counted
        )

    @property
    def cached_share(self) -> float:
        billed = sum(call.input_tokens for call in self.calls)
        return sum(call.cached_input_tokens for call in self.calls) / billed if billed else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    low: float
    high: float

    def times(self, count: float) -> "Range":
        return Range(low=self.low * count, high=self.high * count)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRange:
    """One call: tokens billed, and how long it takes. `cached_share` is the part of the input that
    the provider reads from its own cache, at most and at least.
    """

    input: Range
    output: Range
    seconds: Range
    cached_share: Range


def range_of_call(
    history: History, *, counted: Range, is_exact: bool, max_tokens: int, calls: int
) -> CallRange:
    """`counted` is the count of the prompt, with its uncertainty; `calls` the number planned."""
    if not history.is_known:
        low, high = EXACT_INPUT if is_exact else ESTIMATED_INPUT
        return CallRange(
            input=Range(low=counted.low * low, high=counted.high * high + TEMPLATE_TOKENS),
            output=Range(low=1, high=max_tokens),
            seconds=Range(low=UNKNOWN_SECONDS[0], high=UNKNOWN_SECONDS[1]),
            cached_share=Range(low=0, high=1),
        )
    share = history.cached_share
    return CallRange(
        input=_input(history, counted),
        output=_around([call.output_tokens for call in history.calls], history, calls, max_tokens),
        seconds=_around([call.seconds for call in history.calls], history, calls, math.inf),
        cached_share=Range(low=max(0.0, share - 0.1), high=min(1.0, share + 0.1)),
    )


def _input(history: History, counted: Range) -> Range:
    ratio = history.input_ratio
    factor = INPUT_SAME if history.is_same else INPUT_OTHER
    if ratio is None:
        ratio, factor = 1.0, max(factor, ESTIMATED_INPUT[1])
    return Range(low=counted.low * ratio / factor, high=counted.high * ratio * factor)


def _around(values: Sequence[float], history: History, calls: int, most: float) -> Range:
    mean = fmean(values)
    if not history.is_same:
        high = max(mean * OTHER_FACTOR, *values)
        return Range(low=min(mean / OTHER_FACTOR, most), high=min(high, most))
    relative = pstdev(values) / mean if mean else 0.0
    error = relative * math.sqrt(1 / len(values) + 1 / max(1, calls))
    factor = min(SAME_FACTOR, max(LEAST_FACTOR, 1 + ERRORS * error))
    if len(values) < FEWEST_FOR_SPREAD:
        factor = SAME_FACTOR
    return Range(low=min(mean / factor, most), high=min(mean * factor, most))
