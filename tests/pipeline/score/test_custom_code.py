"""Custom code: valid results, and error messages."""

import asyncio
from typing import Any

import pytest

from edison.pipeline.score.sandbox.program import (
    LONGEST_CODE,
    LONGEST_PRINT,
    CodeProblem,
    ProblemKind,
)
from edison.pipeline.score.sandbox.score import CodeTrial, ScorerArguments, check, try_out
from edison.pipeline.score.sandbox.workers import Sandbox, SandboxUnavailable, find_obstacle
from edison.pipeline.score.scorer import CriterionScore, Flag, Scored, Subject
from tests.pipeline.score.scoring import score

SAMPLE = ScorerArguments(output="Paris", expected="Paris!", inputs={"city": "?", "tags": ["a", 1]})


def returning(expression: str) -> str:
    return f"def score(output, expected, inputs):\n    return {expression}\n"


async def tried(code: str, sample: ScorerArguments = SAMPLE) -> CodeTrial:
    return await try_out(code, sample)


async def outcome(expression: str) -> Scored | CodeProblem:
    return (await tried(returning(expression))).outcome


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("0.25", 0.25),
        ("1", 1.0),
        ("0", 0.0),
        ("True", 1.0),
        ("output == expected", 0.0),
        ("len(output) / 10", 0.5),
        ("1.0 if inputs['tags'] == ['a', 1] else 0.0", 1.0),
        ("{'score': 0.75}", 0.75),
    ],
)
async def test_a_number_from_0_to_1_is_the_score(expression: str, value: float) -> None:
    assert await outcome(expression) == Scored(value=value)


async def test_a_dict_gives_reason_and_criteria_as_well() -> None:
    given = "{'score': 0.5, 'reason': 'Half of it.', 'tone': True, 'facts': 0}"
    assert await outcome(given) == Scored(
        value=0.5,
        rationale="Half of it.",
        criteria={
            "tone": CriterionScore(value=1.0, raw=1.0),
            "facts": CriterionScore(value=0.0, raw=0.0),
        },
    )


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("None", "score() must return a number from 0 to 1, not None."),
        ("'0.5'", "score() must return a number from 0 to 1, not a value of type str."),
        ("[0.5]", "score() must return a number from 0 to 1, not a value of type list."),
        ("float('nan')", "score() must return a number from 0 to 1, not nan."),
        ("-float('inf')", "score() must return a number from 0 to 1, not -inf."),
        ("1.01", "score() must return a number from 0 to 1, not 1.01."),
        ("-1", "score() must return a number from 0 to 1, not -1."),
        ("10 ** 4000", "score() must return a number from 0 to 1, not a far larger one."),
        ("{}", "The dict that score() returned has no “score”."),
        ("{'score': '1'}", "“score” must be a number from 0 to 1, not a value of type str."),
        ("{'score': 1, 'reason': 5}", "“reason” must be a text."),
        (
            "{'score': 1, 'tone': 'good'}",
            "“tone” must be a number from 0 to 1, not a value of type str.",
        ),
        (
            "{'score': 1, 'a\\x00b': 1}",
            "A criterion's name is a text of at most 80 characters on one line.",
        ),
        (
            "{'score': 1, 7: 1}",
            "A criterion's name is a text of at most 80 characters on one line.",
        ),
        (
            "{'score': 1, **{str(i): 1 for i in range(22)}}",
            "score() may return at most 20 criteria.",
        ),
    ],
)
async def test_anything_else_is_refused_with_its_reason(expression: str, message: str) -> None:
    assert await outcome(expression) == CodeProblem(kind=ProblemKind.RESULT, message=message)


async def test_a_long_reason_is_cut() -> None:
    got = await outcome("{'score': 1, 'reason': 'x' * 100000}")
    assert got == Scored(value=1.0, rationale="x" * 2000)


async def test_code_may_ask_for_similarity_tokens_and_json() -> None:
    assert await outcome("similarity('kitten', 'sitting')") == Scored(value=1 - 3 / 7)
    assert await outcome("count_tokens('Hello, world!') == 4") == Scored(value=1.0)
    assert await outcome("parse_json('{\"a\": [0.5]}')['a'][0]") == Scored(value=0.5)
    got = (await tried("def score(o, e, i):\n  return parse_json('NaN')")).outcome
    assert got == CodeProblem(
        kind=ProblemKind.RAISED,
        message="ValueError: Not JSON: NaN is not a JSON value",
        line=2,
        column=10,
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("similarity(1, 'a')", "TypeError: This function takes texts."),
        (
            "similarity('a' * 50001, 'a')",
            "ValueError: This function takes texts of at most 50,000 characters.",
        ),
        (
            "sum(count_tokens('a') for _ in range(1000))",
            "RuntimeError: suspension limit 200 exceeded",
        ),
    ],
)
async def test_our_functions_take_only_so_much(call: str, message: str) -> None:
    got = await outcome(call)
    assert isinstance(got, CodeProblem)
    assert (got.kind, got.message, got.line) == (ProblemKind.RAISED, message, 2)


