"""An edit may change system text and few-shot examples, within limits of their own."""

import json
from dataclasses import replace
from uuid import UUID

import pytest

from edison.pipeline.refine.optimizers.refine import Refine
from edison.pipeline.refine.parts import (
    MOST_CHANGED_EXAMPLES,
    changed_parts,
    check_prompt,
    diff_prompts,
    with_parts,
)
from edison.pipeline.refine.request import LONGEST_PART, clip
from edison.pipeline.refine.suggestion import NoChange, RefinementFailed, SuggestedEdit
from edison.pipeline.render.prompt_template import FewShot, PromptTemplate
from tests.pipeline.refine.situations import PROMPT, make_situation
from tests.pipeline.score.scoring import ScriptedTools

ONE = Refine(model_id=UUID(int=1), candidates=1)
BASE = PromptTemplate(text=PROMPT, system="You are polite.")
SHOTS = (FewShot(user="Where is it?", assistant="It comes today."),)
NOTE = "<note>\nShows what to do.\n</note>"
ROWS = json.dumps([{"user": "Where is it?", "assistant": "It comes today."}])


async def propose(said: str, *more: str) -> object:
    (proposal,) = await ONE.propose(make_situation(), ScriptedTools([said, *more]))
    return proposal


async def test_a_reply_may_change_the_system_text_and_the_examples_alone() -> None:
    said = (
        "<diff>\n</diff>\n<system_text>\nYou are polite and brief.\n</system_text>\n"
        f"<few_shots>\n{ROWS}\n</few_shots>\n{NOTE}"
    )
    suggestion = await propose(said)
    assert isinstance(suggestion, SuggestedEdit)
    assert suggestion.prompt == replace(BASE, system="You are polite and brief.", few_shots=SHOTS)
    assert suggestion.diff == (
        "--- a/system.txt\n+++ b/system.txt\n@@ -1 +1 @@\n-You are polite.\n"
        "\\ No newline at end of file\n+You are polite and brief.\n\\ No newline at end of file\n"
        "--- a/examples.txt\n+++ b/examples.txt\n@@ -0,0 +1,4 @@\n+User:\n+Where is it?\n"
        "+Assistant:\n+It comes today.\n"
    )


async def test_sections_that_repeat_what_is_there_change_nothing() -> None:
    said = f"<diff>\n</diff>\n<system_text>\nYou are polite.\n</system_text>\n{NOTE}"
    assert isinstance(await propose(said), NoChange)


async def test_unreadable_examples_are_asked_for_again() -> None:
    broken = f"<diff>\n</diff>\n<few_shots>\n[1]\n</few_shots>\n{NOTE}"
    fenced = f"<diff>\n</diff>\n<few_shots>\n```json\n{ROWS}\n```\n</few_shots>\n{NOTE}"
    suggestion = await propose(broken, fenced)
    assert isinstance(suggestion, SuggestedEdit)
    assert suggestion.is_repaired
    assert suggestion.prompt.few_shots == SHOTS


async def test_an_example_that_was_shown_in_part_is_not_replaced_by_what_was_shown() -> None:
    long = FewShot(user="Where is it? " * 400, assistant="It comes today.")
    situation = make_situation()
    prompt = replace(BASE, few_shots=(long,))
    rows = json.dumps([{"user": clip(long.user, LONGEST_PART), "assistant": "It comes now."}])
    said = f"<diff>\n</diff>\n<few_shots>\n{rows}\n</few_shots>\n{NOTE}"
    (failed,) = await ONE.propose(replace(situation, prompt=prompt), ScriptedTools([said, said]))
    assert isinstance(failed, RefinementFailed)
    assert failed.reasons == (
        "An example was shown to you in part: leave the examples as they are.",
    )


async def test_the_refiner_sees_all_parts() -> None:
    tools = ScriptedTools([f"<diff>\n</diff>\n{NOTE}"])
    situation = make_situation()
    await ONE.propose(replace(situation, prompt=replace(BASE, few_shots=SHOTS)), tools)
    (asked,) = tools.asked
    shown = asked[1].messages[0].text
    for part in ("You are polite.", "It comes today.", "Reply to the customer."):
        assert part in shown


@pytest.mark.parametrize(
    ("edited", "rail", "said"),
    [
        (replace(BASE, system="Rule. " * 60), "length_change", "System text: "),
        (replace(BASE, system="You are {{mood}}."), "variables", "System text: "),
        (
            replace(BASE, few_shots=SHOTS * (MOST_CHANGED_EXAMPLES + 1)),
            "few_shots",
            "4 examples are added, removed or replaced; at most 3 may be.",
        ),
        (
            replace(BASE, few_shots=(FewShot(user="x" * 5000, assistant="y"),)),
            "few_shots",
            "An example has 5,000 characters",
        ),
        (replace(BASE, few_shots=(FewShot(user="x", assistant=" "),)), "few_shots", "An example"),
        (
            replace(BASE, few_shots=(FewShot(user="{{other}}", assistant="y"),)),
            "variables",
            "Examples: variables must stay as they are; this adds or removes other.",
        ),
    ],
)
def test_every_part_has_its_guard_rails(edited: PromptTemplate, rail: str, said: str) -> None:
    found = check_prompt(BASE, edited)
    assert any(each.rail == rail and each.message.startswith(said) for each in found), found


def test_changed_parts_are_stored_and_restored() -> None:
    edited = replace(BASE, system=None, few_shots=SHOTS)
    parts = changed_parts(BASE, edited)
    assert parts == {
        "system": None,
        "few_shots": [{"user": "Where is it?", "assistant": "It comes today."}],
    }
    assert with_parts(BASE, parts) == edited
    assert changed_parts(BASE, replace(BASE, text="Other")) == {"text": "Other"}
    assert changed_parts(BASE, BASE) == {}
    assert check_prompt(BASE, replace(BASE, few_shots=SHOTS)) == ()
    assert diff_prompts(BASE, BASE) == ""
