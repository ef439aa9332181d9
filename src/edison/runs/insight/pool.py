"""Pools the results of models over several runs. Pure.

Models are compared where they did the same work: the same case by content, the same prompt version
and the same scorers. The unit of the statistics is the case: what a model scored on it with several
prompt versions is averaged first.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from statistics import fmean
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.advice import FEWEST_CASES, ModelRecord

# What was done: prompt version and scorers, and the case.
WorkKey = tuple[str, str]
# A model joins the comparison only if this share of the cases compared so far remains.
_LEAST_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledCell:
    """Results of one model on one case, averaged over repeats; None where unknown."""

    score: float | None
    nanos: float | None
    seconds: float | None


@dataclass(slots=True)
class _Values:
    scores: list[float] = field(default_factory=list)
    nanos: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, cell: PooledCell) -> None:
        for values, value in (
            (self.scores, cell.score),
            (self.nanos, cell.nanos),
            (self.seconds, cell.seconds),
        ):
            if value is not None:
                values.append(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparable:
    """`records` are the models compared, on the cases that all of them have. `left_out` share too
    few cases with them.
    """

    records: Sequence[ModelRecord]
    left_out: Sequence[UUID]
    cases: int


class ModelPool:
    def __init__(self) -> None:
        self._done: dict[UUID, dict[WorkKey, _Values]] = {}

    def add(self, model_id: UUID, work: WorkKey, cell: PooledCell) -> None:
        self._done.setdefault(model_id, {}).setdefault(work, _Values()).add(cell)

    def count_cases(self, model_id: UUID) -> int:
        """Cases with a score, whatever other models did."""
        return len({case for _, case in self._scored(model_id)})

    @property
    def model_ids(self) -> list[UUID]:
        return list(self._done)

    def compare(self) -> Comparable:
        """Begins with the model that did most, and adds the others while enough cases remain."""
        scored = {model_id: self._scored(model_id) for model_id in self._done}
        ordered = sorted(scored, key=lambda model_id: (-len(scored[model_id]), str(model_id)))
        chosen: list[UUID] = []
        left_out: list[UUID] = []
        shared: set[WorkKey] = set()
        for model_id in ordered:
            common = shared & scored[model_id] if chosen else scored[model_id]
            needed = max(FEWEST_CASES, _LEAST_SHARE * count_cases(shared))
            if count_cases(common) >= needed:
                chosen.append(model_id)
                shared = common
            else:
                left_out.append(model_id)
        return Comparable(
            records=[self._record(model_id, shared) for model_id in chosen],
            left_out=left_out,
            cases=count_cases(shared),
        )

    def _scored(self, model_id: UUID) -> set[WorkKey]:
        return {work for work, values in self._done[model_id].items() if values.scores}

    def _record(self, model_id: UUID, shared: Collection[WorkKey]) -> ModelRecord:
        done = self._done[model_id]
        return ModelRecord(
            key=str(model_id),
            scores=_by_case((work, done[work].scores) for work in shared),
            cost=_mean_cost([nanos for work in shared for nanos in done[work].nanos]),
            seconds=_by_case((work, done[work].seconds) for work in shared),
        )


def count_cases(works: Iterable[WorkKey]) -> int:
    return len({case for _, case in works})


def _by_case(found: Iterable[tuple[WorkKey, Sequence[float]]]) -> Mapping[str, float]:
    """The mean per case; each prompt version with its scorers has the same weight."""
    means: defaultdict[str, list[float]] = defaultdict(list)
    for (_, case), values in sorted(found):
        if values:
            means[case].append(fmean(values))
    return {case: round(fmean(values), 12) for case, values in means.items()}


def _mean_cost(nanos: Sequence[float]) -> float | None:
    """Answers from the cache cost nothing and say nothing about the price; free models have no
    others.
    """
    if not nanos:
        return None
    paid = [each for each in nanos if each > 0]
    return fmean(paid) if paid else 0.0
