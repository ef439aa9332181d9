"""Comparison with an earlier evaluation, from a file and from the database alike."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from edison.cli.eval_engine import EvalEngine, open_eval_engine
from edison.cli.exit_codes import FailOn, exit_code
from edison.evals.baseline import EarlierEvaluation, compare_with, read_file, read_stored
from edison.evals.errors import ConfigError
from edison.evals.evaluations import EvalTerms
from edison.evals.outputs.comparison import comparison_document, comparison_lines
from edison.evals.outputs.write import write_results
from edison.evals.read import read_plan
from edison.evals.request import EvalRequest
from edison.evals.results import EvalResults
from edison.settings import load_settings

TESTS = 40


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def engine(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[EvalEngine]:
    async with open_eval_engine(load_settings(data_dir=tmp_path_factory.mktemp("data")), {}) as one:
        yield one


async def evaluate(
    engine: EvalEngine, folder: Path, prompt: str, *, wanted: str = "good"
) -> EvalResults:
    """Tests pass where the prompt has the wanted word."""
    config = {
        "prompts": [prompt],
        "providers": ["echo"],
        "defaultTest": {"assert": [{"type": "contains", "value": wanted}]},
        "tests": [{"vars": {"n": n}, "description": f"test {n}"} for n in range(TESTS)],
    }
    (folder / "config.json").write_text(json.dumps(config))
    plan = read_plan(EvalRequest(folder=folder, configs=[Path("config.json")]))
    return await engine.evaluate(plan, terms=EvalTerms())


async def both_forms(
    engine: EvalEngine, results: EvalResults, folder: Path
) -> list[EarlierEvaluation]:
    write_results(results, folder / "before.json")
    async with engine.database.read() as session:
        return [
            read_file(folder / "before.json"),
            await read_stored(session, f"eval-{results.evaluation_id}"),
            await read_stored(session, str(results.run_ids[0])),
        ]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_worse_prompt_is_a_regression_and_a_little_change_is_no_evidence(
    engine: EvalEngine, tmp_path: Path
) -> None:
    before = await evaluate(engine, tmp_path, "good {{n}}")
    for baseline in await both_forms(engine, before, tmp_path):
        same = compare_with(baseline, before)
        assert (same.is_regression, same.has_no_answer, same.unshared) == (False, False, 0)
    worse = await evaluate(engine, tmp_path, "bad {{n}}")
    for baseline in await both_forms(engine, before, tmp_path):
        report = compare_with(baseline, worse)
        (found,) = report.comparisons
        assert (found.column, found.baseline_column) == ("echo · bad {{n}}", "echo · good {{n}}")
        assert (found.found.difference.value, found.found.difference.cases) == (-1.0, TESTS)
        assert report.is_regression
        compared = replace(worse, comparison=report)
        assert exit_code(compared, {}, fail_on=FailOn.REGRESSION) == 100
        assert exit_code(compared, {"PROMPTFOO_FAILED_TEST_EXIT_CODE": "7"}) == 7
        assert "100.0 % → 0.0 % over 40 tests, difference -100.0 points" in " ".join(
            comparison_lines(report)
        )
        assert comparison_document(report)["comparisons"][0]["verdict"] == "worse"


@pytest.mark.asyncio(loop_scope="module")
async def test_what_the_tests_cannot_tell_is_said_with_the_number_that_could(
    engine: EvalEngine, tmp_path: Path
) -> None:
    before = await evaluate(engine, tmp_path, "good {{n}}")
    rows = list(before.rows)
    rows[:3] = [replace(row, status="failed", score=0.0) for row in rows[:3]]
    slightly = replace(before, rows=rows)
    for baseline in await both_forms(engine, before, tmp_path):
        report = compare_with(baseline, slightly)
        (told,) = comparison_lines(report)[1:]
        assert "100.0 % → 92.5 % over 40 tests" in told
        assert "no evidence of a difference" in told
        assert report.comparisons[0].found.cases_needed is not None
        assert f"takes about {report.comparisons[0].found.cases_needed} tests" in told
        compared = replace(slightly, comparison=report)
        assert exit_code(compared, {}, fail_on=FailOn.REGRESSION) == 0
        assert exit_code(compared, {}, fail_on=FailOn.ANY) == 100
        threshold = {"PROMPTFOO_PASS_RATE_THRESHOLD": "90"}
        assert exit_code(compared, threshold, fail_on=FailOn.THRESHOLD) == 0


@pytest.mark.asyncio(loop_scope="module")
async def test_changed_assertions_and_missing_answers_give_no_verdict(
    engine: EvalEngine, tmp_path: Path
) -> None:
    before = await evaluate(engine, tmp_path, "good {{n}}")
    stricter = await evaluate(engine, tmp_path, "good {{n}}", wanted="excellent")
    for baseline in await both_forms(engine, before, tmp_path):
        report = compare_with(baseline, stricter)
        assert (report.changed, report.is_regression, report.has_no_answer) == (TESTS, False, True)
        compared = replace(stricter, comparison=report)
        # A gate that cannot compare does not pass.
        assert exit_code(compared, {}, fail_on=FailOn.REGRESSION) == 100
        rows = [replace(row, status="error", score=0.0) for row in before.rows[:10]]
        down = replace(before, rows=[*rows, *before.rows[10:]])
        report = compare_with(baseline, down)
        assert "0 rows there and 10 here have no verdict" in comparison_lines(report)[1]
        assert (report.is_regression, report.has_no_answer) == (False, True)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_baseline_that_is_not_there_is_refused(engine: EvalEngine, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    for wrong in ("none.json", "other.json"):
        with pytest.raises(ConfigError):
            read_file(tmp_path / wrong)
    async with engine.database.read() as session:
        for text in ("latest", "0198c0de-0000-7000-8000-000000000000"):
            with pytest.raises(ConfigError):
                await read_stored(session, text)
