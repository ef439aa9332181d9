"""Assertions as scorers: values, verdicts, models that grade, and what is refused or stopped."""

import json
import math
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest

from edison.kit.errors import Invalid
from edison.pipeline.generate.outcome import ToolCall
from edison.pipeline.score.apply import ScorerConfig, configure
from edison.pipeline.score.assertions.evaluate import evaluate_row
from edison.pipeline.score.assertions.model import (
    AssertionRow,
    AssertionVerdict,
    RowError,
    Services,
    Unsupported,
)
from edison.pipeline.score.assertions.read import read_assertions
from edison.pipeline.score.assertions.registry import UNSUPPORTED, handlers
from edison.pipeline.score.assertions.yaml_text import find_objects, load_yaml
from edison.pipeline.score.sandbox.javascript import match_plainly
from edison.pipeline.score.sandbox.javascript_worker import match_in_worker
from edison.pipeline.score.scorer import CaseAssertions, Flag, Scored, Subject
from tests.pipeline.score.scoring import ScriptedTools, score

MODEL = str(UUID(int=1))


async def scored(*assertions: Any, text: str = "Oslo is cold", **options: Any) -> Scored:
    subject = Subject(text=text, inputs={"city": "Oslo"}, latency_seconds=0.5, cost_nanos=2_000)
    given = {"assertions": json.dumps(assertions), **options}
    return await score("assertions", subject, options=given)


def test_calls_are_counted_by_model_with_those_of_the_case() -> None:
    other = str(UUID(int=2))
    own = [
        {"type": "llm-rubric", "value": "polite"},
        {"type": "assert-set", "assert": [{"type": "answer-relevance", "provider": "b"}]},
    ]
    options = {
        "assertions": json.dumps([{"type": "contains", "value": "a"}, {"type": "not-factuality"}]),
        "model_id": MODEL,
        "provider_models": {'"b"': other},
        "case_input": "checks",
    }
    scorer = configure(ScorerConfig(kind="graded_assertions", options=options)).scorer
    assert scorer.count_calls({}, None) == {UUID(MODEL): 1, UUID(other): 0}
    assert scorer.count_calls({"checks": own}, None) == {UUID(MODEL): 2, UUID(other): 3}
    assert scorer.count_calls({}, CaseAssertions(assertions=own)) == scorer.count_calls(
        {"checks": json.dumps(own)}, None
    )
    assert scorer.count_calls({"checks": "[no json"}, None) == {UUID(MODEL): 1, UUID(other): 0}


async def evaluated(*assertions: Any, output: Any = "text") -> AssertionVerdict:
    return await evaluate_row(
        read_assertions(assertions), AssertionRow(output=output, prompt="p"), services=Services()
    )


async def test_the_row_gives_value_verdict_details_and_named_scores() -> None:
    found = await scored(
        {"type": "contains", "value": "{{city}}", "metric": "place", "weight": 3},
        {"type": "equals", "value": "other", "metric": "exact"},
    )
    assert (found.value, found.is_passed) == (0.75, False)
    assert {name: each.value for name, each in found.criteria.items()} == {"place": 1, "exact": 0}
    assert found.raw is not None
    assert [each["pass"] for each in json.loads(found.raw)["components"]] == [True, False]


async def test_a_threshold_of_the_list_decides_alone() -> None:
    checks = ({"type": "contains", "value": "Oslo"}, {"type": "equals", "value": "other"})
    assert (await scored(*checks, list_threshold=0.5)).is_passed is True
    assert (await scored(*checks, list_threshold=0.6)).is_passed is False


async def test_an_input_of_the_case_adds_assertions() -> None:
    half = [{"type": "contains", "value": "{{city}}"}, {"type": "equals", "value": "other"}]
    options = {"assertions": "[]", "case_input": "checks"}
    for given, is_passed in (
        (half, False),
        (json.dumps(half[:1]), True),
        ({"assert": half, "threshold": 0.5}, True),
        ({"assert": half[1:], "options": {"transform": "'other'"}}, True),
        (None, True),
    ):
        subject = Subject(text="Oslo is cold", inputs={"city": "Oslo", "checks": given})
        assert (await score("assertions", subject, options=options)).is_passed is is_passed
    wrong = Subject(text="Oslo", inputs={"checks": "not JSON"})
    found = await score("assertions", wrong, options=options)
    assert (found.value, found.flag) == (None, Flag.CODE_FAILED)


async def test_a_pass_threshold_of_the_scorer_goes_before_its_verdict() -> None:
    options = {"assertions": '[{"type": "javascript", "value": "0.4"}]'}
    assert (await score("assertions", "x", options=options)).is_passed is True
    assert (await score("assertions", "x", options=options, threshold=0.5)).is_passed is False
    negated = await score("assertions", "x", options=options, is_negated=True)
    assert (negated.value, negated.is_passed) == (0.6, False)


async def test_scores_beyond_0_and_1_are_cut() -> None:
    assert (await scored({"type": "javascript", "value": "5"})).value == 1
    assert (await scored({"type": "javascript", "value": "-3"})).value == 0
    assert (await scored({"type": "javascript", "value": "NaN"})).value == 0


async def test_cost_latency_and_tool_calls_of_the_answer_are_known() -> None:
    found = await scored(
        {"type": "cost", "threshold": 0.000002}, {"type": "latency", "threshold": 500}
    )
    assert found.is_passed is True
    call = ToolCall(id="1", name="look_up", arguments="{}")
    options = {"assertions": '[{"type": "tool-call-f1", "value": "look_up"}]'}
    subject = Subject(text="", tool_calls=(call,))
    assert (await score("assertions", subject, options=options)).value == 1


