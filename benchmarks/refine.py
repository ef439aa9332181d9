"""Gain from refining: five iterations with simulated models on the demo tasks, measured by the
hidden quality on unseen cases. Also counts bad edits that pass the guard rails.

Rubrics are vague, judges noisy and refiners fallible. Each iteration approves the suggestion with
the best score on the train cases, unless it scores lower than its parent.
"""

import asyncio
from collections.abc import Sequence

from benchmarks.figures import Figure
from edison.pipeline.aggregate.compare import Pair, compare_pairs
from edison.pipeline.aggregate.results import VariantComparison, Verdict
from edison.pipeline.refine.suggestion import SuggestedEdit, SuggestionOrigin
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.simulation.material import demo_tasks
from tests.support.refining import Bench, hidden_pair, useless_edits

ITERATIONS = 5
SEEDS = range(5)
HIDDEN_CASES = 400


def measure() -> list[Figure]:
    return asyncio.run(_measure())


async def _measure() -> list[Figure]:
    refined, stated, bad = [], [], []
    for key in demo_tasks():
        benches = [Bench(task=demo_tasks()[key], seed=seed) for seed in SEEDS]
        last = [(await bench.improve(ITERATIONS))[-1] for bench in benches]
        refined.append(_pair(f"{ITERATIONS} iterations, {key}", benches[0], last))
        stated.append(_pair(f"Rubric stated, {key}", benches[0], [await _stated(benches[0])]))
        bad += [
            _pair(f"Bad edit ({name}), {key}", benches[0], [prompt])
            for name, prompt in useless_edits(benches[0]).items()
        ]
    return [
        *_figures(refined, Verdict.BETTER),
        *_figures(stated, None),
        *_figures(bad, Verdict.NO_EVIDENCE),
    ]


async def _stated(bench: Bench) -> PromptTemplate:
    proposals = await bench.propose(bench.starter, await bench.run(bench.starter))
    return next(
        each.prompt
        for each in proposals
        if isinstance(each, SuggestedEdit) and each.origin is SuggestionOrigin.RUBRIC
    )


def _pair(name: str, bench: Bench, after: Sequence[PromptTemplate]) -> Pair:
    return hidden_pair(
        name, task=bench.task.key, before=bench.starter, after=after, cases=HIDDEN_CASES
    )


def _figures(pairs: Sequence[Pair], wanted: Verdict | None) -> list[Figure]:
    return [_figure(comparison, wanted) for comparison in compare_pairs(pairs)]


def _figure(comparison: VariantComparison, wanted: Verdict | None) -> Figure:
    targets = {Verdict.BETTER: "better", Verdict.NO_EVIDENCE: "not better", None: ""}
    is_better = comparison.verdict is Verdict.BETTER
    interval = comparison.difference.interval
    reach = f" ({interval.low:+.3f} to {interval.high:+.3f})" if interval else ""
    gain = f"{comparison.difference.value or 0:+.3f}{reach}"
    return Figure(
        name=comparison.other,
        value=f"{comparison.baseline_mean:.3f} → {comparison.other_mean:.3f}",
        ratio=f"{gain}, p = {comparison.adjusted_p_value:.4f}",
        target=targets[wanted],
        is_met=None if wanted is None else is_better == (wanted is Verdict.BETTER),
    )
