"""Cost, tokens and latency of each variant's answers."""

import math
from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.quantiles import t_quantile
from edison.pipeline.aggregate.results import Estimate, Interval
from edison.pipeline.aggregate.spread import percentiles
from edison.pipeline.aggregate.table import Floats, Texts
from edison.pipeline.generate.outcome import FinishReason


@dataclass(kw_only=True, slots=True)
class Average:
    """Running mean and sum of squared deviations, merged by Chan's algorithm, which is numerically
    stable.
    """

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, values: Floats) -> None:
        """NaN means no value."""
        known = values[~np.isnan(values)]
        if not known.size:
            return
        mean = float(known.mean())
        total, before = self.count + known.size, mean - self.mean
        self.squares += float(((known - mean) ** 2).sum())
        self.squares += before**2 * self.count * known.size / total
        self.mean += before * known.size / total
        self.count = total

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

    def add(self, columns: Sequence[Sequence[Any]]) -> None:
        """Adds columns of `ResultRows.list_outputs`."""
        _, _, _, variant, _, status, *figures, finish_reason, _ = columns
        variants, statuses = np.array(variant), np.array(status)
        reasons = np.array([each or "" for each in finish_reason])
        numbers = np.array(figures, dtype=np.float64)
        for at in np.unique(variants).tolist():
            is_own = variants == at
            self._add(self._of[at], statuses[is_own], reasons[is_own], numbers[:, is_own])

    def _add(
        self,
        usage: RunUsage,
        statuses: Texts,
        reasons: Texts,
        numbers: Floats,
    ) -> None:
        """`numbers` are cost, latency, input tokens and output tokens, NaN where unknown."""
        is_failed = statuses == "error"
        usage.answers += len(statuses)
        usage.cut_off += int((reasons == FinishReason.LENGTH.value).sum())
        usage.failed += int(is_failed.sum())
        usage.malformed += int((statuses == "malformed").sum())
        usage.unpriced += int(np.isnan(numbers[0]).sum())
        usage.answer_nanos += round(np.nansum(numbers[0]))
        usage.input_tokens += round(np.nansum(numbers[2]))
        usage.output_tokens += round(np.nansum(numbers[3]))
        nanos, seconds, input_tokens, output_tokens = numbers[:, ~is_failed]
        usage.latencies.extend(seconds[~np.isnan(seconds)])
        usage.averages.input_tokens.add(input_tokens)
        usage.averages.output_tokens.add(output_tokens)
        usage.averages.nanos.add(nanos)
        usage.averages.seconds.add(seconds)