async def test_a_row_that_is_an_error_has_no_value() -> None:
    wrong = await scored({"type": "contains", "value": ""})
    assert (wrong.value, wrong.flag) == (None, Flag.CODE_FAILED)
    missing = await scored({"type": "webhook", "value": "http://x"})
    assert (missing.value, missing.flag) == (None, Flag.UNAVAILABLE)
    ungraded = await scored({"type": "llm-rubric", "value": "x"})
    assert ungraded.flag is Flag.UNAVAILABLE


async def test_a_model_grades() -> None:
    tools = ScriptedTools(answers=['{"pass": true, "score": 0.8, "reason": "polite"}'])
    options = {
        "assertions": '[{"type": "llm-rubric", "value": "Greets {{city}}"}]',
        "model_id": MODEL,
    }
    subject = Subject(text="Hello", inputs={"city": "Oslo"})
    found = await score("graded_assertions", subject, options=options, tools=tools)
    assert (found.value, found.is_passed) == (0.8, True)
    _, prompt, parameters = tools.asked[0]
    assert "Greets Oslo" in prompt.messages[-1].text
    assert parameters.temperature == 0


@pytest.mark.parametrize(
    "given",
    [
        "no json",
        "{}",
        "[1]",
        '[{"value": "x"}]',
        '[{"type": 5}]',
        '[{"type": "equals", "weight": "heavy"}]',
        '[{"type": "assert-set"}]',
        '[{"type": "assert-set", "assert": [{"type": "assert-set", "assert": []}]}]',
    ],
)
def test_assertions_that_cannot_be_read_are_refused(given: str) -> None:
    with pytest.raises(Invalid):
        configure(ScorerConfig(kind="assertions", options={"assertions": given}))


@pytest.mark.parametrize(
    "code",
    [
        "while (true) {}\nreturn 1",
        "const a = [];\nwhile (true) a.push('x'.repeat(1e6));\nreturn 1",
        "'x'.repeat(2 ** 29).repeat(1000)",
        "(function f() { return f() + 1 })()",
        "new Promise(() => {})",
        "/(a+)+$/.test('a'.repeat(50) + 'b')",
    ],
)
async def test_javascript_that_takes_too_much_is_stopped(code: str) -> None:
    verdict = await evaluated({"type": "javascript", "value": code})
    assert not verdict.is_passed


async def test_javascript_reaches_no_system() -> None:
    for name in ("require", "process.env", "std", "os", "fetch", "setTimeout", "XMLHttpRequest"):
        verdict = await evaluated({"type": "javascript", "value": f"!!{name}"})
        assert not verdict.is_passed, name


async def test_a_pattern_that_takes_too_long_fails() -> None:
    bomb = {"type": "regex", "value": "(a|aa)+$"}
    assert not (await evaluated(bomb, output="a" * 60 + "b")).is_passed


WRONG = (5, -1.5, True, None, [], [None], [[1]], {}, {"a": {"b": 1}}, "", "x" * 5000, math.inf)
OUTPUTS = ("", "plain", '{"a": 1}', {"a": [1]}, [], 5, None)


async def test_values_of_wrong_types_are_errors_and_not_bugs() -> None:
    for kind in handlers():
        for value in WRONG:
            for output in OUTPUTS:
                check = {"type": kind, "value": value, "threshold": 0.5}
                with suppress(RowError):
                    await evaluated(check, output=output)


@pytest.mark.parametrize("kind", ["is-html", "contains-html", "is-xml", "contains-xml", "is-sql"])
async def test_long_answers_are_checked_in_bounded_time(kind: str) -> None:
    for part in ("<a ", "<!--", "((", "'<a \"", "</a>"):
        with suppress(RowError):
            await evaluated({"type": kind}, output=part * 15_000)


async def test_unsupported_types_are_named_with_a_reason() -> None:
    assert not set(UNSUPPORTED) & set(handlers())
    for kind in UNSUPPORTED:
        with pytest.raises(Unsupported, match=r"is not supported: .+\."):
            await evaluated({"type": kind})
    with pytest.raises(RowError, match="Unknown assertion type"):
        await evaluated({"type": "nonsense"})


async def test_nothing_is_read_from_files() -> None:
    for kind in ("contains", "javascript", "python"):
        with pytest.raises(Unsupported):
            await evaluated({"type": kind, "value": "file:///etc/passwd"})
    with pytest.raises(Unsupported):
        await evaluated({"type": "equals", "value": "x", "transform": "file://t.js"})


def test_yaml_that_repeats_itself_is_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 10)}]" for at in range(1, 9)]
    with pytest.raises(ValueError, match="too many nodes"):
        load_yaml("\n".join(lines))
    assert find_objects("{{{{{{{{" * 20) == []


def test_patterns_matched_in_this_process_mean_the_same_in_javascript() -> None:
    patterns = (
        "^P.*s$", "a{,2}", "{", "a+?", "(a|b)*c", "[a-]", "\\d{3}-\\d{4}", "\\bfoo\\b", "|", "$a",
        "\\s+$", "a.c", "[\\w.]+", "(a*)*b", "}", "a{1}{2}", "[\\s\\S]", "<[^>]+>", "[]a]", "a**",
    )  # fmt: skip
    texts = ("Paris", "aa", "555-1234", "foo bar", "a\nb", "x\n", "", "{,2}", "aaab]", "<b>t</b>")
    for pattern in patterns:
        for text in texts:
            found = match_plainly(pattern, text)
            expected = match_in_worker({"pattern": pattern, "text": text})
            assert found is None or found is expected.get("found"), (pattern, text)
