"""Builders for score tables."""

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
from hypothesis import settings

from edison.pipeline.aggregate.table import (
    OVERALL,
    Floats,
    PairTable,
    ScoreTable,
    TableCase,
    TableCriterion,
    TableScorer,
    TableVariant,
)

NAN = float("nan")

# Fewer examples and no deadline, for busy machines.
unhurried = settings(deadline=None, max_examples=30)

# Case, variant, scorer, criterion (None is overall), repeat, and value.
Row = tuple[int, str, str, str | None, int, float]


def table_of(
    rows: Iterable[Row],
    *,
    weights: dict[str, float],
    cases: Sequence[TableCase] | int,
    variants: Sequence[str] = ("a",),
    people: Sequence[str] = (),
    passed: Sequence[float] | None = None,
    lengths: Sequence[float] | None = None,
    families: dict[str, str] | None = None,
) -> ScoreTable:
    rows = list(rows)
    scorers = sorted({row[2] for row in rows} | set(people))
    criteria = list(weights)
    places = [criteria.index(row[3]) if row[3] is not None else OVERALL for row in rows]
    known = families or {}
    return ScoreTable(
        cases=_cases(cases),
        variants=tuple(TableVariant(key=key, family=known.get(key)) for key in variants),
        scorers=tuple(
            TableScorer(
                key=key, family=known.get(key), is_human=key in people, is_judge=key not in people
            )
            for key in scorers
        ),
        criteria=tuple(TableCriterion(key=key, weight=weights[key]) for key in criteria),
        case=np.array([row[0] for row in rows], dtype=np.int64),
        variant=np.array([variants.index(row[1]) for row in rows], dtype=np.int64),
        scorer=np.array([scorers.index(row[2]) for row in rows], dtype=np.int64),
        criterion=np.array(places, dtype=np.int64),
        repeat=np.array([row[4] for row in rows], dtype=np.int64),
        value=np.array([row[5] for row in rows], dtype=np.float64),
        passed=None if passed is None else np.array(passed, dtype=np.float64),
        output_length=None if lengths is None else np.array(lengths, dtype=np.float64),
    )


def table_of_scores(
    scores: Floats, *, cases: Sequence[TableCase] | None = None, variants: Sequence[str] = ()
) -> ScoreTable:
    """One scorer with one criterion; rows are cases, columns are variants."""
    names = list(variants) or [f"v{at}" for at in range(scores.shape[1])]
    places = itertools.product(range(scores.shape[0]), range(scores.shape[1]))
    return table_of(
        [(case, names[at], "exact", "exact", 0, float(scores[case, at])) for case, at in places],
        weights={"exact": 1.0},
        cases=cases if cases is not None else scores.shape[0],
        variants=names,
    )


def pairs_of(
    rows: Iterable[tuple[int, str, str, int]], *, variants: Sequence[str], judge: str = "judge"
) -> PairTable:
    """Rows are case, first, second and outcome."""
    rows = list(rows)
    return PairTable(
        cases=_cases(max((row[0] for row in rows), default=-1) + 1),
        variants=tuple(TableVariant(key=key) for key in variants),
        judges=(TableScorer(key=judge, is_judge=True),),
        case=np.array([row[0] for row in rows], dtype=np.int64),
        judge=np.zeros(len(rows), dtype=np.int64),
        first=np.array([variants.index(row[1]) for row in rows], dtype=np.int64),
        second=np.array([variants.index(row[2]) for row in rows], dtype=np.int64),
        outcome=np.array([row[3] for row in rows], dtype=np.int64),
    )


def _cases(cases: Sequence[TableCase] | int) -> tuple[TableCase, ...]:
    if isinstance(cases, int):
        return tuple(TableCase(key=f"case {at}") for at in range(cases))
    return tuple(cases)
