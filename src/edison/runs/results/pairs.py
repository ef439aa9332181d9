"""Converts pairwise verdicts to the columns of a pair table."""

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.table import PairTable, TableCase, TableScorer, TableVariant


class PairColumns:
    def __init__(self) -> None:
        self._columns = {
            name: array("q") for name in ("case", "judge", "first", "second", "outcome")
        }
        self.nanos = 0

    def add(self, columns: Sequence[Sequence[Any]]) -> None:
        """Adds columns of `ResultRows.list_comparisons`."""
        rows = zip(*columns, strict=True)
        for _, judge, case, a, b, preference, verdict_ab, verdict_ba, nanos in rows:
            self.nanos += nanos or 0
            for first, second, outcome in _orders(a, b, preference, verdict_ab, verdict_ba):
                for name, number in (
                    ("case", case),
                    ("judge", judge),
                    ("first", first),
                    ("second", second),
                    ("outcome", outcome),
                ):
                    self._columns[name].append(number)

    def table(
        self,
        cases: tuple[TableCase, ...],
        variants: tuple[TableVariant, ...],
        judges: tuple[TableScorer, ...],
    ) -> PairTable | None:
        """None without comparisons."""
        if not self._columns["case"]:
            return None
        columns = {name: np.array(each, dtype=np.int64) for name, each in self._columns.items()}
        return PairTable(cases=cases, variants=variants, judges=judges, **columns)


def _orders(
    a: int, b: int, preference: str | None, verdict_ab: str | None, verdict_ba: str | None
) -> Iterator[tuple[int, int, int]]:
    """First, second and outcome for each order that was judged; for pairs decided without a judge,
    one entry for the preference."""
    if verdict_ab is not None:
        yield a, b, _outcome(verdict_ab, first="a")
    if verdict_ba is not None:
        yield b, a, _outcome(verdict_ba, first="b")
    if verdict_ab is None and verdict_ba is None and preference is not None:
        yield a, b, _outcome(preference, first="a")


def _outcome(verdict: str, *, first: str) -> int:
    if verdict == "tie":
        return 0
    return 1 if verdict == first else -1
