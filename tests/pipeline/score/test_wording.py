"""Text scorers: exact, contains, starts with, ends with, regular expressions."""

from typing import Any

import pytest

from edison.kit.errors import Invalid
from edison.pipeline.score.scorer import Flag, Subject
from tests.pipeline.score.scoring import score, value


@pytest.mark.parametrize(
    ("answer", "expected", "options", "given"),
    [
        ("Paris", "Paris", {}, 1),
        (" Paris\n", "Paris ", {}, 1),
        ("paris", "Paris", {}, 0),
        ("paris", "PARIS", {"is_case_sensitive": False}, 1),
        ("Straße", "STRASSE", {"is_case_sensitive": False}, 1),
        ("New  York", "New York", {}, 0),
        ("", "", {}, 1),
        ("Paris.", "Paris", {}, 0),
    ],
)
async def test_exact(answer: str, expected: str, options: dict[str, Any], given: float) -> None:
    assert await value("exact", answer, expected, **options) == given


async def test_the_parsed_part_of_the_answer_is_scored() -> None:
    subject = Subject(text="Sure: <response>Paris</response>", parsed="Paris", expected="Paris")
    assert (await score("exact", subject)).value == 1


@pytest.mark.parametrize(
    ("answer", "options", "given"),
    [
        ("The red fox", {"phrases": ["red"]}, 1),
        ("The red fox", {"phrases": ["Red"]}, 0),
        ("The red fox", {"phrases": ["Red"], "is_case_sensitive": False}, 1),
        ("The red fox", {"phrases": ["blue", "fox"]}, 1),
        ("The red fox", {"phrases": ["blue", "fox"], "needs": "all"}, 0),
        ("The red fox", {"phrases": ["red", "fox"], "needs": "all"}, 1),
        ("The red fox", {"phrases": ["ed fo"]}, 1),
        ("The red fox", {}, 1),
        ("The fox", {}, 0),
    ],
)
async def test_contains(answer: str, options: dict[str, Any], given: float) -> None:
    assert await value("contains", answer, "red fox", **options) == given


async def test_contains_lists_missing_phrases() -> None:
    scored = await score(
        "contains", "The red fox", options={"phrases": ["red", "blue", "x" * 100], "needs": "all"}
    )
    assert scored.rationale == f"1 of 3 found. Missing: “blue”, “{'x' * 80}…”."


@pytest.mark.parametrize("kind", ["contains", "starts_with", "ends_with"])
async def test_without_keywords_there_is_no_score(kind: str) -> None:
    assert (await score(kind, "The red fox")).flag is Flag.NO_EXPECTED


@pytest.mark.parametrize(
    ("kind", "answer", "options", "given"),
    [
        ("starts_with", "  Dear Ann, thanks", {"text": "Dear Ann"}, 1),
        ("starts_with", "dear Ann", {"text": "Dear"}, 0),
        ("starts_with", "dear Ann", {"text": "Dear", "is_case_sensitive": False}, 1),
        ("starts_with", "Yes, of course", {}, 1),
        ("starts_with", "Oh Yes", {"text": "  "}, 0),
        ("ends_with", "Kind regards\n", {"text": "regards"}, 1),
        ("ends_with", "Kind regards!", {"text": "regards"}, 0),
        ("ends_with", "KIND REGARDS", {"text": "regards", "is_case_sensitive": False}, 1),
        ("ends_with", "I say Yes", {}, 1),
    ],
)
async def test_beginnings_and_ends(
    kind: str, answer: str, options: dict[str, Any], given: float
) -> None:
    assert await value(kind, answer, "Yes", **options) == given


@pytest.mark.parametrize(
    ("answer", "options", "given"),
    [
        ("Order KX-325663.", {"pattern": r"\bKX-\d{6}\b"}, 1),
        ("Order KX-32566.", {"pattern": r"\bKX-\d{6}\b"}, 0),
        ("KX-325663", {"pattern": r"KX-\d+", "matches": "whole"}, 1),
        ("KX-325663.", {"pattern": r"KX-\d+", "matches": "whole"}, 0),
        ("ÉCOLE", {"pattern": "école", "is_case_sensitive": False}, 1),
        ("one\ntwo", {"pattern": "^two$"}, 0),
        ("one\ntwo", {"pattern": "(?m)^two$"}, 1),
        ("", {"pattern": "^$"}, 1),
    ],
)
async def test_regular_expressions(answer: str, options: dict[str, Any], given: float) -> None:
    assert await value("regex", answer, **options) == given


async def test_a_pattern_that_explodes_elsewhere_takes_linear_time_here() -> None:
    # In a backtracking engine this would practically never end.
    assert await value("regex", "a" * 100_000 + "!", pattern="^(a+)+$") == 0


@pytest.mark.parametrize("pattern", ["(", "(?=a)", r"(a)\1", "(a{1000}){1000}", "[z-a]"])
async def test_a_pattern_that_cannot_be_read_is_refused(pattern: str) -> None:
    with pytest.raises(Invalid, match="This is not a pattern RE2 can read") as refused:
        await score("regex", "a", options={"pattern": pattern})
    assert refused.value.path == "options"


@pytest.mark.parametrize("phrases", [[""], ["  "], ["x"] * 51])
async def test_phrases_that_mean_nothing_are_refused(phrases: list[str]) -> None:
    with pytest.raises(Invalid):
        await score("contains", "a", options={"phrases": phrases})
