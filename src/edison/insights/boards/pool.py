"""Pools the results of models over several runs by the content of cases. Pure.

Models are compared where they did the same work: the same case with the same prompt version. The
unit of the statistics is the case: results with several prompt versions are averaged first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.board import BoardTable
from edison.pipeline.aggregate.gaps import Gap
from edison.pipeline.aggregate.groups import mean_by
from edison.pipeline.aggregate.table import (
    Bools,
    Floats,
    Ints,
    PairTable,
    TableCase,
    TableScorer,
    TableVariant,
)

# A model joins the comparison only if this share of the cases compared so far remains.
LEAST_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantCells:
    """Results of one variant by case, as in a run's digest. `failed` are cells with a failed
    answer. Costs are in nano-dollars.
    """

    scores: Floats
    gaps: Ints
    passed: Floats
    nanos: Floats
    seconds: Floats
    failed: Bools


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFigures:
    """`answers` counts cells, `failures` those with a failed answer; the rest is None without
    values. `passed` is by case.
    """

    cases: int
    answers: int
    failures: int
    passed: Floats
    nanos: float | None
    p50_seconds: float | None
    p95_seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledBoard:
    """`compared` are the models of `table`, on the cases that all of them have. `left_out` share
    too few cases with them.
    """

    table: BoardTable
    compared: Sequence[UUID]
    left_out: Sequence[UUID]
    figures: dict[UUID, ModelFigures]
    pairs: PairTable | None


@dataclass(slots=True)
class _Column:
    """Cells of one model, by row of the pool."""

    rows: list[Ints] = field(default_factory=list)
    cells: list[VariantCells] = field(default_factory=list)

    def join(self, name: str) -> Floats:
        parts = [np.asarray(getattr(each, name), dtype=np.float64) for each in self.cells]
        return np.concatenate(parts)

    @property
    def places(self) -> Ints:
        return np.concatenate(self.rows)


@dataclass(slots=True)
class _Pairs:
    case: list[Ints] = field(default_factory=list)
    first: list[Ints] = field(default_factory=list)
    second: list[Ints] = field(default_factory=list)
    outcome: list[Ints] = field(default_factory=list)


class BoardPool:
    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], int] = {}
        self._case_of_row: list[int] = []
        self._cases: dict[str, int] = {}
        self._columns: dict[UUID, _Column] = {}
        self._models: dict[UUID, int] = {}
        self._pairs = _Pairs()
        self._last: tuple[str, Sequence[str], Ints] | None = None

    def add(
        self, model_id: UUID, version: str, case_keys: Sequence[str], cells: VariantCells
    ) -> None:
        """Adds the cells of a variant; `case_keys` are the cases of its arrays."""
        self._models.setdefault(model_id, len(self._models))
        column = self._columns.setdefault(model_id, _Column())
        column.rows.append(self._rows_of(version, case_keys))
        column.cells.append(cells)

    def add_pairs(self, table: PairTable, models: Sequence[UUID | None], kept: Bools) -> None:
        """Adds the comparisons of a run. `models` are those of its variants, None for a variant
        that is not on the board; `kept` are the cases that count. Comparisons of a model with
        itself tell nothing about models.
        """
        places = np.array([-1 if each is None else self._models[each] for each in models])
        cases = np.array([self._case(each.key) for each in table.cases], dtype=np.int64)
        first, second = places[table.first], places[table.second]
        fits = (first >= 0) & (second >= 0) & (first != second) & kept[table.case]
        self._pairs.case.append(cases[table.case[fits]])
        self._pairs.first.append(first[fits])
        self._pairs.second.append(second[fits])
        self._pairs.outcome.append(table.outcome[fits])

    def pool(self) -> PooledBoard:
        tried = {model_id: self._tried(column) for model_id, column in self._columns.items()}
        compared, left_out, shared = self._choose(tried)
        places = np.flatnonzero(shared)
        scores, gaps = self._table(compared, places)
        figures = {
            model_id: self._figures(column, shared if model_id in compared else tried[model_id])
            for model_id, column in self._columns.items()
        }
        costs = [figures[model_id].nanos for model_id in compared]
        return PooledBoard(
            table=BoardTable(
                keys=[str(model_id) for model_id in compared],
                scores=scores,
                gaps=gaps,
                costs=np.array([np.nan if each is None else each for each in costs]),
            ),
            compared=compared,
            left_out=left_out,
            figures=figures,
            pairs=self._pair_table(),
        )

    def _rows_of(self, version: str, case_keys: Sequence[str]) -> Ints:
        """The variants of a run usually share version and cases."""
        if self._last is None or self._last[0] != version or self._last[1] is not case_keys:
            rows = np.array([self._row(version, key) for key in case_keys], dtype=np.int64)
            self._last = (version, case_keys, rows)
        return self._last[2]

    def _row(self, version: str, case_key: str) -> int:
        row = self._rows.get((version, case_key))
        if row is None:
            row = self._rows[(version, case_key)] = len(self._rows)
            self._case_of_row.append(self._case(case_key))
        return row

    def _case(self, key: str) -> int:
        return self._cases.setdefault(key, len(self._cases))

    def _tried(self, column: _Column) -> Bools:
        tried = np.zeros(len(self._rows), dtype=bool)
        tried[column.places] = True
        return tried

    def _count_cases(self, rows: Bools) -> int:
        counted = np.zeros(len(self._cases), dtype=bool)
        counted[np.array(self._case_of_row, dtype=np.int64)[rows]] = True
        return int(counted.sum())

    def _choose(self, tried: dict[UUID, Bools]) -> tuple[list[UUID], list[UUID], Bools]:
        """Begins with the model that did most, and adds the others while enough cases remain."""
        counts = {model_id: self._count_cases(rows) for model_id, rows in tried.items()}
        compared: list[UUID] = []
        left_out: list[UUID] = []
        shared = np.zeros(len(self._rows), dtype=bool)
        for model_id in sorted(tried, key=lambda each: (-counts[each], str(each))):
            common = shared & tried[model_id] if compared else tried[model_id]
            needed = max(1.0, LEAST_SHARE * self._count_cases(shared))
            if self._count_cases(common) >= needed:
                compared.append(model_id)
                shared = common
            else:
                left_out.append(model_id)
        return compared, left_out, shared

    def _table(self, compared: Sequence[UUID], rows: Ints) -> tuple[Floats, Ints]:
        """Scores and gaps by case and model. A case with any score has no gap."""
        case_of_row = np.array(self._case_of_row, dtype=np.int64)[rows]
        cases, place = np.unique(case_of_row, return_inverse=True)
        scores = np.full((len(cases), len(compared)), np.nan)
        gaps = np.zeros((len(cases), len(compared)), dtype=np.int64)
        for at, model_id in enumerate(compared):
            column = self._columns[model_id]
            by_row = mean_by(column.places, column.join("scores"), len(self._rows))[rows]
            scores[:, at] = mean_by(place, by_row, len(cases))
            gap = np.zeros(len(self._rows), dtype=np.int64)
            np.maximum.at(gap, column.places, column.join("gaps").astype(np.int64))
            np.maximum.at(gaps[:, at], place, gap[rows])
        gaps[~np.isnan(scores)] = Gap.NONE
        # The last digits of a mean depend on the order of its terms.
        return np.round(scores, 12), gaps

    def _figures(self, column: _Column, rows: Bools) -> ModelFigures:
        counts = rows[column.places]
        places = column.places[counts]
        case_of_row = np.array(self._case_of_row, dtype=np.int64)
        cases = case_of_row[places]
        nanos, seconds = column.join("nanos")[counts], column.join("seconds")[counts]
        # Answers from the cache cost nothing and say nothing about the price.
        paid = nanos[nanos > 0]
        known = ~np.isnan(nanos)
        slow = seconds[~np.isnan(seconds)]
        quantiles = np.quantile(slow, [0.5, 0.95]).tolist() if slow.size else [None, None]
        return ModelFigures(
            cases=len(np.unique(cases)),
            answers=len(places),
            failures=int(column.join("failed")[counts].sum()),
            passed=mean_by(cases, column.join("passed")[counts], len(self._cases)),
            nanos=float(paid.mean()) if paid.size else (0.0 if known.any() else None),
            p50_seconds=quantiles[0],
            p95_seconds=quantiles[1],
        )

    def _pair_table(self) -> PairTable | None:
        pairs = self._pairs
        if not pairs.outcome or not any(each.size for each in pairs.outcome):
            return None
        case = np.concatenate(pairs.case)
        return pair_table(
            list(self._models),
            case=case,
            first=np.concatenate(pairs.first),
            second=np.concatenate(pairs.second),
            outcome=np.concatenate(pairs.outcome),
        )


def pair_table(
    models: Iterable[UUID], *, case: Ints, first: Ints, second: Ints, outcome: Ints
) -> PairTable:
    """A table of comparisons of models; all judges count as one."""
    _, place = np.unique(case, return_inverse=True)
    count = int(place.max(initial=-1)) + 1
    return PairTable(
        cases=tuple(TableCase(key=str(at)) for at in range(count)),
        variants=tuple(TableVariant(key=str(model_id)) for model_id in models),
        judges=(TableScorer(key="judges", is_judge=True),),
        case=place.astype(np.int64),
        judge=np.zeros(len(outcome), dtype=np.int64),
        first=first,
        second=second,
        outcome=outcome,
    )
