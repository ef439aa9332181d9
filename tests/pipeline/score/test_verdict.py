"""Verdicts are parsed strictly."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from edison.pipeline.score.rubric import Criterion, Scale
from edison.pipeline.score.scorer import CriterionScore
from edison.pipeline.score.verdict import UnreadableVerdict, read_choice, read_rating, read_verdict
from edison.pipeline.score.verdict_schema import CHOICE, RATING, rubric_schema

TONE = Criterion(name="Tone", description="Is friendly and polite.", scale=Scale.TO_5)
FACTS = Criterion(name="Facts", description="Says nothing wrong.", scale=Scale.TO_10)
CRITERIA = (TONE, FACTS)
GOOD = '{"rationales": {"Tone": "Warm.", "Facts": " "}, "scores": {"Facts": 7.5, "Tone": 4}}'
READ = {
    "Tone": CriterionScore(value=0.8, raw=4.0, rationale="Warm."),
    "Facts": CriterionScore(value=0.75, raw=7.5, rationale=None),
}
KEYS = 'It must be an object with exactly the keys "rationales", "scores".'
SCORES = '"scores" must be an object with exactly the keys "Tone", "Facts".'
TONE_RANGE = 'The score of "Tone" must be a number from 0 to 5.'
NOT_ALONE = "It is not JSON alone: "


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\n {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\n",
        f"```JSON\n{GOOD}\n ```",
    ],
)
def test_a_verdict_alone_or_in_one_fence_is_read(text: str) -> None:
    assert read_verdict(text, CRITERIA) == READ


def scoring(tone: str, *, facts: str = "7", rationale: str = '"Warm."') -> str:
    return (
        f'{{"scores": {{"Tone": {tone}, "Facts": {facts}}}, '
        f'"rationales": {{"Tone": {rationale}, "Facts": "Right."}}}}'
    )


BAD = {
    "nothing": ("", NOT_ALONE),
    "prose": ("The answer is quite good; I would give it a four.", NOT_ALONE),
    "refusal": ("I'm sorry, but I can't help with that.", NOT_ALONE),
    "prose before": (f"Here is my verdict:\n{GOOD}", NOT_ALONE),
    "prose after": (f"{GOOD}\nI hope this helps!", NOT_ALONE),
    "prose around a fence": (f"Sure!\n```json\n{GOOD}\n```", NOT_ALONE),
    "two objects": (f"{GOOD}\n{GOOD}", NOT_ALONE),
    "two fences": (f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```", NOT_ALONE),
    "cut short": (GOOD[:-10], NOT_ALONE),
    "NaN": (scoring("NaN"), f"{NOT_ALONE}NaN is not a JSON value."),
    "infinity": (scoring("Infinity"), f"{NOT_ALONE}Infinity is not a JSON value."),
    "repeated key": (scoring('1, "Tone": 5'), f"{NOT_ALONE}A key is repeated."),
    "an array": (f"[{GOOD}]", KEYS),
    "a bare number": ("4", KEYS),
    "nested": (f'{{"verdict": {GOOD}}}', KEYS),
    "another key": (GOOD[:-1] + ', "overall": 5}', KEYS),
    "a missing key": ('{"scores": {"Tone": 4, "Facts": 7}}', KEYS),
    "other criteria": (GOOD.replace("Tone", "Style"), SCORES),
    "case of a criterion": (GOOD.replace("Tone", "tone"), SCORES),
    "a missing criterion": (GOOD.replace(', "Tone": 4', ""), SCORES),
    "an invented criterion": (scoring('4, "Wit": 5'), SCORES),
    "scores as a list": ('{"scores": [4, 7], "rationales": {}}', SCORES),
    "a missing rationale": (
        GOOD.replace('"Tone": "Warm.", ', ""),
        SCORES.replace("scores", "rationales"),
    ),
    "a string": (scoring('"4"'), TONE_RANGE),
    "a fraction as text": (scoring('"4/5"'), TONE_RANGE),
    "true": (scoring("true"), TONE_RANGE),
    "null": (scoring("null"), TONE_RANGE),
    "a nested score": (scoring('{"score": 4}'), TONE_RANGE),
    "too high": (scoring("5.01"), TONE_RANGE),
    "too low": (scoring("-1"), TONE_RANGE),
    "beyond measure": (scoring("1e999"), TONE_RANGE),
    "a rationale that is no text": (
        scoring("4", rationale="5"),
        'The rationale of "Tone" must be a text.',
    ),
    "a megabyte": (scoring("4", rationale=f'"{"x" * 1_000_000}"'), "It is far too long."),
    "a tower": ("[" * 50_000, f"{NOT_ALONE}Nested too deeply."),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_verdicts_are_refused_with_the_reason(name: str) -> None:
    text, problem = BAD[name]
    with pytest.raises(UnreadableVerdict) as unreadable:
        read_verdict(text, CRITERIA)
    assert str(unreadable.value).startswith(problem)


def test_the_ends_of_a_scale_belong_to_it() -> None:
    assert read_verdict(scoring("0", facts="10"), CRITERIA)["Tone"].value == 0
    assert read_verdict(scoring("5", facts="10"), CRITERIA)["Facts"].value == 1


@settings(deadline=None)
@given(st.text())
def test_arbitrary_text_does_not_break_the_parser(text: str) -> None:
    with pytest.raises(UnreadableVerdict):
        read_verdict(text, CRITERIA)


@pytest.mark.parametrize(
    ("schema", "example", "read"),
    [
        (rubric_schema(CRITERIA), GOOD, lambda text: read_verdict(text, CRITERIA)),
        (CHOICE, '{"reasons": ["Shorter."], "winner": "tie"}', read_choice),
        (RATING, '{"rationale": "Same.", "score": 9}', lambda text: read_rating(text, 10)),
    ],
)
def test_verdicts_that_follow_their_schema_are_read(
    schema: dict[str, Any], example: str, read: Callable[[str], object]
) -> None:
    validator = Draft202012Validator(schema)
    validator.validate(json.loads(example))
    assert read(example)
    for key in json.loads(example):
        lacking = {name: value for name, value in json.loads(example).items() if name != key}
        assert not validator.is_valid(lacking)
        with pytest.raises(UnreadableVerdict):
            read(json.dumps(lacking))
