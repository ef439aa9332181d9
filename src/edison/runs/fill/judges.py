"""What judges the answers of a chunk."""

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.score.apply import ConfiguredScorer
from edison.pipeline.score.comparer import Comparer
from edison.pipeline.score.scorer import CostClass, Tools
from edison.runs.fill.answers import CallTracker


class Judges(Protocol):
    """Access of scorers and comparers to models."""

    def reporting_to(self, progress: CallTracker) -> Tools: ...


@dataclass(frozen=True, kw_only=True)
class Judging:
    """The scorers and comparers of a run, and their access to models."""

    scorers: Sequence[ConfiguredScorer]
    comparers: Sequence[Comparer]
    judges: Judges

    @cached_property
    def instant(self) -> Sequence[int]:
        """Positions of the free, instant scorers."""
        return [at for at, each in enumerate(self.scorers) if _is_instant(each)]

    @cached_property
    def taking_time(self) -> Sequence[int]:
        return [at for at, each in enumerate(self.scorers) if not _is_instant(each)]

    @cached_property
    def reads_prompt(self) -> bool:
        return any(each.scorer.reads_prompt for each in self.scorers)


def _is_instant(configured: ConfiguredScorer) -> bool:
    scorer = configured.scorer
    return scorer.is_instant and scorer.cost_class is CostClass.FREE
