"""Training cases become examples: which ones, in which order, and never held-out ones."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from edison.pipeline.refine.optimizer import HeldOutCase, PoolMember, RefinerInput, TrainingCase
from edison.pipeline.refine.optimizers.few_shot import MOST_EXAMPLES, FewShotExamples
from edison.pipeline.refine.suggestion import NoChange, Proposal, SuggestedEdit, SuggestionOrigin
from edison.pipeline.render.prompt_template import FewShot
from tests.pipeline.refine.situations import make_situation
from tests.pipeline.score.scoring import ScriptedTools

SCORES = {"a": 0.9, "b": 0.1, "c": 0.3, "d": 0.2, "e": 0.8}
TAGS = {"b": ("billing",), "d": ("billing",)}


def case(key: str, **other: object) -> TrainingCase:
    values: dict[str, object] = {
        "key": key,
        "inputs": {"message": f"Question {key}"},
        "expected": f"Answer {key}",
        "tags": TAGS.get(key, ()),
    }
    return TrainingCase(**values | other)  # type: ignore[arg-type]  # Values of a builder.


def make_input(
    *cases: TrainingCase, scores: Mapping[str, float] = SCORES, few_shots: tuple[FewShot, ...] = ()
) -> RefinerInput:
    given = make_situation()
    prompt = replace(given.prompt, few_shots=few_shots)
    return replace(
        given, prompt=prompt, cases=cases, pool=(PoolMember(prompt=prompt, scores=scores),)
    )


def shown(proposal: Proposal) -> list[str]:
    assert isinstance(proposal, SuggestedEdit)
    return [each.user for each in proposal.prompt.few_shots]


async def propose(given: RefinerInput, **options: int) -> tuple[Proposal, ...]:
    tools = ScriptedTools([])
    found = await FewShotExamples(**options).propose(given, tools)
    assert tools.asked == []
    return found


async def test_the_lowest_scores_are_chosen_and_the_hardest_comes_last() -> None:
    given = make_input(*map(case, "abcde"))
    (found,) = await propose(given, candidates=1)
    # d is as low as c, but has the tag of b: 0.2 + 0.2 > 0.3. It is still lower than a and e.
    assert shown(found) == ["Question c", "Question d", "Question b"]
    (two,) = await propose(given, candidates=1, examples=2)
    assert shown(two) == ["Question c", "Question b"]
    assert isinstance(two, SuggestedEdit)
    assert two.note == "Adds 2 training cases as examples."
    assert two.prompt.text == given.prompt.text
    assert "+Question b" in two.diff


async def test_further_suggestions_differ_and_repeat_by_seed() -> None:
    given = make_input(*map(case, "abcde"))
    first = await propose(given, candidates=5)
    assert first == await propose(given, candidates=5)
    assert 1 < len(first) <= 5
    assert len({tuple(shown(each)) for each in first}) == len(first)
    assert first != await propose(replace(given, seed=7), candidates=5)


async def test_cases_are_literal_and_need_an_expected_answer() -> None:
    given = make_input(
        case("a", inputs={"message": "Say {{name}}"}, expected="{{message}}"),
        case("b", expected=None),
        case("c", expected="  "),
        case("d", inputs={"message": "x" * 5_000}),
    )
    (found,) = await propose(given, candidates=1)
    assert isinstance(found, SuggestedEdit)
    assert found.prompt.variables() == ["message"]
    rendered = found.prompt.render({"message": "Hello"})
    assert [each.text for each in rendered.messages][:2] == ["Say {{name}}", "{{message}}"]


async def test_several_variables_are_named() -> None:
    given = make_situation(text="Translate {{word}} to {{language}}.")
    one = TrainingCase(key="a", inputs={"word": "dog", "language": "German"}, expected="Hund")
    (found,) = await propose(replace(given, cases=(one,)), candidates=1)
    assert shown(found) == ["word: dog\nlanguage: German"]


async def test_examples_are_added_until_the_prompt_is_full() -> None:
    has = tuple(FewShot(user=f"Q{n}", assistant="A") for n in range(MOST_EXAMPLES - 1))
    given = make_input(*map(case, "abc"), few_shots=has)
    (found,) = await propose(given, candidates=1)
    assert shown(found)[:-1] == [each.user for each in has]
    assert shown(found)[-1] == "Question b"
    full = make_input(case("a"), few_shots=(*has, FewShot(user="Q", assistant="A")))
    (none,) = await propose(full)
    assert none == NoChange(note=f"The prompt has {MOST_EXAMPLES} examples already.")


async def test_without_usable_cases_nothing_changes() -> None:
    used = FewShot(user="Question a", assistant="Answer a")
    for given in (make_input(), make_input(case("a"), few_shots=(used,))):
        (none,) = await propose(given)
        assert isinstance(none, NoChange)


async def test_the_rubric_competes_in_the_first_iteration() -> None:
    given = replace(make_input(case("a")), iteration=1)
    found = await propose(given, candidates=1)
    assert [each.origin for each in found if isinstance(each, SuggestedEdit)] == [
        SuggestionOrigin.REFINER,
        SuggestionOrigin.RUBRIC,
    ]


def test_a_held_out_case_cannot_reach_an_optimizer() -> None:
    with pytest.raises(HeldOutCase, match="1 cases are not training cases"):
        make_input(case("a"), case("b", split="holdout"))


async def test_a_held_out_case_cannot_become_an_example() -> None:
    given = make_input(case("a"))
    held_out = case("b", split="holdout")
    # Past the check of the input, as a bug would.
    object.__setattr__(given, "cases", (held_out,))
    with pytest.raises(HeldOutCase):
        await propose(given)


def test_material_is_the_text_of_all_cases() -> None:
    given = make_input(case("a", inputs={"message": "Hi", "count": 3}), case("b", expected=None))
    assert given.material() == ("Hi", "Answer a", "Question b")
