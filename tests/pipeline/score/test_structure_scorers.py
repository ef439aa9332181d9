"""Format scorers: JSON, a schema, a response section."""

import json
from typing import Any

import pytest

from edison.kit.errors import Invalid
from edison.pipeline.score.scorer import Subject
from tests.pipeline.score.scoring import score, value

INVOICE = {
    "type": "object",
    "properties": {
        "total": {"type": "number", "minimum": 0},
        "date": {"type": "string", "format": "date"},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}},
    },
    "required": ["total"],
    "additionalProperties": False,
    "$defs": {"line": {"type": "string", "pattern": "^[a-z]+$"}},
}


@pytest.mark.parametrize(
    ("answer", "given"),
    [('{"a": [1]}', 1), (" 3 ", 1), ("", 0), ("{'a': 1}", 0), ("NaN", 0), ("```\n1\n```", 0)],
)
async def test_json_valid(answer: str, given: float) -> None:
    assert await value("json_valid", answer) == given


async def test_invalid_json_is_reported_with_its_position() -> None:
    scored = await score("json_valid", '{"a": 1,\n "b"}')
    assert scored.rationale == "Not JSON: Expecting ':' delimiter (line 2, column 5)."


async def test_a_byte_order_mark_is_reported() -> None:
    scored = await score("json_valid", '\ufeff{"a": 1}')
    assert scored.rationale == (
        "Not JSON: Unexpected UTF-8 BOM (decode using utf-8-sig) (line 1, column 1)."
    )


@pytest.mark.parametrize(
    ("answer", "given", "rationale"),
    [
        ('{"total": 3, "lines": ["abc"]}', 1, "Fits the schema."),
        ('{"total": -1}', 0, "At total: -1 is less than the minimum of 0."),
        ('{"total": 1, "date": "31.12.2026"}', 0, 'At date: "31.12.2026" is not a "date".'),
        (
            '{"total": 1, "lines": ["ABC"]}',
            0,
            'At lines.0: "ABC" does not match "^[a-z]+$".',
        ),
        ("3", 0, 'At the top: 3 is not of type "object".'),
        ("total: 3", 0, "Not JSON: Expecting value (line 1, column 1)."),
    ],
)
async def test_json_schema(answer: str, given: float, rationale: str) -> None:
    scored = await score("json_schema", answer, options={"definition": json.dumps(INVOICE)})
    assert (scored.value, scored.rationale) == (given, rationale)


async def test_at_most_three_problems_are_reported() -> None:
    schema = json.dumps({"items": {"type": "string"}})
    scored = await score("json_schema", "[1, 2, 3, 4]", options={"definition": schema})
    assert scored.rationale == (
        'At 0: 1 is not of type "string". At 1: 2 is not of type "string". '
        'At 2: 3 is not of type "string".'
    )


@pytest.mark.parametrize("answer", ["1e400", "1" * 5000, "-1e999"])
async def test_huge_numbers_are_numbers(answer: str) -> None:
    assert await value("json_schema", answer, definition='{"type": "number"}') == 1
    assert await value("json_schema", answer, definition='{"maximum": 5, "minimum": -5}') == 0


@pytest.mark.parametrize("answer", ['"\\ud800"', "[" * 500 + "]" * 500])
async def test_answers_that_are_not_json_do_not_fit(answer: str) -> None:
    assert await value("json_schema", answer, definition='{"type": "object"}') == 0


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ("total", "The schema is not JSON: Expecting value (line 1, column 1)."),
        ("[]", "A schema is a JSON object."),
        ('{"type": "objct"}', "This is not a valid JSON Schema: "),
        ('{"pattern": "(?=a)"}', 'This is not a valid JSON Schema: "(?=a)" is not a "regex".'),
        ('{"$ref": "#/$defs/none"}', "This is not a valid JSON Schema: "),
    ],
)
async def test_an_invalid_schema_is_refused(definition: str, message: str) -> None:
    with pytest.raises(Invalid) as refused:
        await score("json_schema", "{}", options={"definition": definition})
    assert refused.value.message.startswith(message)


@pytest.mark.parametrize("place", ["http://localhost:1/schema", "file:///etc/hostname"])
async def test_a_schema_is_never_fetched(place: str) -> None:
    with pytest.raises(Invalid, match="Retrieval is disabled"):
        await score("json_schema", "{}", options={"definition": json.dumps({"$ref": place})})


@pytest.mark.parametrize(
    ("text", "parsed", "given"),
    [
        ("<response>Paris</response>", None, 1),
        ("<thinking>…</thinking><Response>Paris</RESPONSE>", "Paris", 1),
        ("<response> </response>", None, 0),
        ("<response>Paris", None, 0),
        ("Paris", "Paris", 0),
    ],
)
async def test_response_tag(text: str, parsed: str | None, given: float) -> None:
    assert (await score("response_tag", Subject(text=text, parsed=parsed))).value == given


@pytest.mark.parametrize(
    ("answer", "options", "given"),
    [
        ("one two three", {"maximum": 3}, 1),
        ("one two three four", {"maximum": 3}, 0),
        ("one", {"minimum": 2}, 0),
        ("  one\n two ", {"minimum": 2, "maximum": 2}, 1),
        (" four ", {"unit": "characters", "minimum": 4, "maximum": 4}, 1),
        ("", {"maximum": 0}, 1),
    ],
)
async def test_length(answer: str, options: dict[str, Any], given: float) -> None:
    assert await value("length", answer, **options) == given
