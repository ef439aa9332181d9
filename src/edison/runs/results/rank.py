"""Sorts and filters the cases of a run, with the answers of several columns."""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.groups import mean_known
from edison.pipeline.aggregate.table import Bools, Floats, Ints
from edison.runs.results.cells import STATUSES
from edison.runs.results.compare import shared_cases
from edison.runs.results.digest import Digest
from edison.runs.results.schemas.cases import CaseOrder, ResultCaseFilter

# Sort key: whether the figure is missing, the figure, the position.
Place = tuple[float, float, int]

# The column's run does not have the case.
NOWHERE = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class RankColumn:
    run_id: UUID
    variant: int
    digest: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySide:
    """Rows are the cases of the base run, in order. `places`, `scores` and `disagreements` have the
    axes case and column; the other arrays are per case.
    """

    base: Digest
    columns: Sequence[RankColumn]
    places: Ints
    scores: Floats
    disagreements: Floats
    score: Floats
    difference: Floats
    disagreement: Floats
    nanos: Floats
    seconds: Floats
    statuses: Ints

    @staticmethod
    def of(base: Digest, columns: Sequence[RankColumn], criterion: str | None) -> "SideBySide":
        places = np.stack([_places(base, column.digest) for column in columns], axis=1)
        scores = _pick(columns, places, [_scores(each, criterion) for each in columns])
        apart = _pick(columns, places, [each.digest.disagreement for each in columns])
        nanos = _pick(columns, places, [each.digest.cells.nanos for each in columns])
        seconds = _pick(columns, places, [each.digest.cells.seconds for each in columns])
        found = _pick(columns, places, [each.digest.cells.statuses for each in columns])
        statuses = np.nan_to_num(found).astype(np.int64)
        return SideBySide(
            base=base,
            columns=columns,
            places=places,
            scores=scores,
            disagreements=apart,
            score=mean_known(scores),
            difference=_spread(scores),
            disagreement=_most(apart),
            nanos=mean_known(nanos) * (~np.isnan(nanos)).sum(axis=1),
            seconds=_most(seconds),
            statuses=np.bitwise_or.reduce(statuses, axis=1),
        )


def rank(sides: SideBySide, wanted: ResultCaseFilter, flagged: Collection[int]) -> "Ranked":
    """The matching cases, sorted. `flagged` is used if the filter asks for it."""
    keys = _keys(sides, wanted.order)
    matching = np.flatnonzero(_matches(sides, wanted, flagged))
    is_missing = np.isnan(keys[matching])
    figures = np.where(is_missing, 0.0, keys[matching])
    order = np.lexsort((matching, figures, is_missing))
    return Ranked(is_missing=is_missing[order], figures=figures[order], positions=matching[order])


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Sorted by: missing figure, figure, position."""

    is_missing: Bools
    figures: Floats
    positions: Ints

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, at: int) -> Place:
        return float(self.is_missing[at]), float(self.figures[at]), int(self.positions[at])

    def first_behind(self, place: Place) -> int:
        return bisect_right(self, place)


def _keys(sides: SideBySide, order: CaseOrder) -> Floats:
    by: Mapping[CaseOrder, Floats] = {
        "position": np.zeros(len(sides.score)),
        "worst": sides.score,
        "best": -sides.score,
        "difference": -sides.difference,
        "disagreement": -sides.disagreement,
        "cost": -sides.nanos,
        "latency": -sides.seconds,
    }
    return by[order]


def _matches(sides: SideBySide, wanted: ResultCaseFilter, flagged: Collection[int]) -> Bools:
    cases = sides.base.cases
    fits = np.ones(len(cases), dtype=bool)
    if wanted.status is not None:
        fits &= (sides.statuses & STATUSES[wanted.status]) > 0
    if wanted.min_score is not None or wanted.max_score is not None:
        low = 0.0 if wanted.min_score is None else wanted.min_score
        high = 1.0 if wanted.max_score is None else wanted.max_score
        fits &= ((sides.scores >= low) & (sides.scores <= high)).any(axis=1)
    if wanted.min_disagreement is not None:
        fits &= np.nan_to_num(sides.disagreement, nan=-1.0) >= wanted.min_disagreement
    if wanted.tag is not None:
        fits &= np.array([wanted.tag in case.tags for case in cases], dtype=bool)
    if wanted.difficulty is not None:
        fits &= np.array([case.difficulty == wanted.difficulty for case in cases], dtype=bool)
    if wanted.length is not None:
        fits &= np.array([case.length == wanted.length for case in cases], dtype=bool)
    if wanted.is_flagged is not None:
        marked = np.isin(np.arange(len(cases)), list(flagged))
        fits &= marked if wanted.is_flagged else ~marked
    return fits


def _places(base: Digest, other: Digest) -> Ints:
    """Positions of the base's cases in the other run."""
    if other is base:
        return np.arange(len(base.case_keys))
    places = np.full(len(base.case_keys), NOWHERE, dtype=np.int64)
    rows = shared_cases(base, other)
    places[rows[:, 0]] = rows[:, 1]
    return places


def _scores(column: RankColumn, criterion: str | None) -> Floats:
    digest = column.digest
    if criterion is None:
        return digest.composites
    at = digest.layout.criterion_places.get(criterion)
    if at is None:
        return np.full(digest.composites.shape, np.nan)
    return digest.criteria[:, :, at].astype(np.float64)


def _pick(columns: Sequence[RankColumn], places: Ints, tables: Sequence[Floats | Ints]) -> Floats:
    """Selects each column's variant, aligned with the base's cases."""
    picked = np.full(places.shape, np.nan)
    for at, (column, table) in enumerate(zip(columns, tables, strict=True)):
        known = places[:, at] != NOWHERE
        picked[known, at] = table[places[known, at], column.variant]
    return picked


def _most(values: Floats) -> Floats:
    known = ~np.isnan(values)
    most = np.where(known, values, -np.inf).max(axis=1, initial=-np.inf)
    return np.where(known.any(axis=1), most, np.nan)


def _spread(values: Floats) -> Floats:
    known = ~np.isnan(values)
    least = np.where(known, values, np.inf).min(axis=1, initial=np.inf)
    return np.where(known.sum(axis=1) >= 2, _most(values) - least, np.nan)
