"""From a prompt with variables to the messages for a provider."""

import pytest

from edison.pipeline.render.expected_output import ExpectedOutput, detect
from edison.pipeline.render.prompt import Message, RenderedPrompt, ToolDefinition
from edison.pipeline.render.prompt_template import FewShot, PromptTemplate
from edison.pipeline.render.template import Syntax

TOOL = ToolDefinition(name="look_up", description="Finds {{x}}", parameters={"type": "object"})


def test_every_part_is_rendered_and_the_question_comes_last() -> None:
    template = PromptTemplate(
        system="You serve {{company}}.",
        few_shots=(FewShot(user="From {{company}}: hi", assistant="{{greeting}}"),),
        text="{{question}}",
        tools=(TOOL,),
    )
    values = {"company": "Acme", "greeting": "Hello!", "question": "Why {{company}}?"}
    assert template.render(values) == RenderedPrompt(
        system="You serve Acme.",
        messages=(
            Message(role="user", text="From Acme: hi"),
            Message(role="assistant", text="Hello!"),
            Message(role="user", text="Why {{company}}?"),
        ),
        tools=(TOOL,),
    )


def test_variables_come_in_the_order_a_model_reads_them() -> None:
    template = PromptTemplate(
        system="{c} {a}",
        few_shots=(FewShot(user="{d}", assistant="{e} {c}"),),
        text="{b} {a}",
        syntax=Syntax.SINGLE,
    )
    assert template.variables() == ["c", "a", "d", "e", "b"]


def test_an_empty_system_text_is_none() -> None:
    assert PromptTemplate(system="", text="Hi").render({}).system is None


@pytest.mark.parametrize(
    ("text", "wants_response", "wants_json"),
    [
        ("Answer briefly.", False, False),
        ("Answer in JSON.", False, True),
        ("a json-object", False, True),
        ("Reply as `{{format}}`", False, False),
        ("Write JSONL, jsonify it, ajson", False, False),
        ("Put it into <response> tags", True, False),
        ("<Response>JSON</Response>", True, True),
        ("the response in </response>", False, False),
    ],
)
def test_the_expected_format_is_detected_from_the_prompt(
    text: str, wants_response: bool, wants_json: bool
) -> None:
    assert detect(text) == ExpectedOutput(wants_response=wants_response, wants_json=wants_json)


def test_the_system_text_counts_as_instruction() -> None:
    template = PromptTemplate(system="Always answer in JSON.", text="{{question}}")
    assert template.render({"question": "Why?"}).wants_json is True


@pytest.mark.parametrize("part", ["example", "value"])
def test_examples_and_values_are_not_instructions(part: str) -> None:
    few_shots = (FewShot(user="What is JSON?", assistant="A format."),) if part == "example" else ()
    template = PromptTemplate(few_shots=few_shots, text="{{question}}")
    assert template.render({"question": "Is JSON good?"}).wants_json is False


def test_json_inside_tags_is_not_asked_of_the_provider() -> None:
    template = PromptTemplate(text="Give JSON inside <response> tags.")
    assert template.render({}).wants_json is False
    assert template.expected_output().wants_json is True


FROZEN = "Hello {{name}}.\n[[frozen]]\nNever promise a refund.\n  [[/frozen]]\nBye."


@pytest.mark.parametrize("syntax", [Syntax.DOUBLE, Syntax.NUNJUCKS])
def test_marks_of_frozen_sections_are_not_sent(syntax: Syntax) -> None:
    template = PromptTemplate(text=FROZEN, system=FROZEN, syntax=syntax)
    # A value that looks like a mark is data.
    rendered = template.render({"name": "\n[[frozen]]\nAda"})
    expected = "Hello \n[[frozen]]\nAda.\nNever promise a refund.\nBye."
    assert (rendered.messages[0].text, rendered.system) == (expected, expected)
    assert template.variables() == ["name"]
    assert template.find_problem(FROZEN) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\n[[frozen]]\nb", "Line 2: [[frozen]] needs a line with [[/frozen]] after it."),
        ("[[/frozen]]", "Line 1: [[/frozen]] ends a section that has no [[frozen]]."),
        (
            "[[frozen]]\n[[frozen]]\n[[/frozen]]",
            "Line 2: [[frozen]] begins a section inside the one of line 1.",
        ),
        ("Say [[frozen]] here.", None),
    ],
)
def test_marks_without_a_partner_are_problems(text: str, problem: str | None) -> None:
    assert PromptTemplate(text=text).find_problem(text) == problem
