"""The whole loop with simulated models: the hidden quality rises, and bad edits do not raise it.

The loop decides by a judge's noisy scores of vague rubrics on the train cases; the hidden quality
is measured on unseen cases.
"""

import pytest

from edison.pipeline.aggregate.compare import Pair, compare_pairs
from edison.pipeline.aggregate.results import Verdict
from edison.pipeline.refine.change import Change
from edison.pipeline.refine.guard import check_all
from edison.pipeline.refine.parts import changed_parts, check_prompt
from edison.pipeline.refine.suggestion import NoChange, SuggestedEdit, SuggestionOrigin
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.simulation.habits import Habits
from edison.simulation.material import demo_tasks
from tests.support.refining import Bench, SimTools, hidden_pair, useless_edits
from tests.support.thorough import rounds

ITERATIONS = rounds(2, thorough=5)
HIDDEN_CASES = rounds(120, thorough=600)
KEYS = tuple(demo_tasks())


async def test_refining_raises_the_hidden_quality_on_every_task() -> None:
    pairs = []
    for key in KEYS:
        bench = Bench(task=demo_tasks()[key], seed=1)
        versions = await bench.improve(ITERATIONS)
        pairs.append(
            hidden_pair(key, task=key, before=versions[0], after=versions[-1:], cases=HIDDEN_CASES)
        )
    comparisons = compare_pairs(pairs)
    assert [each.verdict for each in comparisons] == [Verdict.BETTER] * len(KEYS)
    gains = [each.difference.value or 0 for each in comparisons]
    assert min(gains) > 0.15


@pytest.mark.parametrize("key", KEYS[: rounds(2, thorough=4)])
async def test_bad_edits_within_the_rails_raise_neither_scores_nor_quality(key: str) -> None:
    bench = Bench(task=demo_tasks()[key])
    before = (await bench.run(bench.starter)).composites
    seen, hidden = [], []
    for name, prompt in useless_edits(bench).items():
        assert check_all(Change(before=bench.task.starter, after=prompt.text)) == ()
        after = (await bench.run(prompt)).composites
        seen.append(Pair(baseline="before", other=name, baseline_scores=before, other_scores=after))
        hidden.append(
            hidden_pair(name, task=key, before=bench.starter, after=[prompt], cases=HIDDEN_CASES)
        )
    for comparison in (*compare_pairs(seen), *compare_pairs(hidden)):
        assert comparison.verdict is not Verdict.BETTER


async def test_the_first_suggestions_are_small_edits_and_the_rubric() -> None:
    bench = Bench(task=demo_tasks()["extraction"])
    results = await bench.run(bench.starter)
    proposals = await bench.propose(bench.starter, results)
    suggestions = [each for each in proposals if isinstance(each, SuggestedEdit)]
    assert [each.origin for each in suggestions][-1] is SuggestionOrigin.RUBRIC
    assert [each.origin for each in suggestions][:-1] == [SuggestionOrigin.REFINER] * 2
    assert {each.targets for each in suggestions[:-1]} == {("Accuracy",), ("Completeness",)}
    for each in suggestions[:-1]:
        assert check_all(Change(before=bench.task.starter, after=each.prompt.text)) == ()


async def test_broken_diffs_are_repaired() -> None:
    """A refiner whose every second diff does not apply is asked to repair it, mostly with
    success.
    """
    tools = SimTools(habits=Habits(broken_diff_rate=0.5))
    bench = Bench(task=demo_tasks()["extraction"], tools=tools)
    results = await bench.run(bench.starter)
    judged = bench.tools.asked
    proposals = await bench.propose(
        bench.starter, results, iteration=2, optimizer=bench.optimizer(candidates=5)
    )
    assert bench.tools.asked - judged > 5
    assert any(isinstance(each, SuggestedEdit) and each.is_repaired for each in proposals)


async def test_simulated_refiners_change_every_part() -> None:
    changed: set[str] = set()
    for key in KEYS[:2]:
        bench = Bench(task=demo_tasks()[key])
        results = await bench.run(bench.starter)
        proposals = await bench.propose(
            bench.starter, results, iteration=2, optimizer=bench.optimizer(candidates=5)
        )
        for each in proposals:
            if isinstance(each, SuggestedEdit):
                assert check_prompt(bench.starter, each.prompt) == ()
                changed |= changed_parts(bench.starter, each.prompt).keys()
    assert changed == {"text", "system", "few_shots"}


async def test_a_complete_prompt_needs_no_change() -> None:
    task = demo_tasks()["classification"]
    bench = Bench(task=task)
    best = PromptTemplate(text=task.improved)
    proposals = await bench.propose(best, await bench.run(best), iteration=2)
    assert all(isinstance(each, NoChange) for each in proposals)
