"""The format a prompt asks for is extracted from the answer, or the answer is malformed."""

import pytest

from edison.pipeline.render.expected_output import detect
from edison.pipeline.score.parse import Malformation, Parsed, parse

RESPONSE = detect("Answer in <response> tags.")
JSON = detect("Answer in JSON.")
BOTH = detect("Answer with JSON in <response> tags.")
NO_TAG = Parsed(malformed=Malformation.NO_RESPONSE_TAG)
NOT_JSON = Parsed(malformed=Malformation.NOT_JSON)


def test_any_answer_fits_a_prompt_without_a_format() -> None:
    assert parse("<response>{", detect("Say hello.")) == Parsed()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<response>Paris</response>", "Paris"),
        ("Sure!\n<response>\n Paris \n</response>\nAnything else?", "Paris"),
        ("<RESPONSE>Paris</Response>", "Paris"),
        ("<response></response>", ""),
        ("<response>one</response><response>two</response>", "one"),
        ("<thinking>I need <response> tags: <response>x</response>.</thinking>"
         "<response>y</response>", "y"),
        ("<thinking>endless <response>x</response>", "x"),
    ],
)  # fmt: skip
def test_the_response_section_is_taken_out(text: str, found: str) -> None:
    assert parse(text, RESPONSE) == Parsed(text=found)


@pytest.mark.parametrize(
    "text",
    ["", "Paris", "<response>Paris", "Paris</response>", "</response>Paris<response>",
     "< response >Paris</ response >", "<response" + ">" * 3, "<response>" * 100_000],
)  # fmt: skip
def test_an_answer_without_a_whole_section_is_malformed(text: str) -> None:
    assert parse(text, RESPONSE) == NO_TAG


@pytest.mark.parametrize(
    "text",
    ['{"a": 1}', " [1, 2]\n", "3", '"text"', "null", "-1.5e-9", '{"a": 1, "a": 2}', '"\\ud800"',
     "1" * 5000],
)  # fmt: skip
def test_only_standard_json_is_accepted(text: str) -> None:
    assert parse(text, JSON) == Parsed(text=text.strip())


@pytest.mark.parametrize(
    "text",
    ["", "Paris", "{'a': 1}", '{"a": 1,}', "NaN", "[Infinity]", '{"a": 1} {"b": 2}', "01", "+1",
     '```json\n{"a": 1}\n```', 'Here it is: {"a": 1}', '{"a": 1', "// note\n1", '"a\nb"',
     "[" * 100_000],
)  # fmt: skip
def test_anything_else_is_not_json(text: str) -> None:
    assert parse(text, JSON) == NOT_JSON


def test_with_both_the_section_comes_first_and_holds_the_json() -> None:
    assert parse('So: <response> {"a": 1} </response>', BOTH) == Parsed(text='{"a": 1}')
    assert parse('{"a": 1}', BOTH) == NO_TAG
    assert parse("<response>Paris</response>", BOTH) == NOT_JSON
    assert parse("<response></response>", BOTH) == NOT_JSON
