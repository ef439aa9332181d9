"""The weakest criteria, and the answers that illustrate them best."""

from dataclasses import replace

from edison.pipeline.aggregate.summary import summarise
from edison.pipeline.refine.exemplars import ScoredOutput, choose_exemplars
from edison.pipeline.refine.request import clip, refinement_request
from edison.pipeline.refine.weakness import TargetCriterion, WeakCriterion, weakest_criteria
from tests.pipeline.aggregate.tables import table_of
from tests.pipeline.refine.situations import HELP, TONE, make_situation, scored, weak

LENGTH = TargetCriterion(key="c3", name="Length", description="Is short.", weight=0)
BOTH = (weak(HELP), weak(TONE))


def test_the_two_lowest_means_count_and_weight_0_never() -> None:
    scores = {"c1": (0.2, 0.8), "c2": (0.5, 0.7), "c3": (0.0, 0.0), "c4": (0.3, 0.4)}
    table = table_of(
        [
            (0, variant, "judge", key, 0, by[at])
            for key, by in scores.items()
            for at, variant in enumerate("ab")
        ],
        weights={"c1": 1, "c2": 1, "c3": 0, "c4": 1},
        cases=1,
        variants=("a", "b"),
    )
    fourth = TargetCriterion(key="c4", name="Facts", description="Is true.", weight=1)
    criteria = (HELP, TONE, LENGTH, fourth)
    summary = summarise(table, resamples=10)
    assert weakest_criteria(summary, criteria) == (
        WeakCriterion(criterion=fourth, mean=0.35),
        WeakCriterion(criterion=HELP, mean=0.5),
    )
    assert weakest_criteria(summary, criteria, variants={"a"}, count=1) == (
        WeakCriterion(criterion=HELP, mean=0.2),
    )


def test_of_equal_means_the_criterion_with_more_weight_is_weaker() -> None:
    table = table_of(
        [(0, "a", "judge", key, 0, 0.5) for key in ("c1", "c2")],
        weights={"c1": 1, "c2": 1, "c9": 1},
        cases=1,
    )
    light = replace(HELP, weight=0.1)
    unscored = TargetCriterion(key="c9", name="Facts", description="Is true.")
    found = weakest_criteria(summarise(table, resamples=10), (light, TONE, unscored), count=3)
    assert [one.criterion.key for one in found] == ["c2", "c1"]


def cases_of(outputs: list[ScoredOutput], most: int = 10) -> list[str]:
    return [one.output.case for one in choose_exemplars(outputs, BOTH, most=most)]


def test_the_worst_answers_come_first_and_good_ones_are_left_out() -> None:
    outputs = [
        scored("fine", {"c1": 0.9, "c2": 1.0, "c3": 0.0}),
        scored("bad", {"c1": 0.4, "c2": 0.4}),
        scored("worst", {"c1": 0.0, "c2": 0.2}),
        scored("half", {"c2": 0.2}),
        scored("unscored", {}),
    ]
    found = choose_exemplars(outputs, BOTH)
    assert [(one.output.case, one.weakest, one.mean) for one in found] == [
        ("worst", "c1", 0.1),
        ("half", "c2", 0.2),
        ("bad", "c1", 0.4),
    ]


def test_no_case_or_answer_is_shown_twice() -> None:
    outputs = [
        scored("1", {"c1": 0.1}, variant="small", output="No idea."),
        scored("1", {"c1": 0.3}, variant="large", output="Ask them."),
        scored("2", {"c1": 0.2}, output="No  idea.\n"),
        scored("3", {"c1": 0.5}),
    ]
    found = choose_exemplars(outputs, BOTH)
    assert [(one.output.case, one.output.variant) for one in found] == [("1", "small"), ("3", "v")]


def test_tags_take_turns_unless_one_is_far_worse() -> None:
    outputs = [
        *(scored(f"refund {n}", {"c1": 0.10 + n / 100}, tags=("refund",)) for n in range(5)),
        scored("damage", {"c1": 0.18}, tags=("damage",)),
        scored("delivery", {"c1": 0.19}, tags=("delivery",)),
        scored("praise", {"c1": 0.8}, tags=("praise",)),
    ]
    assert cases_of(outputs, most=4) == ["refund 0", "refund 1", "damage", "delivery"]
    assert len(cases_of(outputs)) == 8


def test_long_texts_are_shown_with_their_beginning_and_their_end() -> None:
    assert clip("short", 10) == "short"
    assert clip("a" * 90 + "z" * 30, 100) == (f"{'a' * 75} [… 20 characters left out …] {'z' * 25}")
    huge = choose_exemplars(
        [scored(str(n), {"c1": 0.1}, output=f"{n}{'x' * 100_000}") for n in range(10)], BOTH
    )
    whole = huge[0].output.inputs | {"message": "m" * 50_000}
    huge = tuple(replace(one, output=replace(one.output, inputs=whole)) for one in huge)
    refiner_input = make_situation(exemplars=huge)
    question = refinement_request(refiner_input, refiner_input.weak).prompt.messages[0].text
    assert question.count('"output": ') == 6
    assert len(question) < 45_000
