"""pytest plugin: a test with `@pytest.mark.edison(data, task, scorers)` runs once per case.

Rows travel in the properties of the test reports, so that they arrive from the workers of
pytest-xdist too, and are in JUnit files.
"""

import asyncio
import json
from dataclasses import asdict, replace
from typing import Any

import pytest

from edison.sdk.client import ApiError
from edison.sdk.evaluation import cases_of, run_case
from edison.sdk.results import EvaluationResult, Row, row_of
from edison.sdk.scorers import name_of
from edison.sdk.store import store_results

_MARK = "edison"
_PROPERTY = "edison_row"
_LONGEST_ID = 60


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("edison")
    group.addoption("--edison-output", metavar="FILE", help="Write the evaluated rows as JSON.")
    group.addoption(
        "--edison-store",
        action="store_true",
        help="Store the rows in Edison at the end, one run for each test function. Uses "
        "EDISON_URL, EDISON_TOKEN and EDISON_PROJECT.",
    )
    group.addoption(
        "--edison-baseline",
        metavar="FILE",
        help="Fail on evidence that a score is worse than in this file of --edison-output.",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "edison(data, task, scorers=(), repeats=1): evaluate the task, one test for each case; the "
        "fixture `edison_row` is the row.",
    )
    config.pluginmanager.register(_Collector(config), "edison-collector")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker(_MARK)
    if marker is None:
        return
    if "edison_row" not in metafunc.fixturenames:
        raise pytest.UsageError(f"{metafunc.definition.nodeid} must take `edison_row`.")
    given = _arguments(*marker.args, **marker.kwargs)
    cases = cases_of(given["data"])
    repeats = range(given["repeats"])
    values = [(case, repeat) for case in cases for repeat in repeats]
    names = [case.id or str(case.inputs)[:_LONGEST_ID] for case, _ in values]
    metafunc.parametrize("edison_case", values, ids=names, indirect=True)


def _arguments(data: Any, task: Any, scorers: Any = (), *, repeats: int = 1) -> dict[str, Any]:
    return {"data": data, "task": task, "scorers": scorers, "repeats": repeats}


@pytest.fixture
def edison_case(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def edison_row(request: pytest.FixtureRequest, edison_case: Any) -> Row:
    """The output of the task for this case, with its scores. An error of the task fails it."""
    marker = request.node.get_closest_marker(_MARK)
    given = _arguments(*marker.args, **marker.kwargs)
    case, repeat = edison_case
    row = asyncio.run(run_case(case, given["task"], given["scorers"], repeat=repeat))
    group = f"{request.node.path.name}::{request.node.originalname}"
    names = [name_of(each) for each in given["scorers"]]
    document = json.dumps({"group": group, "scorers": names, "row": asdict(row)}, default=str)
    request.node.user_properties.append((_PROPERTY, document))
    if row.error is not None:
        pytest.fail(f"The task failed: {row.error}", pytrace=False)
    return row


class _Collector:
    """Gathers the rows of all reports, in the process that reports to the user."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._rows: dict[str, list[Row]] = {}
        self._scorers: dict[str, list[str]] = {}
        self._told: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and not (report.when == "setup" and report.failed):
            return
        for name, value in report.user_properties:
            if name == _PROPERTY:
                found = json.loads(str(value))
                self._rows.setdefault(found["group"], []).append(row_of(found["row"]))
                self._scorers[found["group"]] = found["scorers"]

    def _result(self) -> EvaluationResult:
        """All rows; scorers are named by their test, whose cases may be those of another."""
        rows = [
            Row(
                case=replace(row.case, id=f"{group} {row.case.key}"),
                repeat=row.repeat,
                output=row.output,
                error=row.error,
                scores={f"{group} {name}": each for name, each in row.scores.items()},
                seconds=row.seconds,
            )
            for group, found in sorted(self._rows.items())
            for row in found
        ]
        names = [f"{group} {name}" for group, found in self._scorers.items() for name in found]
        return EvaluationResult(name="pytest", scorers=sorted(names), rows=rows)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        is_worker = hasattr(self._config, "workerinput")
        if is_worker or not self._rows:
            return
        result = self._result()
        for mean in result.means():
            if mean.value is not None:
                interval = "" if mean.low is None else f" ({mean.low:.3f} to {mean.high:.3f})"
                self._told.append(f"{mean.scorer}: {mean.value:.3f}{interval}, {mean.cases} cases")
        output, baseline = (
            self._config.getoption(name) for name in ("--edison-output", "--edison-baseline")
        )
        if output:
            result.save(output)
        if self._config.getoption("--edison-store"):
            self._store(session)
        if baseline:
            try:
                result.assert_no_regression(EvaluationResult.load(baseline))
            except (AssertionError, ValueError, OSError) as regression:
                self._told += ["", f"Regression against {baseline}:", str(regression)]
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _store(self, session: pytest.Session) -> None:
        results = [
            EvaluationResult(name=group, scorers=self._scorers[group], rows=rows)
            for group, rows in sorted(self._rows.items())
        ]
        try:
            url = store_results(results, name="pytest")
        except (ApiError, ValueError) as refused:
            self._told.append(f"The rows could not be stored: {refused}")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        else:
            self._told.append(f"Stored in Edison: {url}")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._told:
            terminalreporter.section("edison")
            for line in self._told:
                terminalreporter.write_line(line)
