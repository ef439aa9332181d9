"""Statistics: the bootstrap versus scipy's, summary of a large run, savings of early stopping."""

import math
import time
from collections.abc import Callable

import numpy as np
from scipy import stats

from benchmarks.figures import Figure
from edison.pipeline.aggregate.bootstrap import bca_intervals
from edison.pipeline.aggregate.composite import collapse
from edison.pipeline.aggregate.power import cases_needed
from edison.pipeline.aggregate.quantiles import t_quantile
from edison.pipeline.aggregate.sequence import FEWEST_CASES, FINAL_ALPHA, SequentialDecision, look
from edison.pipeline.aggregate.summary import summarise
from edison.pipeline.aggregate.table import (
    Floats,
    ScoreTable,
    TableCase,
    TableCriterion,
    TableScorer,
    TableVariant,
)
from edison.pipeline.render.length_bucket import LengthBucket

CASES = 10_000
RESAMPLES = 10_000
VARIANTS = 4
JUDGES = 3
CRITERIA = 4
ROUNDS = 3
FASTER_THAN_SCIPY = 10

# The smallest effect worth finding, in standard deviations.
EFFECT = 0.2
COMPARISONS = 1_000
CASES_BETWEEN_LOOKS = 10
# Planned cases relative to a single final test, for the same power.
ALLOWANCE = 1.1


def measure() -> list[Figure]:
    return [*_bootstrap_figures(), *_summary_figures(), *_stopping_figures()]


def _bootstrap_figures() -> list[Figure]:
    scores = np.random.default_rng(1).beta(5, 2, size=(CASES, 3))
    ours = _fastest(lambda: bca_intervals(scores, resamples=RESAMPLES))
    started = time.perf_counter()
    # In batches: all at once would need gigabytes.
    stats.bootstrap((scores.T,), np.mean, axis=-1, n_resamples=RESAMPLES, batch=100, rng=1)
    scipys = time.perf_counter() - started
    return [
        Figure(
            name=f"BCa bootstrap, {RESAMPLES:,} resamples of {CASES:,} cases, 3 variants",
            value=f"{ours:,.2f} s",
            ratio=f"scipy.stats.bootstrap {scipys:,.1f} s, {scipys / ours:,.1f} x",
            target=f"{FASTER_THAN_SCIPY} x as fast",
            is_met=scipys >= FASTER_THAN_SCIPY * ours,
        )
    ]


def _summary_figures() -> list[Figure]:
    table = _large_table()
    composites = _fastest(lambda: collapse(table))
    everything = _fastest(lambda: summarise(table))
    shape = f"{CASES:,} cases x {VARIANTS} variants x {JUDGES} judges x {CRITERIA} criteria"
    return [
        Figure(
            name=f"Composites of {shape}",
            value=f"{composites * 1000:,.0f} ms",
            ratio=f"{len(table.value) / composites / 1e6:,.1f} million scores a second",
        ),
        Figure(
            name="Everything about them: intervals, comparisons, facets, agreement, bias",
            value=f"{everything:,.2f} s",
            ratio=f"{everything / composites:,.0f} x the composites alone",
        ),
    ]


def _stopping_figures() -> list[Figure]:
    """Differences are normal with standard deviation 1. Both methods have 80 % power at `EFFECT`
    and a false positive rate of at most 5 %.
    """
    fixed = cases_needed(EFFECT, 1.0)
    assert fixed is not None
    planned = round(fixed * ALLOWANCE)
    random = np.random.default_rng(2)
    ends = {
        times: _end_all(random.normal(times * EFFECT, 1.0, size=(COMPARISONS, planned)))
        for times in (0, 1, 2, 3)
    }
    shares = {times: used / fixed for times, (_, used) in ends.items()}
    saved = 1 - sum(shares.values()) / len(shares)
    return [
        Figure(
            name="Cases saved by stopping early, when the effect is 0 to 3 x the worthwhile one",
            value=f"{saved:.0%}",
            ratio=" · ".join(f"{times} x: {1 - share:.0%}" for times, share in shares.items()),
        ),
        Figure(
            name="  false alarms when looking every ten cases",
            value=f"{ends[0][0]:.1%}",
            target="<= 5 %",
            is_met=ends[0][0] <= 0.05,
        ),
        Figure(
            name=f"  found at the worthwhile effect; one test of {fixed} cases finds 80 %",
            value=f"{ends[1][0]:.0%}",
            # Three standard errors of a proportion of this many comparisons.
            target=">= 80 %, less luck",
            is_met=ends[1][0] >= 0.8 - 3 * math.sqrt(0.16 / COMPARISONS),
        ),
    ]


def _end_all(comparisons: Floats) -> tuple[float, float]:
    """Share of comparisons that found a difference, and the mean number of cases used."""
    ends = [_end(differences) for differences in comparisons]
    return float(np.mean([found for found, _ in ends])), float(np.mean([used for _, used in ends]))


def _end(differences: Floats) -> tuple[bool, int]:
    planned = len(differences)
    for count in range(FEWEST_CASES, planned, CASES_BETWEEN_LOOKS):
        seen = look(differences[:count], planned_cases=planned, worthwhile=EFFECT)
        if seen.decision is not SequentialDecision.CONTINUE:
            return seen.decision is not SequentialDecision.TOO_CLOSE, count
    error = differences.std(ddof=1) / math.sqrt(planned)
    reach = t_quantile(1 - FINAL_ALPHA / 2, planned - 1) * error
    return bool(abs(differences.mean()) > reach), planned


def _large_table() -> ScoreTable:
    random = np.random.default_rng(3)
    shape = (CASES, VARIANTS, JUDGES, CRITERIA)
    case, variant, judge, criterion = (column.ravel() for column in np.indices(shape))
    quality = random.beta(6, 2, size=(CASES, 1, 1, 1)) + random.normal(0, 0.05, (*shape[:2], 1, 1))
    scores = np.clip(quality + random.normal(0, 0.15, size=shape), 0, 1)
    lengths = random.integers(50, 2_000, size=CASES * VARIANTS).astype(np.float64)
    buckets = list(LengthBucket)
    return ScoreTable(
        cases=tuple(
            TableCase(
                key=str(at), tags=(f"tag {at % 12}",), length=buckets[at % 5], difficulty=at % 5 + 1
            )
            for at in range(CASES)
        ),
        variants=tuple(TableVariant(key=f"{at}", family=f"{at}") for at in range(VARIANTS)),
        scorers=tuple(
            TableScorer(key=f"judge {at}", family=f"{at}", is_judge=True) for at in range(JUDGES)
        ),
        criteria=tuple(TableCriterion(key=f"criterion {at}") for at in range(CRITERIA)),
        case=case,
        variant=variant,
        scorer=judge,
        criterion=criterion,
        repeat=np.zeros_like(case),
        value=(np.round(scores * 5) / 5).ravel(),
        output_length=np.repeat(lengths, JUDGES * CRITERIA),
    )


def _fastest(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)
