"""Summary of one run, from its rows."""

import numpy as np
import pytest

from edison.pipeline.aggregate.results import Distribution, Estimate, FacetKind, Verdict
from edison.pipeline.aggregate.spread import histogram, percentiles
from edison.pipeline.aggregate.summary import summarise
from edison.pipeline.aggregate.table import TableCase
from edison.pipeline.aggregate.wilson import wilson_interval
from edison.pipeline.render.length_bucket import LengthBucket
from tests.pipeline.aggregate.tables import NAN, Row, table_of, table_of_scores

NOTHING = Estimate(value=None, interval=None, cases=0)


def test_a_run_of_two_variants_with_two_judges() -> None:
    random = np.random.default_rng(21)
    quality = {"a": 0.5, "b": 0.8}
    values = {
        (case, variant, judge, criterion): float(
            np.clip(mean + (judge == "strict") * -0.1 + random.normal(0, 0.05), 0, 1)
        )
        for case in range(30)
        for variant, mean in quality.items()
        for judge in ("strict", "mild")
        for criterion in ("Accuracy", "Tone")
    }
    rows: list[Row] = [(*key, 0, value) for key, value in values.items()]
    table = table_of(rows, weights={"Accuracy": 3.0, "Tone": 1.0}, cases=30, variants="ab")
    summary = summarise(table)

    first, second = summary.variants
    for variant in summary.variants:
        accuracy, tone = (criterion.mean.value or NAN for criterion in variant.criteria)
        assert variant.composite.value == pytest.approx(0.75 * accuracy + 0.25 * tone)
        mild, strict = variant.scorers
        assert (mild.scorer, strict.scorer) == ("mild", "strict")
        assert (mild.composite.value or NAN) - (strict.composite.value or NAN) == pytest.approx(
            0.1, abs=0.03
        )
    of_accuracy = [
        np.mean([values[case, "a", judge, "Accuracy"] for judge in ("strict", "mild")])
        for case in range(30)
    ]
    criterion = first.criteria[0]
    assert criterion.mean.value == pytest.approx(np.mean(of_accuracy))
    assert criterion.minimum == pytest.approx(min(of_accuracy))
    assert criterion.maximum == pytest.approx(max(of_accuracy))
    assert criterion.standard_deviation == pytest.approx(np.std(of_accuracy, ddof=1))
    assert sum(criterion.distribution.counts) == 30
    assert summary.composite.value == pytest.approx(
        ((first.composite.value or NAN) + (second.composite.value or NAN)) / 2
    )
    (comparison,) = summary.comparisons
    assert (comparison.baseline, comparison.other) == ("a", "b")
    assert comparison.verdict is Verdict.BETTER
    assert comparison.difference.value == pytest.approx(0.3, abs=0.03)


def test_many_comparisons_of_equals_are_corrected_together() -> None:
    summary = summarise(table_of_scores(np.random.default_rng(22).uniform(size=(25, 5))))
    assert len(summary.comparisons) == 10
    assert {each.verdict for each in summary.comparisons} == {Verdict.NO_EVIDENCE}
    for comparison in summary.comparisons:
        assert (comparison.adjusted_p_value or 0) >= (comparison.p_value or 0)


def test_a_run_without_cases() -> None:
    summary = summarise(table_of([], weights={"exact": 1.0}, cases=0, variants="ab"))
    assert summary.composite == NOTHING
    assert [each.composite for each in summary.variants] == [NOTHING, NOTHING]
    assert summary.variants[0].standard_deviation is None
    assert summary.comparisons[0].verdict is Verdict.NO_EVIDENCE
    assert summary.facets == ()


def test_a_run_with_one_case() -> None:
    summary = summarise(table_of_scores(np.array([[0.25, 0.5]])))
    assert summary.variants[1].composite == Estimate(value=0.5, interval=None, cases=1)
    assert summary.comparisons[0].verdict is Verdict.NO_EVIDENCE
    assert summary.comparisons[0].p_value == 1.0


def test_a_run_in_which_everything_failed() -> None:
    summary = summarise(table_of_scores(np.full((8, 2), NAN)))
    assert [each.composite for each in summary.variants] == [NOTHING, NOTHING]
    assert [each.unscored for each in summary.variants] == [8, 8]
    assert summary.comparisons[0].verdict is Verdict.CANNOT_TELL


def test_a_run_whose_scores_are_all_equal() -> None:
    summary = summarise(table_of_scores(np.full((8, 2), 0.6)))
    assert summary.variants[0].standard_deviation == pytest.approx(0)
    interval = summary.variants[0].composite.interval
    assert interval is not None
    assert 0.3 < interval.low < 0.6 < interval.high < 0.8
    assert summary.comparisons[0].verdict is Verdict.NO_EVIDENCE
    assert summary.comparisons[0].unchanged == 8


def test_pass_rates_of_single_verdicts_have_wilsons_interval() -> None:
    rows: list[Row] = [(case, "a", "exact", "exact", 0, 1.0 * (case < 9)) for case in range(12)]
    passed = [1.0 * (case < 9) for case in range(12)]
    table = table_of(rows, weights={"exact": 1.0}, cases=12, passed=passed)
    (variant,) = summarise(table).variants
    assert variant.pass_rate == Estimate(value=0.75, interval=wilson_interval(9, 12), cases=12)


def test_facets_are_tags_lengths_and_difficulties_in_order() -> None:
    cases = [
        TableCase(key="1", tags=("refund", "angry"), length=LengthBucket.M, difficulty=4),
        TableCase(key="2", tags=("refund", "refund"), length=LengthBucket.XS, difficulty=4),
        TableCase(key="3", tags=(), length=LengthBucket.XS, difficulty=2),
        TableCase(key="4"),
    ]
    table = table_of_scores(np.array([[0.2], [0.4], [0.9], [NAN]]), cases=cases)
    cells = summarise(table).facets
    assert [(cell.kind, cell.facet, cell.composite.cases) for cell in cells] == [
        (FacetKind.TAG, "angry", 1),
        (FacetKind.TAG, "refund", 2),
        (FacetKind.LENGTH, "XS", 2),
        (FacetKind.LENGTH, "M", 1),
        (FacetKind.DIFFICULTY, "2", 1),
        (FacetKind.DIFFICULTY, "4", 2),
    ]
    assert cells[1].composite.value == pytest.approx(0.3)
    assert all(cell.is_small for cell in cells)


def test_histograms_put_an_edge_into_the_bin_it_opens() -> None:
    scores = np.array([0.0, 0.1 + 0.2, 0.3, 0.95, 1.0, NAN])
    assert histogram(scores) == Distribution(
        edges=tuple(np.linspace(0, 1, 11).tolist()), counts=(1, 0, 0, 2, 0, 0, 0, 0, 0, 2)
    )


def test_percentiles_interpolate() -> None:
    latencies = np.array([4.0, 1.0, NAN, 2.0, 3.0])
    assert percentiles(latencies, [0.5, 0.95]) == pytest.approx((2.5, 3.85))
    assert percentiles(np.array([NAN]), [0.5]) is None
