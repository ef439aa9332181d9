"""How an evaluation compares with an earlier one, column by column."""

from collections.abc import Sequence
from typing import Literal

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.results import VariantComparison, Verdict

Measure = Literal["pass rate", "score"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnComparison:
    """A column of the new evaluation next to one of the baseline."""

    measure: Measure
    column: str
    baseline_column: str
    found: VariantComparison


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineReport:
    """`changed` tests have other assertions than in the baseline; `unshared` tests and columns are
    on one side only. They are not compared.
    """

    baseline: str
    comparisons: Sequence[ColumnComparison]
    changed: int
    unshared: int
    unmatched: Sequence[str]

    def has(self, verdict: Verdict) -> bool:
        return any(each.found.verdict is verdict for each in self.comparisons)

    @property
    def is_regression(self) -> bool:
        return self.has(Verdict.WORSE)

    @property
    def has_no_answer(self) -> bool:
        """Whether too much is missing, on either side, to compare at all."""
        return self.has(Verdict.CANNOT_TELL) or not any(
            each.found.difference.cases for each in self.comparisons
        )
