"""The pytest plugin, with the workers of pytest-xdist."""

import asyncio
import os
import subprocess
import sys
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

from edison import sdk
from tests.sdk.conftest import token_of

SUITE = """
import os
import pytest
from edison import sdk

DATA = [{"id": f"case-{n}", "inputs": n, "expected": str(n)} for n in range(24)]

def answer(n):
    return str(n) if n >= int(os.environ["WRONG"]) else "no"

@pytest.mark.edison(DATA, answer, scorers=[sdk.exact])
def test_answers(edison_row):
    assert edison_row.error is None

@pytest.mark.edison([1, 2], lambda n: 1 / (n - 1))
def test_division(edison_row):
    assert edison_row.output == 1
"""


def run_suite(
    folder: Path, *flags: str, wrong: int, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Without the other plugins of this installation, which take long to load."""
    ours = entry_points(group="pytest11")["edison"].value
    given = ["-p", ours, "-p", "xdist", "-p", "no:cacheprovider", "-n", "2", "-q", *flags]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *given, "test_suite.py"],
        cwd=folder,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "WRONG": str(wrong)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_case_is_a_test_and_a_regression_fails_the_session(tmp_path: Path) -> None:
    (tmp_path / "test_suite.py").write_text(SUITE)
    ran = run_suite(tmp_path, "--edison-output=before.json", "--junitxml=out.xml", wrong=0)
    assert "25 passed, 1 error" in ran.stdout, ran.stdout + ran.stderr
    assert "The task failed: ZeroDivisionError" in ran.stdout
    assert "test_suite.py::test_answers exact: 1.000" in ran.stdout
    assert len(sdk.EvaluationResult.load(tmp_path / "before.json").rows) == 26
    cases = list(ElementTree.parse(tmp_path / "out.xml").iter("testcase"))  # noqa: S314 - ours
    assert "test_answers[case-0]" in {each.get("name") for each in cases}
    assert len([each for each in cases if each.find("properties") is not None]) == 26

    flags = ("--edison-baseline=before.json", "-k", "test_answers")
    worse = run_suite(tmp_path, *flags, wrong=12)
    assert worse.returncode == 1, worse.stdout
    assert "24 passed" in worse.stdout
    assert "exact: 1.000 → 0.500 over 24 cases" in worse.stdout


async def test_the_rows_of_all_workers_become_runs(client: sdk.Client, tmp_path: Path) -> None:
    (tmp_path / "test_suite.py").write_text(SUITE)
    environment = {
        "EDISON_URL": client.url,
        "EDISON_TOKEN": token_of(client),
        "EDISON_PROJECT": str(client.project),
    }
    ran = await asyncio.to_thread(
        partial(run_suite, tmp_path, "--edison-store", wrong=12, **environment)
    )
    assert "Stored in Edison: " in ran.stdout, ran.stdout
    listed = await asyncio.to_thread(client.get, "/runs")
    found = {each["name"]: each for each in listed["items"]}
    answers = found["test_suite.py::test_answers"]
    assert (answers["state"], answers["done_count"], answers["score"]) == ("completed", 24, 0.5)
    division = found["test_suite.py::test_division"]
    assert (division["done_count"], division["error_count"]) == (2, 1)
