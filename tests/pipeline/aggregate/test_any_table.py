"""The summary of any table consists of finite numbers or None."""

import math
from collections.abc import Iterator
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.aggregate.compare import compare
from edison.pipeline.aggregate.results import Estimate, RunSummary
from edison.pipeline.aggregate.summary import summarise, summarise_pairs
from edison.pipeline.aggregate.table import ScoreTable
from tests.pipeline.aggregate.tables import NAN, pairs_of, table_of, unhurried

SCORES = st.sampled_from([0.0, 0.2, 0.5, 1.0, NAN]) | st.floats(0, 1)
ROWS = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.sampled_from("ab"),
        st.sampled_from(["judge", "other judge", "ann", "bob"]),
        st.sampled_from(["Accuracy", "Tone"]) | st.none(),
        st.integers(0, 1),
        SCORES,
    ),
    max_size=40,
    unique_by=lambda row: row[:5],
)
LENGTHS = [0.0, 10.0, 200.0, 90.0, NAN]
WEIGHTS = st.fixed_dictionaries({"Accuracy": st.floats(0, 1), "Tone": st.sampled_from([0.0, 1.0])})


@st.composite
def tables(draw: st.DrawFn) -> ScoreTable:
    rows = draw(ROWS)
    return table_of(
        rows,
        weights=draw(WEIGHTS),
        cases=5,
        variants="ab",
        people=("ann", "bob"),
        passed=[draw(st.sampled_from([0.0, 1.0, NAN])) for _ in rows],
        lengths=[
            LENGTHS[(case + "ab".index(variant) + repeat) % 5]
            for case, variant, *_, repeat, _ in rows
        ],
        families={"a": "gpt", "judge": "gpt"},
    )


@unhurried
@given(table=tables())
def test_summaries_are_finite_and_intervals_lie_around_their_value(table: ScoreTable) -> None:
    summary = summarise(table, resamples=200)
    assert all(math.isfinite(number) for number in numbers(asdict(summary)))
    for estimate in estimates(summary):
        if estimate.value is None:
            assert estimate.cases == 0
        if estimate.interval is not None and estimate.value is not None:
            assert -1e-9 <= estimate.interval.low <= estimate.value + 1e-6
            assert estimate.value - 1e-6 <= estimate.interval.high <= 1 + 1e-9


@unhurried
@given(table=tables(), seed=st.integers(0, 100))
def test_the_order_of_rows_does_not_matter(table: ScoreTable, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(table.value))
    shuffled = table.where(order)
    one, other = (
        list(numbers(asdict(summarise(each, resamples=50)))) for each in (table, shuffled)
    )
    assert one == pytest.approx(other, abs=1e-6)


@unhurried
@given(table=tables())
def test_a_run_is_neither_better_nor_worse_than_itself(table: ScoreTable) -> None:
    for comparison in compare(table, table):
        assert comparison.verdict in ("no_evidence", "cannot_tell")
        assert comparison.improved == comparison.regressed == 0


@unhurried
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 4), st.permutations("abc"), st.sampled_from([-1, 0, 1])),
        max_size=25,
    )
)
def test_summaries_of_pairs_are_finite(rows: list[tuple[int, list[str], int]]) -> None:
    table = pairs_of(
        [(case, names[0], names[1], outcome) for case, names, outcome in rows], variants="abc"
    )
    summary = summarise_pairs(table)
    assert all(math.isfinite(number) for number in numbers(asdict(summary)))
    mirrored = pairs_of(
        [(case, names[1], names[0], -outcome) for case, names, outcome in rows], variants="abc"
    )
    assert summarise_pairs(mirrored).wins.wins == summary.wins.wins


def numbers(value: object) -> Iterator[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from numbers(each)
    elif isinstance(value, int | float):
        yield value


def estimates(summary: RunSummary) -> Iterator[Estimate]:
    yield summary.composite
    for variant in summary.variants:
        yield variant.composite
        yield variant.pass_rate
        yield from (criterion.mean for criterion in variant.criteria)
        yield from (scorer.composite for scorer in variant.scorers)
    yield from (cell.composite for cell in summary.facets)
