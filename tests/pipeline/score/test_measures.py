"""Numeric scorers: numbers in the answer, length, latency and cost."""

from typing import Any

import pytest

from edison.kit.errors import Invalid
from edison.pipeline.score.scorer import Flag, Scored, Subject
from tests.pipeline.score.scoring import score, value


@pytest.mark.parametrize(
    ("answer", "expected", "options", "given"),
    [
        ("42", "42", {}, 1),
        ("The answer is 42.", "42.0", {}, 1),
        ("First 7, then 42", "42", {}, 1),
        ("First 7, then 42", "42", {"takes": "first"}, 0),
        ("First 7, then 42", "42", {"takes": "only"}, 0),
        ("It is 42", "42", {"takes": "only"}, 1),
        ("$1,234.50", "1234.5", {}, 1),
        ("12,345,678", "12345678", {}, 1),
        ("1e3", "1000", {}, 1),
        ("-5", "5", {}, 0),
        ("\u22125 °C", "-5", {}, 1),
        ("2026-08", "8", {}, 1),
        ("f(3)-2", "2", {}, 1),
        ("about .5", "0.5", {}, 1),
        ("95 %", "95", {}, 1),
        ("none", "42", {}, 0),
        ("", "42", {}, 0),
        ("10.1", "10", {"absolute": 0.1}, 1),
        ("10.11", "10", {"absolute": 0.1}, 0),
        ("9.5", "10", {"relative": 0.05}, 1),
        ("9.49", "10", {"relative": 0.05}, 0),
        ("-105", "-100", {"relative": 0.05}, 1),
        ("0.1", "0", {"relative": 1}, 0),
        ("108", "100", {"absolute": 10, "relative": 0.05}, 1),
        ("9" * 500, "42", {}, 0),
    ],
)
async def test_numeric_tolerance(
    answer: str, expected: str, options: dict[str, Any], given: float
) -> None:
    assert await value("numeric_tolerance", answer, expected, **options) == given


@pytest.mark.parametrize("expected", ["", "many", "3 to 5"])
async def test_the_expected_answer_must_be_one_number(expected: str) -> None:
    assert (await score("numeric_tolerance", "4", expected)).flag is Flag.UNUSABLE_EXPECTED


async def test_length_in_tokens_is_the_providers() -> None:
    options = {"unit": "tokens", "maximum": 10}
    assert (await score("length", Subject(text="x", output_tokens=11), options=options)).value == 0
    assert (await score("length", Subject(text="x", output_tokens=10), options=options)).value == 1
    assert (await score("length", "x", options=options)).flag is Flag.NOT_MEASURED


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "Set a lower limit, an upper limit, or both."),
        ({"minimum": 3, "maximum": 2}, "The lower limit is above the upper one."),
    ],
)
async def test_contradictory_limits_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(Invalid) as refused:
        await score("length", "x", options=options)
    assert refused.value.message == message


async def test_latency_limit() -> None:
    async def within(seconds: float | None) -> Scored:
        subject = Subject(text="x", latency_seconds=seconds)
        return await score("latency_limit", subject, options={"limit_seconds": 1.5})

    assert (await within(1.5)).value == 1
    assert (await within(1.51)) == Scored(
        value=0.0, raw="1.51", rationale="1.51 s of 1.5 s.", is_passed=False
    )
    assert (await within(None)).flag is Flag.NOT_MEASURED


async def test_cost_limit() -> None:
    async def within(cost_nanos: int | None) -> Scored:
        subject = Subject(text="x", cost_nanos=cost_nanos)
        return await score("cost_limit", subject, options={"limit_usd": "0.002"})

    assert (await within(2_000_000)).value == 1
    assert (await within(2_000_001)) == Scored(
        value=0.0, raw="2000001", rationale="$0.002000001 of $0.002.", is_passed=False
    )
    assert (await within(0)).value == 1
    assert (await within(None)).flag is Flag.NOT_MEASURED


async def test_a_cost_limit_is_no_finer_than_money() -> None:
    with pytest.raises(Invalid):
        await score("cost_limit", "x", options={"limit_usd": "0.0000000001"})
