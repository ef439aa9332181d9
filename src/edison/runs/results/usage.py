"""Cost, tokens and latency of each variant's answers."""

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from edison.pipeline.aggregate.quantiles import t_quantile
from edison.pipeline.aggregate.results import Estimate, Interval
from edison.pipeline.aggregate.spread import percentiles
from edison.pipeline.generate.outcome import FinishReason


@dataclass(kw_only=True, slots=True)
class Average:
    """Running mean and variance by Welford's algorithm, which is numerically stable."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float | None) -> None:
        if value is None:
            return
        self.count += 1
        before = value - self.mean
        self.mean += before / self.count
        self.squares += before * (value - self.mean)

    def estimate(self, level: float = 0.95) -> Estimate:
        """Confidence interval by Student's t, clipped at 0, since all values are non-negative."""
        if self.count < 2:
            value = self.mean if self.count else None
            return Estimate(value=value, interval=None, cases=self.count)
        error = math.sqrt(self.squares / (self.count - 1) / self.count)
        half = t_quantile(0.5 + level / 2, self.count - 1) * error
        interval = Interval(low=max(0.0, self.mean - half), high=self.mean + half)
        return Estimate(value=self.mean, interval=interval, cases=self.count)


@dataclass(kw_only=True, slots=True)
class Averages:
    """Averages per answer, over answers that did not fail and have a value."""

    input_tokens: Average = field(default_factory=Average)
    output_tokens: Average = field(default_factory=Average)
    nanos: Average = field(default_factory=Average)
    seconds: Average = field(default_factory=Average)


@dataclass(kw_only=True, slots=True)
class RunUsage:
    """`unpriced` answers have no known price and are not in `answer_nanos`. `cut_off` answers
    reached max tokens; `unreadable` ones have a score that could not be obtained."""

    answers: int = 0
    failed: int = 0
    malformed: int = 0
    cut_off: int = 0
    unreadable: int = 0
    unpriced: int = 0
    answer_nanos: int = 0
    judge_nanos: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    latencies: "array[float]" = field(default_factory=lambda: array("d"))
    averages: Averages = field(default_factory=Averages)

    @property
    def nanos_per_answer(self) -> float | None:
        """None without a priced answer."""
        priced = self.answers - self.unpriced
        return self.answer_nanos / priced if priced else None

    def latency_percentiles(self) -> tuple[float, ...] | None:
        """p50 and p95 in seconds."""
        return percentiles(np.array(self.latencies), (0.5, 0.95))


class UsageByVariant:
    def __init__(self) -> None:
        self._of: defaultdict[int, RunUsage] = defaultdict(RunUsage)

    def __getitem__(self, variant: int) -> RunUsage:
        return self._of[variant]

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Adds output rows of `ResultRows.list_outputs`."""
        for _, _, _, variant, _, status, nanos, input_tokens, output_tokens, *rest in rows:
            latency, finish_reason, _ = rest
            usage = self._of[variant]
            usage.answers += 1
            usage.cut_off += finish_reason == FinishReason.LENGTH
            usage.failed += status == "error"
            usage.malformed += status == "malformed"
            usage.unpriced += nanos is None
            usage.answer_nanos += nanos or 0
            usage.input_tokens += input_tokens or 0
            usage.output_tokens += output_tokens or 0
            if status == "error":
                continue
            if latency is not None:
                usage.latencies.append(latency)
            usage.averages.input_tokens.add(input_tokens)
            usage.averages.output_tokens.add(output_tokens)
            usage.averages.nanos.add(nanos)
            usage.averages.seconds.add(latency)