async def test_our_functions_have_no_more_time_than_the_code() -> None:
    code = """
def score(output, expected, inputs):
    a, b = 'ab' * 20000, 'ba' * 20000
    for _ in range(90):
        similarity(a, b)
    return 1
"""
    trial = await try_out(code, SAMPLE, time_limit_seconds=0.05)
    assert isinstance(trial.outcome, CodeProblem)
    assert trial.outcome.message == (
        "TimeoutError: The functions of Edison had all the time there was."
    )


async def test_a_trial_shows_printed_output() -> None:
    trial = await tried("print('loaded')\ndef score(o, e, i):\n  print(o, e)\n  return 1\n")
    assert (trial.printed, trial.is_print_cut) == ("loaded\nParis Paris!\n", False)
    trial = await tried("def score(o, e, i):\n  print('x' * 50000)\n  return 1\n")
    assert (trial.printed, trial.is_print_cut) == ("x" * LONGEST_PRINT, True)
    assert trial.outcome == Scored(value=1.0)


async def test_an_error_names_the_line_that_made_it() -> None:
    code = """def share(a, b):
    return a / b

def score(output, expected, inputs):
    return share(1, 0)
"""
    assert (await tried(code)).outcome == CodeProblem(
        kind=ProblemKind.RAISED,
        message="ZeroDivisionError: division by zero",
        line=2,
        column=12,
    )
    scored = await score("custom_code", "yes", options={"code": code})
    assert scored == Scored(
        value=None,
        flag=Flag.CODE_FAILED,
        rationale="Line 2: ZeroDivisionError: division by zero",
    )


async def test_the_part_that_the_prompt_asked_for_is_scored() -> None:
    subject = Subject(text="<response>yes</response>", parsed="yes", inputs={"a": "\ud800"})
    scored = await score("custom_code", subject, options={"code": returning("output == 'yes'")})
    assert scored.value == 1.0


GOOD = returning("1")


@pytest.mark.parametrize(
    ("code", "kind", "place"),
    [
        (GOOD, None, None),
        ("def score(output, expected=None, inputs=None): return 1", None, None),
        ("def score(*given): return 1", None, None),
        ("score = lambda output, expected, inputs: 1", None, None),
        ("def score(output, expected, inputs):\n  return (1 +\n", ProblemKind.SYNTAX, (3, 1)),
        ("def score(output expected): pass", ProblemKind.SYNTAX, (1, 18)),
        ("class A(int): pass\n" + GOOD, ProblemKind.SYNTAX, (1, 1)),
        ("", ProblemKind.NO_SCORE, None),
        ("def grade(output, expected, inputs): return 1", ProblemKind.NO_SCORE, None),
        ("x = 1\ndef score(output): return 1", ProblemKind.SIGNATURE, (2, 1)),
        ("def score(a, b, c, d): return 1", ProblemKind.SIGNATURE, (1, 1)),
        ("def score(a, b, c, *, d): return 1", ProblemKind.SIGNATURE, (1, 1)),
        ("async def score(a, b, c): return 1", ProblemKind.SIGNATURE, (1, 1)),
        ("import requests\n" + GOOD, ProblemKind.RAISED, (1, 1)),
        ("while True: pass\n" + GOOD, ProblemKind.TIME, None),
        ("#" * (LONGEST_CODE + 1), ProblemKind.TOO_LONG, None),
        ("(" * LONGEST_CODE, ProblemKind.SYNTAX, None),
    ],
)
async def test_code_is_checked_before_it_is_used(
    code: str, kind: ProblemKind | None, place: tuple[int, int] | None
) -> None:
    problem = await check(code)
    if kind is None:
        assert problem is None
    else:
        assert problem is not None
        assert problem.kind is kind
        assert (problem.line, problem.column) == (place or (None, None))


async def test_programs_share_nothing_and_draw_the_same_numbers() -> None:
    leaving = "left = 1\nimport random\ndef score(o, e, i):\n  return random.random()\n"
    first, second = await tried(leaving), await tried(leaving)
    assert first.outcome == second.outcome
    got = await outcome("left")
    assert isinstance(got, CodeProblem)
    assert got.message == "NameError: name 'left' is not defined"


async def test_the_event_loop_is_not_blocked_by_code() -> None:
    running = asyncio.create_task(outcome("sum(range(10 ** 12))"))
    turns = 0
    while not running.done():
        await asyncio.sleep(0.01)
        turns += 1
    got: Any = running.result()
    assert got.kind is ProblemKind.TIME
    assert turns > 10


def test_a_missing_sandbox_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_obstacle() is None
    monkeypatch.setenv("MONTY_BIN", "/bin/false")
    without = Sandbox(1)
    with pytest.raises(SandboxUnavailable, match="Custom code is switched off"):
        without.start()
    without.close()
