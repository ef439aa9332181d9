"""Each guard rail reports its violation with figures; small edits of short prompts pass."""

import pytest

from edison.kit.registry import keys_of
from edison.pipeline.refine.change import Change
from edison.pipeline.refine.guard import PACKAGE, check_all, guard_rails
from edison.pipeline.refine.guardrail import Violation
from edison.pipeline.refine.guardrails.frozen_sections import FrozenSections
from edison.pipeline.render.template import Syntax

SHORT = "You are an agent.\nReply to the customer.\n\nCustomer message:\n{{message}}"
LONG = "\n".join(f"{number}. Say the sentence that has number {number}." for number in range(1, 31))


def violations(before: str, after: str, syntax: Syntax = Syntax.DOUBLE) -> list[Violation]:
    return list(check_all(Change(before=before, after=after, syntax=syntax)))


def rails(before: str, after: str) -> list[str]:
    return [violation.rail for violation in violations(before, after)]


def test_every_file_is_a_rail() -> None:
    assert tuple(rail.key() for rail in guard_rails()) == keys_of(PACKAGE)
    assert keys_of(PACKAGE) == (
        "copied_material",
        "frozen_sections",
        "length_change",
        "lines_changed",
        "removed_lines",
        "structure",
        "variables",
    )


def test_no_change_breaks_nothing() -> None:
    assert violations(SHORT, SHORT) == []
    assert violations("", "") == []


def test_a_short_prompt_may_gain_160_characters_and_no_more() -> None:
    assert rails(SHORT, f"{SHORT}{'x' * 160}") == []
    assert violations(SHORT, f"{SHORT}{'x' * 161}") == [
        Violation(
            rail="length_change",
            message="The prompt gets 161 characters longer; at its length of 71, 160 are allowed.",
            measured=161,
            allowed=160,
        )
    ]


def test_a_long_prompt_may_change_its_length_by_15_percent() -> None:
    text = "word " * 400
    assert rails(text, f"{text}{'x' * 300}") == []
    assert rails(text, f"{text}{'x' * 301}") == ["length_change"]
    assert violations(text, text[:-301])[0].message == (
        "The prompt gets 301 characters shorter; at its length of 2000, 300 are allowed."
    )


def test_two_lines_may_always_change() -> None:
    assert rails(SHORT, SHORT.replace("\n\n", "\nBe brief.\nBe kind.\n\n")) == []
    assert violations(SHORT, SHORT.replace("\n\n", "\nA.\nB.\nC.\n\n")) == [
        Violation(
            rail="lines_changed",
            message="3 lines change; of 5 lines, 2 are allowed to.",
            measured=3,
            allowed=2,
        )
    ]


def test_of_many_lines_a_fifth_may_change_and_a_replaced_one_counts_once() -> None:
    scattered = LONG.split("\n")
    for at in (0, 5, 10, 15, 20, 25):
        scattered[at] += " Now."
    assert rails(LONG, "\n".join(scattered)) == []
    scattered[29] += " Now."
    assert violations(LONG, "\n".join(scattered))[0].message == (
        "7 lines change; of 30 lines, 6 are allowed to."
    )


def test_five_consecutive_lines_may_go_and_not_six() -> None:
    lines = LONG.split("\n")
    assert "removed_lines" not in rails(LONG, "\n".join(lines[:10] + lines[15:]))
    six = violations(LONG, "\n".join(lines[:10] + lines[16:]))
    assert [violation.rail for violation in six] == ["length_change", "removed_lines"]
    assert six[1].message == "6 consecutive lines are removed; 5 are allowed."


@pytest.mark.parametrize(
    ("syntax", "before", "after", "message"),
    [
        (
            Syntax.DOUBLE,
            "Reply to {{message}}.",
            "Reply to {{text}}.",
            "Variables must stay as they are: {{message}} is no longer used and {{text}} is new.",
        ),
        (
            Syntax.SINGLE,
            "Reply to {name}: {message}.",
            "Reply.",
            "Variables must stay as they are: {name}, {message} are no longer used.",
        ),
        (
            Syntax.DOUBLE,
            "Reply to it.",
            "Reply to it in {{language}}.",
            "Variables must stay as they are: {{language}} is new.",
        ),
    ],
)
def test_variables_must_not_change(syntax: Syntax, before: str, after: str, message: str) -> None:
    assert message in [violation.message for violation in violations(before, after, syntax)]


