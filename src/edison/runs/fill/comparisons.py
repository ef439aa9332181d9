"""Compares the answers to a case, each pair as soon as both exist."""

from collections.abc import Mapping

from edison.kit import clock, ids
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.score.comparer import Compared
from edison.pipeline.score.scorer import Subject
from edison.runs.fill.work import Work
from edison.runs.plan.types import pairs_of
from edison.runs.store.answers import subject_of
from edison.runs.store.types import CellOutput, NewComparison, StoredCase


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputPair:
    """Two outputs of the same case and repeat."""

    comparer: int
    case: StoredCase
    a: CellOutput
    b: CellOutput

    def subjects(self) -> tuple[Subject | None, Subject | None]:
        return subject_of(self.a, self.case), subject_of(self.b, self.case)


class Pairing:
    """Finds the pairs that each new output completes."""

    def __init__(self, work: Work) -> None:
        self._compared = set(work.compared)
        self._outputs: dict[tuple[int, int, int], CellOutput] = {}
        self._pairs = [
            pairs_of(len(work.columns), comparer.baseline) for comparer in work.comparers
        ]

    def add(self, output: CellOutput, case: StoredCase) -> list[OutputPair]:
        """The pairs of this output with earlier ones that have not been compared."""
        repeat, variant = output.repeat, output.variant_position
        self._outputs[case.position, repeat, variant] = output
        found = []
        for comparer, pairs in enumerate(self._pairs):
            for first, second in pairs:
                if variant not in (first, second):
                    continue
                a = self._outputs.get((case.position, repeat, first))
                b = self._outputs.get((case.position, repeat, second))
                place = (comparer, case.position, repeat, first, second)
                if a is not None and b is not None and place not in self._compared:
                    found.append(OutputPair(comparer=comparer, case=case, a=a, b=b))
        return found


def new_comparison(
    work: Work, pair: OutputPair, compared: Compared, answers: Mapping[str, Answer]
) -> NewComparison:
    return NewComparison(
        id=ids.new_id(),
        comparer_position=pair.comparer,
        a=pair.a,
        b=pair.b,
        compared=compared,
        answers=answers,
        charged_nanos=0 if work.is_replay else compared.cost_nanos,
        created_at=clock.now(),
    )
