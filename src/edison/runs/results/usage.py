"""What each variant's answers took: money, tokens and time."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from edison.pipeline.aggregate.spread import percentiles


@dataclass(kw_only=True, slots=True)
class Usage:
    """`unpriced` answers have no known price, and are not in `answer_nanos`."""

    answers: int = 0
    failed: int = 0
    malformed: int = 0
    unpriced: int = 0
    answer_nanos: int = 0
    judge_nanos: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    latencies: "array[float]" = field(default_factory=lambda: array("d"))

    @property
    def nanos_per_answer(self) -> float | None:
        """None while no answer has a price."""
        priced = self.answers - self.unpriced
        return self.answer_nanos / priced if priced else None

    def latency_percentiles(self) -> tuple[float, ...] | None:
        """p50 and p95 in seconds."""
        return percentiles(np.array(self.latencies), (0.5, 0.95))


class UsageByVariant:
    def __init__(self) -> None:
        self._of: defaultdict[int, Usage] = defaultdict(Usage)

    def __getitem__(self, variant: int) -> Usage:
        return self._of[variant]

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Outputs, as the repository lists them."""
        for _, _, _, variant, _, status, nanos, input_tokens, output_tokens, latency, _ in rows:
            usage = self._of[variant]
            usage.answers += 1
            usage.failed += status == "error"
            usage.malformed += status == "malformed"
            usage.unpriced += nanos is None
            usage.answer_nanos += nanos or 0
            usage.input_tokens += input_tokens or 0
            usage.output_tokens += output_tokens or 0
            if latency is not None and status != "error":
                usage.latencies.append(latency)
