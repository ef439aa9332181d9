"""Compares the answers to a case, each pair as soon as both exist."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from edison.kit import clock, ids
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.score.comparer import Compared, OrderVerdict, Winner
from edison.pipeline.score.scorer import Subject
from edison.runs.fill.work import Work
from edison.runs.plan.types import pairs_of
from edison.runs.store.answers import pack, storable, subject_of
from edison.runs.store.batch import NewComparison
from edison.runs.store.models import RunCase

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two outputs of the same case and repeat; `a` and `b` hold their columns."""

    comparer: int
    case: RunCase
    a: Row
    b: Row

    def subjects(self) -> tuple[Subject | None, Subject | None]:
        return self._subject(self.a), self._subject(self.b)

    def _subject(self, row: Row) -> Subject | None:
        return None if row["status"] == "error" else subject_of(row, self.case)


class Pairing:
    """Finds the pairs that each new output completes."""

    def __init__(self, work: Work) -> None:
        self._compared = set(work.compared)
        self._rows: dict[tuple[int, int, int], Row] = {}
        self._pairs = [
            pairs_of(len(work.columns), comparer.baseline) for comparer in work.comparers
        ]

    def add(self, row: Row, case: RunCase) -> list[Pair]:
        """The pairs of this output with earlier ones that have not been compared."""
        repeat, variant = row["repeat"], row["variant_position"]
        self._rows[case.position, repeat, variant] = row
        found = []
        for comparer, pairs in enumerate(self._pairs):
            for first, second in pairs:
                if variant not in (first, second):
                    continue
                a = self._rows.get((case.position, repeat, first))
                b = self._rows.get((case.position, repeat, second))
                place = (comparer, case.position, repeat, first, second)
                if a is not None and b is not None and place not in self._compared:
                    found.append(Pair(comparer=comparer, case=case, a=a, b=b))
        return found


def new_comparison(
    work: Work, pair: Pair, compared: Compared, answers: Mapping[str, Answer]
) -> NewComparison:
    verdicts = {order.shown_first: order.winner for order in compared.orders}
    return NewComparison(
        run_id=work.run.id,
        row={
            "id": ids.new_id(),
            "run_id": work.run.id,
            "comparer_position": pair.comparer,
            "case_position": pair.case.position,
            "repeat": pair.a["repeat"],
            "variant_a": pair.a["variant_position"],
            "variant_b": pair.b["variant_position"],
            "output_a_id": pair.a["id"],
            "output_b_id": pair.b["id"],
            "preference": compared.preference,
            "verdict_ab": verdicts.get(Winner.A),
            "verdict_ba": verdicts.get(Winner.B),
            "flag": compared.flag,
            "judge_text": compared.judge_text,
            "cost_nanos": compared.cost_nanos,
            "created_at": clock.now(),
            "rationale": None if compared.rationale is None else storable(compared.rationale),
            "orders": [_order(order) for order in compared.orders],
            "answers": {key: pack(answer) for key, answer in answers.items()} or None,
        },
        charged_nanos=0 if work.run.replay_of_id is not None else compared.cost_nanos,
        answered_at={row["id"]: row["created_at"] for row in (pair.a, pair.b)},
    )


def _order(order: OrderVerdict) -> dict[str, Any]:
    return asdict(order)
