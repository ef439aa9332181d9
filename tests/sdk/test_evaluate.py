"""Evaluations in code: tasks, scorers, results, comparisons."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from edison import sdk

DATA = [
    {"id": "a", "inputs": {"n": 1}, "expected": "one"},
    {"id": "b", "inputs": {"n": 2}, "expected": "two"},
    {"id": "c", "inputs": {"n": 0}, "expected": "none"},
]
WORDS = {1: "one", 2: "two and more"}


def task(inputs: dict[str, int]) -> str:
    return WORDS[inputs["n"]]


async def task_async(inputs: dict[str, int]) -> str:
    await asyncio.sleep(0)
    return WORDS[inputs["n"]]


class Callable:
    async def __call__(self, inputs: dict[str, int]) -> str:
        return WORDS[inputs["n"]]


def length(output: str, case: sdk.Case) -> dict[str, Any]:
    assert case.id in {"a", "b"}
    return {"score": min(1.0, len(output) / 10), "reason": f"{len(output)} characters"}


def broken(output: str) -> float:
    return float(len(output))


def task_of_task(inputs: dict[str, int]) -> Any:
    return task_async(inputs)


@pytest.mark.parametrize("given", [task, task_async, Callable(), task_of_task])
def test_tasks_may_be_any_callable_and_errors_stay_in_their_row(given: Any) -> None:
    scorers = [sdk.exact, sdk.contains(), length, broken, sdk.assertion("starts-with", "one")]
    found = sdk.evaluate(DATA, given, scorers)
    first, second, third = found.rows
    values = {name: each.value for name, each in first.scores.items()}
    assert values == {"exact": 1, "contains": 1, "length": 0.3, "broken": None, "starts-with": 1}
    assert first.scores["length"].reason == "3 characters"
    assert first.scores["broken"].error == "ValueError: A score must be in 0..1, not 3."
    assert [second.scores[name].value for name in ("exact", "contains", "starts-with")] == [0, 1, 0]
    assert (third.error, third.scores) == ("KeyError: 0", {})
    assert found.errors == [third]
    by_name = {each.scorer: each for each in found.means()}
    assert (by_name["exact"].value, by_name["exact"].cases, by_name["exact"].missing) == (0.5, 2, 1)
    assert by_name["broken"].value is None
    assert found.to_dicts()[0]["contains"] == 1


async def test_it_works_in_a_running_loop_and_threads_run_at_once() -> None:
    both = threading.Barrier(2, timeout=60)

    def waits(number: int) -> int:
        both.wait()
        return number

    assert [row.output for row in sdk.evaluate([1, 2], waits, concurrency=2).rows] == [1, 2]
    found = await sdk.evaluate_async([1, 2], waits, concurrency=2, repeats=1)
    assert [row.output for row in found.rows] == [1, 2]


@pytest.mark.parametrize(
    ("data", "scorers", "message"),
    [
        ([{"inputs": 1, "id": "a"}, {"inputs": 2, "id": "a"}], [], "same id"),
        ([{"inputs": 1, "expect": 2}], [], "no expect"),
        ([1], [sdk.exact, sdk.exact], "same name"),
    ],
)
def test_wrong_arguments_are_refused(data: Any, scorers: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sdk.evaluate(data, str, scorers)


def results_of(passing: int, *, failing: int = 0, total: int = 40) -> sdk.EvaluationResult:
    """Of `total` cases, the first pass and the last raise an error."""

    def answer(number: int) -> bool:
        if number >= total - failing:
            raise ValueError("down")
        return number < passing

    return sdk.evaluate(range(total), answer, [sdk.named(lambda output: output, "passed")])


def test_a_regression_is_found_and_saved_results_compare_alike(tmp_path: Path) -> None:
    before, worse, slightly = results_of(40), results_of(20), results_of(37)
    before.save(tmp_path / "before.json")
    loaded = sdk.EvaluationResult.load(tmp_path / "before.json")
    for baseline in (before, loaded):
        (found,) = worse.compare(baseline)
        assert (found.verdict, found.before, found.after, found.cases) == ("worse", 1.0, 0.5, 40)
        assert found.low is not None
        assert found.low < found.difference == -0.5
        with pytest.raises(AssertionError, match=r"passed: 1\.000 → 0\.500 over 40 cases"):
            sdk.assert_no_regression(baseline, worse)
        slightly.assert_no_regression(baseline)
        (found,) = sdk.compare(baseline, slightly)
        assert f"To tell it takes about {found.cases_needed} cases." in str(found)


def test_too_many_errors_and_nothing_in_common_are_no_pass(tmp_path: Path) -> None:
    before = results_of(40)
    with pytest.raises(AssertionError, match="cannot tell"):
        results_of(40, failing=10).assert_no_regression(before)
    with pytest.raises(AssertionError, match="no scorer in common"):
        sdk.evaluate([1], str, [sdk.exact]).assert_no_regression(before)
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(ValueError, match="holds no result"):
        sdk.EvaluationResult.load(tmp_path / "other.json")


def test_importing_the_sdk_loads_only_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import edison.sdk; "
        "print(sorted({name.split('.')[0] for name in set(sys.modules) - before} "
        "- set(sys.stdlib_module_names)), "
        "sorted(n for n in sys.modules if n.startswith('edison.') and 'sdk' not in n))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['edison'] []"
