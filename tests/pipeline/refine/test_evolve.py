"""Evolution: selection by case, crossover by sections and edits, mutation, and repeatability."""

import random
from dataclasses import replace
from uuid import uuid4

import pytest

from edison.pipeline.refine.crossover import cross, split_sections
from edison.pipeline.refine.optimizer import PoolMember, RefinerInput
from edison.pipeline.refine.optimizers.evolve import Evolve
from edison.pipeline.refine.population import draw_pair, draw_parent, survivors_of
from edison.pipeline.refine.suggestion import (
    NoChange,
    Operator,
    RefinementFailed,
    SuggestedEdit,
    SuggestionOrigin,
)
from edison.pipeline.render.prompt_template import FewShot, PromptTemplate
from tests.pipeline.refine.situations import HELP, TONE, exemplar, make_situation, weak
from tests.pipeline.score.scoring import ScriptedTools

MODEL = uuid4()
SECTIONS = "Intro\n# Role\nAgent\n# Rules\nBe kind.\n# Input\n{{message}}"
NOTHING = "<diff>\n</diff>\n<note>\nNo change.\n</note>"


def reply(line: str, *, of: str = "Reply to the customer.") -> str:
    return f"<diff>\n@@ @@\n-{of}\n+{line}\n</diff>\n<note>\nWhy.\n</note>"


def member(text: str, *scores: float, **other: object) -> PoolMember:
    values = {
        "prompt": PromptTemplate(text=text, system="You are polite."),
        "scores": {str(at): score for at, score in enumerate(scores)},
    }
    return PoolMember(**values | other)  # type: ignore[arg-type]  # Values of a builder.


def with_pool(given: RefinerInput, *members: PoolMember) -> RefinerInput:
    return replace(given, pool=members)


def test_a_specialist_survives_and_a_dominated_prompt_does_not() -> None:
    pool = [
        member("mean", 0.8, 0.8, 0.8),
        member("specialist", 0.0, 0.0, 1.0),
        member("dominated", 0.7, 0.8, 0.8),
        member("copy", 0.8, 0.8, 0.8),
    ]
    found = survivors_of(pool, size=8, elite=1)
    assert [(each.place, each.leads) for each in found] == [(0, 2), (1, 1)]


def test_the_elite_stays_whatever_it_leads() -> None:
    pool = [member("a", 0.9, 0.5), member("b", 0.9, 0.4), member("c", 0.1, 0.6)]
    assert [each.place for each in survivors_of(pool, size=8, elite=2)] == [0, 1, 2]
    assert [each.place for each in survivors_of(pool, size=2, elite=2)] == [0, 1]
    assert [each.place for each in survivors_of(pool, size=8, elite=1)] == [0, 2]
    assert [each.mean for each in survivors_of([member("a")], size=8, elite=1)] == [0]


def test_parents_are_drawn_by_the_cases_they_lead() -> None:
    pool = [member("a", *[1.0] * 9, 0.0), member("b", *[0.0] * 9, 1.0)]
    found = survivors_of(pool, size=2, elite=1)
    draw = random.Random(1)  # noqa: S311
    places = [draw_parent(found, draw).place for _ in range(1000)]
    assert 850 < places.count(0) < 950
    pair = draw_pair(found, draw)
    assert pair is not None
    assert {each.place for each in pair} == {0, 1}
    assert draw_pair(found[:1], draw) is None


def test_sections_are_split_at_headings_and_tags() -> None:
    text = "Intro\n\n# A\none\n<b>\ntwo\n</b>\n# A\nthree"
    found = split_sections(text)
    assert [each.key for each in found] == ["", "# A", "<b>", "# A (2)"]
    assert "".join(each.text for each in found) == text
    assert [each.key for each in split_sections("# A\nx")] == ["# A"]
    assert split_sections("") == []


@pytest.mark.parametrize("seed", range(20))
def test_a_child_has_something_of_both_parents(seed: int) -> None:
    first = PromptTemplate(text=SECTIONS.replace("Agent", "Expert"), system="One")
    second = PromptTemplate(text=SECTIONS.replace("Be kind.", "Be brief."), system="Two")
    draw = random.Random(seed)  # noqa: S311
    child = cross(first, second, ancestor=PromptTemplate(text=SECTIONS), draw=draw)
    assert child is not None
    assert child not in (first, second)
    role, rules = "Expert" in child.text, "Be kind." in child.text
    genes = [role, rules, child.system == "One"]
    assert 0 < sum(genes) < 3
    assert child.text.endswith("# Input\n{{message}}")


def test_the_last_section_keeps_the_line_breaks_of_its_place() -> None:
    first = PromptTemplate(text="# A\n1\n\n# B\n2", few_shots=(FewShot(user="q", assistant="a"),))
    second = PromptTemplate(text="# B\n3\n# A\n4")
    texts = set()
    for seed in range(30):
        child = cross(first, second, ancestor=first, draw=random.Random(seed))  # noqa: S311
        assert child is not None
        texts.add(child.text)
    assert texts == {"# A\n1\n\n# B\n2", "# A\n4\n\n# B\n2", "# A\n1\n\n# B\n3", "# A\n4\n\n# B\n3"}