def test_a_variable_may_move_and_be_escaped_braces_are_text() -> None:
    assert rails("Reply to {{message}} now.", "Now reply to {{ message }}.") == []
    assert rails("Reply to {{message}}.", "Reply to {{message}}, not to \\{{other}}.") == []
    assert rails("Return {{message}}.", "Return {{message}} as {json}.") == []


def test_a_rewrite_within_the_floors_is_still_a_rewrite() -> None:
    before = "Reply to the customer in a friendly way and say what happens next."
    after = "You write letters. Be formal, be precise, mention contract numbers always."
    assert violations(before, after) == [
        Violation(
            rail="structure",
            message="Only 0% of the words stay where they are; 60% have to, since this is to be an "
            "edit and not a new prompt.",
            measured=0.0,
            allowed=0.6,
        )
    ]


def test_headings_and_lone_tags_stay() -> None:
    before = "# Task\nReply.\n\n# Rules\nBe brief.\n\n<message>\n{{message}}\n</message>"
    assert rails(before, before.replace("Be brief.", "Be brief and kind.")) == []
    assert violations(before, before.replace("# Rules", "# Advice"))[0].message == (
        "The heading “# Rules” is removed, renamed or moved."
    )
    assert rails(before, before.replace("<message>", "<text>")) == ["structure"]


def test_all_violated_guard_rails_are_listed() -> None:
    assert rails(LONG, "Do something else with {{input}}.") == [
        "length_change",
        "lines_changed",
        "removed_lines",
        "structure",
        "variables",
    ]


def test_each_guard_rail_states_its_limit() -> None:
    assert [rail.limit(SHORT, Syntax.DOUBLE) for rail in guard_rails()] == [
        "",
        "",
        "Make it longer or shorter by at most 160 characters.",
        "Add, remove or change at most 2 lines in all.",
        "Remove or replace at most 5 lines in a row.",
        "Keep the structure: no new prompt, and all headings as and where they are.",
        "Keep these variables and add no other: {{message}}.",
    ]


FROZEN = "Reply.\n[[frozen]]\nNever promise a refund.\n[[/frozen]]\nBe kind.\n{{message}}"


def test_a_frozen_section_stays_word_for_word() -> None:
    assert rails(FROZEN, FROZEN.replace("Be kind.", "Be very kind.")) == []
    (found,) = violations(FROZEN, FROZEN.replace("Never", "Rarely"))
    assert (found.rail, found.message) == (
        "frozen_sections",
        "A frozen section is changed: “Never promise a refund.”",
    )
    # Without its marks, the next edit could change it.
    unmarked = FROZEN.replace("[[frozen]]\n", "").replace("[[/frozen]]\n", "")
    assert rails(FROZEN, unmarked) == ["frozen_sections"]
    (added,) = violations(unmarked, FROZEN)
    assert added.message == "Frozen sections are added or moved; only a person may do so."


def test_the_limit_of_frozen_sections_is_stated_where_there_are_any() -> None:
    assert FrozenSections().limit(FROZEN, Syntax.DOUBLE) == (
        "Leave all lines from [[frozen]] to [[/frozen]] exactly as they are, both marks included."
    )


CASE = "My parcel with the number four seven one one has not arrived since last Monday."


def copied(after: str, *, before: str = "Answer kindly.", material: str = CASE) -> list[Violation]:
    change = Change(before=before, after=after, material=(material,))
    return [each for each in check_all(change) if each.rail == "copied_material"]


def test_a_passage_of_a_training_case_is_not_pasted_into_the_prompt() -> None:
    words = CASE.split()
    for count in (8, 11, len(words)):
        (found,) = copied(f"Answer kindly.\nSay: {' '.join(words[:count])}")
        assert (found.measured, found.allowed) == (count, 7)
        assert found.message == (
            f"{count} words in a row are copied from a training case; 7 are allowed."
        )
    # Case and punctuation do not hide it.
    assert copied("Answer: MY PARCEL, with the number, four seven one!")[0].measured == 8
    assert copied(f"Answer kindly. {' '.join(words[:7])}") == []
    # The same words in other places, and what the prompt said before, are no copy.
    assert copied("My number has four parcels since Monday, not seven of last one.") == []
    assert copied(f"{CASE} Reply.", before=CASE) == []
    assert copied(f"Answer kindly. {CASE}", material="") == []
