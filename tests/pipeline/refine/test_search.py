"""Decisions of an optimization: when the search ends, the finalist, and the gate."""

from dataclasses import replace

import pytest

from edison.pipeline.aggregate.results import Verdict
from edison.pipeline.refine.search import (
    GateReason,
    SearchCandidate,
    SearchLimits,
    SearchStop,
    choose_finalist,
    find_objections,
    find_search_stop,
    judge_gate,
)
from edison.pipeline.render.prompt_template import FewShot, PromptTemplate

LIMITS = SearchLimits(generations=5, patience=2)
BASE = PromptTemplate(text="Answer {{question}}.")


def candidate(number: int, *scores: float, generation: int = 1) -> SearchCandidate:
    return SearchCandidate(
        number=number,
        generation=generation if number else 0,
        scores={str(at): score for at, score in enumerate(scores)},
    )


def test_the_finalist_has_the_highest_gain_on_shared_cases() -> None:
    base = candidate(0, 0.5, 0.5, 0.5, 0.5)
    # The third has no score for the cases it would fail; its gain counts where it has one.
    found = [base, candidate(1, 0.6, 0.6, 0.6, 0.6), candidate(2, 0.7, 0.7, 0.7)]
    assert choose_finalist(found) == found[2]
    assert choose_finalist([base, candidate(1, 1.0)]) is None
    assert choose_finalist([base, candidate(1, 0.5, 0.5, 0.5, 0.5)]) is None
    assert choose_finalist([base]) is None


def test_of_equal_gains_the_earliest_wins_and_a_dropped_one_never_does() -> None:
    base, first, second = candidate(0, 0.5, 0.5), candidate(1, 0.8, 0.6), candidate(2, 0.7, 0.7)
    assert choose_finalist([base, first, second]) == first
    assert choose_finalist([base, replace(first, is_dropped=True), second]) == second


@pytest.mark.parametrize(
    ("limits", "generation", "candidates", "stop"),
    [
        (LIMITS, 0, [candidate(0, 0.99, 0.99)], SearchStop.NO_HEADROOM),
        (LIMITS, 0, [candidate(0, 0.98, 0.98)], None),
        (LIMITS, 1, [candidate(0, 0.99, 0.99)], None),
        (LIMITS, 1, [candidate(0, 0.5, 0.5), candidate(1, 0.6, 0.6)], None),
        (replace(LIMITS, target=0.6), 1, [candidate(0, 0.5), candidate(1, 0.6)], "target"),
        (replace(LIMITS, target=0.61), 1, [candidate(0, 0.5), candidate(1, 0.6)], None),
        (LIMITS, 2, [candidate(0, 0.5), candidate(1, 0.4)], "patience"),
        (LIMITS, 3, [candidate(0, 0.5), candidate(1, 0.6, generation=2)], None),
        (LIMITS, 4, [candidate(0, 0.5), candidate(1, 0.6, generation=2)], "patience"),
        (LIMITS, 5, [candidate(0, 0.5), candidate(1, 0.6, generation=5)], "generations"),
        (LIMITS, 0, [candidate(0)], None),
    ],
)
def test_the_first_stop_rule_applies(
    limits: SearchLimits,
    generation: int,
    candidates: list[SearchCandidate],
    stop: SearchStop | None,
) -> None:
    assert find_search_stop(limits, candidates, generation=generation) == stop


@pytest.mark.parametrize(
    ("verdict", "difference", "is_less_safe", "reason"),
    [
        (Verdict.BETTER, 0.05, False, GateReason.BETTER),
        (Verdict.BETTER, 0.02, False, GateReason.BETTER),
        (Verdict.BETTER, 0.019, False, GateReason.TOO_SMALL),
        (Verdict.BETTER, 0.05, True, GateReason.LESS_SAFE),
        (Verdict.NO_EVIDENCE, 0.05, False, GateReason.NOT_BETTER),
        (Verdict.WORSE, -0.05, True, GateReason.NOT_BETTER),
        (Verdict.CANNOT_TELL, 0.5, False, GateReason.MISSING),
        (Verdict.SO_FAR, 0.5, False, GateReason.NOT_BETTER),
    ],
)
def test_the_gate_promotes_only_a_worthwhile_and_safe_gain(
    verdict: Verdict, difference: float, is_less_safe: bool, reason: GateReason
) -> None:
    found = judge_gate(verdict, difference, worthwhile=0.02, is_less_safe=is_less_safe)
    assert found is reason


@pytest.mark.parametrize(
    ("prompt", "rails"),
    [
        (PromptTemplate(text="  \n"), ["empty"]),
        (PromptTemplate(text="Answer kindly."), ["variables"]),
        (PromptTemplate(text="Answer {{question}} and {{other}}."), ["variables"]),
        (
            PromptTemplate(text="Answer {{question}}. One two three four five six seven eight."),
            ["copied_material"],
        ),
        # A rewrite is far from the base, but no strategy is limited to small edits.
        (PromptTemplate(text="Please reply with care and in full to {{question}}\n" * 3), []),
        (replace(BASE, few_shots=tuple(FewShot(user="q", assistant="a") for _ in range(8))), []),
        (replace(BASE, few_shots=(FewShot(user=" ", assistant="a"),)), ["few_shots"]),
    ],
)
def test_no_strategy_may_propose_broken_prompts(prompt: PromptTemplate, rails: list[str]) -> None:
    material = ("One two three four five six seven eight",)
    assert [each.rail for each in find_objections(BASE, prompt, material=material)] == rails


def test_no_strategy_may_change_a_frozen_section() -> None:
    frozen = PromptTemplate(
        text="Answer {{question}}.", system="[[frozen]]\nBe honest.\n[[/frozen]]"
    )
    kept = replace(frozen, text="Answer {{question}} kindly.")
    assert find_objections(frozen, kept, material=()) == ()
    changed = replace(frozen, system="[[frozen]]\nBe nice.\n[[/frozen]]")
    (found,) = find_objections(frozen, changed, material=())
    assert (found.rail, found.message) == (
        "frozen_sections",
        "System text: A frozen section is changed: “Be honest.”",
    )