def test_without_headings_the_edits_of_both_apply() -> None:
    base = PromptTemplate(text="a\nb\nc\n")
    draw = random.Random(1)  # noqa: S311
    one, two = replace(base, text="A\nb\nc\nd\n"), replace(base, text="a\nb\nC\ne\n")
    # The second replaces a line at which the first inserts another one.
    child = cross(one, two, ancestor=base, draw=draw)
    assert child is not None
    assert child.text == "A\nb\nC\ne\nd\n"
    both = cross(
        replace(base, text="a\nx\nb\nc\n"),
        replace(base, text="a\ny\nb\nc\n"),
        ancestor=base,
        draw=draw,
    )
    assert both is not None
    assert both.text == "a\nx\ny\nb\nc\n"
    assert cross(one, base, ancestor=base, draw=draw) is None
    assert cross(one, one, ancestor=base, draw=draw) is None
    clash = cross(one, replace(base, text="Z\nb\nc\nd\n"), ancestor=base, draw=draw)
    assert clash is None


async def test_the_first_children_are_edits_of_the_elite_from_its_own_failures() -> None:
    given = make_situation()
    best = member(
        "Be exact.\n{{message}}",
        0.9,
        0.9,
        weak=(weak(TONE, 0.3),),
        exemplars=(exemplar("77", c2=0.1),),
    )
    pool = with_pool(given, member(given.prompt.text, 0.2, 0.2), best)
    tools = ScriptedTools([reply("Be kind.", of="Be exact.")])
    (found,) = await Evolve(model_id=MODEL, candidates=1, elite=1).propose(pool, tools)
    assert isinstance(found, SuggestedEdit)
    assert found.prompt.text == "Be kind.\n{{message}}"
    assert found.parents == (best.prompt,)
    assert found.targets == ("c2",)
    asked = tools.asked[0][1].messages[0].text
    assert "Message 77" in asked
    # The diff is against the prompt that was run, which a suggestion changes.
    assert "-Reply to the customer." in found.diff


async def test_crossover_needs_no_model() -> None:
    given = make_situation(text="Say it.\nReply.\n\n{{message}}")
    start = given.prompt
    one = member(start.text.replace("Say it.", "Say it well."), 1.0, 0.0)
    two = member(start.text.replace("Reply.", "Reply soon."), 0.0, 1.0)
    pool = with_pool(given, member(start.text, 0.0, 0.0), one, two)
    strategy = Evolve(model_id=MODEL, candidates=3, elite=1, crossover_share=1, mutation_share=0)
    tools = ScriptedTools([NOTHING, NOTHING, NOTHING])
    found = await strategy.propose(pool, tools)
    (child,) = [each for each in found if isinstance(each, SuggestedEdit)]
    assert child.operator is Operator.CROSSOVER
    assert child.prompt.text == "Say it well.\nReply soon.\n\n{{message}}"
    assert set(child.parents) == {one.prompt, two.prompt}
    assert tools.asked == []


async def test_mutations_see_no_answers() -> None:
    given = make_situation()
    pool = with_pool(given, member(given.prompt.text, 0.5))
    strategy = Evolve(model_id=MODEL, candidates=2, elite=1, crossover_share=0, mutation_share=1)
    tools = ScriptedTools([reply("Reply kindly."), reply("Reply soon.")])
    edit, mutation = await strategy.propose(pool, tools)
    assert isinstance(edit, SuggestedEdit)
    assert isinstance(mutation, SuggestedEdit)
    assert (edit.operator, mutation.operator) == (Operator.EDIT, Operator.MUTATION)
    assert "Message 1" in tools.asked[0][1].messages[0].text
    assert "Message 1" not in tools.asked[1][1].messages[0].text
    assert mutation.targets in {(HELP.key,), (TONE.key,)}


async def test_the_same_seed_repeats_every_request() -> None:
    given = make_situation()
    specialist = member(given.prompt.text + "\nDo.", 0.0, 1.0, exemplars=given.exemplars)
    pool = with_pool(given, member(given.prompt.text, 0.5, 0.5), specialist)
    strategy = Evolve(model_id=MODEL, candidates=8)

    async def asked(seed: int) -> list[object]:
        tools = ScriptedTools([NOTHING] * 8)
        await strategy.propose(replace(pool, seed=seed), tools)
        return list(tools.asked)

    assert await asked(5) == await asked(5)
    assert await asked(5) != await asked(6)


async def test_what_the_pool_has_is_not_proposed_again() -> None:
    given = make_situation()
    known = member(given.prompt.text.replace("Reply to the customer.", "Reply kindly."), 0.4)
    pool = with_pool(given, member(given.prompt.text, 0.5), known)
    tools = ScriptedTools([reply("Reply kindly.")])
    (found,) = await Evolve(model_id=MODEL, candidates=1, elite=1).propose(pool, tools)
    assert isinstance(found, NoChange)


async def test_nonsense_is_reported_and_the_rubric_still_takes_part() -> None:
    given = replace(make_situation(), iteration=1)
    tools = ScriptedTools(["nonsense"] * 4)
    found = await Evolve(model_id=MODEL, candidates=2).propose(given, tools)
    assert [type(each) for each in found] == [RefinementFailed, RefinementFailed, SuggestedEdit]
    stated = found[-1]
    assert isinstance(stated, SuggestedEdit)
    assert stated.origin is SuggestionOrigin.RUBRIC


async def test_nothing_to_learn_from_costs_nothing() -> None:
    given = replace(make_situation(), exemplars=())
    tools = ScriptedTools([])
    strategy = Evolve(model_id=MODEL, candidates=2, mutation_share=0)
    (found,) = await strategy.propose(given, tools)
    assert isinstance(found, NoChange)
    assert tools.asked == []
