"""`edison eval`, in separate processes."""

import json
from pathlib import Path

import pytest

from tests.support.commands import Ended, run

CONFIG = """
description: greetings
prompts: ['Hello {{name}}', file://prompts.py:polite]
providers: [echo, file://shout.py, 'exec:python3 lower.py']
defaultTest:
  assert:
    - {type: python, value: file://checks.py:has_name}
tests:
  - {description: bob, vars: {name: Bob}}
  - {description: empty name, vars: {name: ''}, providers: [echo]}
"""
GRADED = """
prompts: ["a {{x}}", b]
providers: [sim:sim-small]
defaultTest: {options: {provider: sim:sim-small}}
tests:
  - vars: {x: 1}
    assert: [{type: contains, value: a}]
  - vars: {x: 2}
    assert: [{type: llm-rubric, value: polite}, {type: g-eval, value: [short, kind]}]
"""
FILES = {
    "prompts.py": "def polite(context):\n    return 'Good day, ' + context['vars']['name']\n",
    "shout.py": "def call_api(prompt, options, context):\n"
    "    assert context['vars']['name'] in prompt\n"
    "    return {'output': prompt.upper()}\n",
    "lower.py": "import sys\nprint(sys.argv[1].lower())\n",
    "checks.py": "def has_name(output, context):\n"
    "    name = context['vars']['name']\n"
    "    return bool(name) and name.lower() in output.lower()\n",
}


def write(folder: Path, config: str, **files: str) -> Path:
    (folder / "promptfooconfig.yaml").write_text(config)
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def evaluate(folder: Path, *arguments: object, **env: str) -> Ended:
    config = folder / "promptfooconfig.yaml"
    return run(
        "--data-dir", folder / "data", "eval", "-c", config, *arguments, COLUMNS="100", **env
    )


def test_code_of_the_configuration_answers_and_checks(tmp_path: Path) -> None:
    write(tmp_path, CONFIG)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    ran = evaluate(tmp_path, "-o", tmp_path / "out.json", "-o", tmp_path / "out.junit.xml")
    assert ran.returncode == 100, ran.stderr
    found = json.loads((tmp_path / "out.json").read_text())
    rows = found["results"]["results"]
    assert [(row["response"].get("output"), row["success"]) for row in rows] == [
        ("Hello Bob", True),
        ("Good day, Bob", True),
        ("HELLO BOB", True),
        ("GOOD DAY, BOB", True),
        ("hello bob", True),
        ("good day, bob", True),
        ("Hello ", False),
        ("Good day, ", False),
    ]
    assert len(found["edison"]["runs"]) == 2
    assert 'failures="2"' in (tmp_path / "out.junit.xml").read_text()
    assert "6 passed (75.0 %) · 2 failed" in ran.stdout
    assert all(len(line) <= 100 for line in ran.stdout.splitlines())


@pytest.mark.parametrize(
    ("config", "arguments", "message"),
    [
        ("prompts: [a]\nproviders: ['openai:gpt-x']\n", (), "OPENAI_API_KEY, which is not set"),
        ("prompts: [a]\nproviders: [echo]\n", ("--fail-on-error",), "No such option"),
        ("prompts: [a]\nproviders: [echo]\n", ("-v", "t.csv"), "No such option"),
        (
            "prompts: [a]\nproviders: [echo]\n",
            ("-o", "/no/such/out.json"),
            "/no/such/out.json cannot be written: there is no folder /no/such.",
        ),
        (
            "prompts: [a]\nproviders: [opnai:gpt-x]\n",
            (),
            "2:13: The provider opnai:gpt-x is not supported. Did you mean “openai”?",
        ),
        ("prompts: [a]\nproviders: [browser]\n", (), "The provider browser is not supported."),
        ("prompts: [a]\nproviders: [openai]\n", (), "openai names no model: openai:MODEL."),
        (
            "prompts: [a]\nproviders: [edison:other]\n",
            (),
            "The project has no model “other”. `edison models` lists them.",
        ),
        ("prompts: [a]\nproviders: [echo]\n", ("--project", "x"), "There is no project “x”."),
        ("prompts: [a]\nproviders: [echo]\n", ("-o", "out.exe"), "format is not known"),
        ("prompts: [a\n", (), "promptfooconfig.yaml:2:1: This is not valid YAML"),
        (
            "prompts: [a]\nproviders: [echo]\ntests: [{assert: [{type: llm-rubric, value: b}]}]\n",
            (),
            "Name one with --grader",
        ),
    ],
)
def test_an_evaluation_that_cannot_start_exits_with_1(
    tmp_path: Path, config: str, arguments: tuple[str, ...], message: str
) -> None:
    ran = evaluate(write(tmp_path, config), *arguments, OPENAI_API_KEY="")
    assert ran.returncode == 1
    assert message in " ".join(ran.stderr.split())


def test_with_json_standard_output_has_the_results_and_nothing_else(tmp_path: Path) -> None:
    config = "prompts: [a]\nproviders: [echo]\n"
    ran = evaluate(write(tmp_path, config), "--json", "-o", tmp_path / "out.json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["results"]["stats"]["successes"] == 1
    assert (tmp_path / "out.json").exists()


def test_a_file_of_variables_is_read_and_a_wrong_line_named_without_its_content(
    tmp_path: Path,
) -> None:
    write(tmp_path, "prompts: ['{{env.GREETING}}']\nproviders: [echo]\ntests: [{}]\n")
    file = tmp_path / "keys.env"
    file.write_text("# a comment\n\nexport GREETING='Good day'\n")
    found = evaluate(tmp_path, "--env-file", file, "--json")
    assert found.returncode == 0, found.stderr
    assert "Good day" in found.stdout

    file.write_text("GREETING=Hello\nsk-a-key-without-a-name\n")
    refused = evaluate(tmp_path, "--env-file", file)
    assert refused.returncode == 1
    told = "".join(refused.stderr.split("\n"))
    assert "keys.env:2: A line must be NAME=value." in told
    assert "sk-a-key" not in told


def test_a_dry_run_asks_and_stores_nothing(tmp_path: Path) -> None:
    ran = evaluate(write(tmp_path, GRADED), "--dry-run", "--json")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    estimate = found.pop("estimate")
    assert found == {
        "prompts": ["a {{x}}", "b"],
        "providers": ["sim:sim-small"],
        "tests": 2,
        "answers": 4,
        "assertions": 6,
        "warnings": [],
        "obstacle": None,
    }
    # The second test is graded by a rubric, and by two criteria with two calls each.
    assert (estimate["answer_calls"], estimate["judge_calls"]) == (4, 2 * 5)
    assert 0 < float(estimate["low_usd"]) < float(estimate["high_usd"])
    assert estimate["is_simulated"]
    assert not (tmp_path / "data").exists()


def test_a_dry_run_says_why_there_is_no_estimate(tmp_path: Path) -> None:
    config = "prompts: [a]\nproviders: ['openai:gpt-x']\n"
    ran = evaluate(write(tmp_path, config), "--dry-run", OPENAI_API_KEY="")
    assert ran.returncode == 0
    told = ran.stdout.splitlines()[1]
    assert told.startswith("No estimate: ")
    assert told.endswith(
        "openai:gpt-x needs the environment variable OPENAI_API_KEY, which is not set."
    )


def test_a_first_configuration_runs_at_once(tmp_path: Path) -> None:
    made = run("init", tmp_path)
    assert (made.returncode, made.stdout.split()[0]) == (0, "Wrote")
    config = tmp_path / "edison.yaml"
    ran = run("--data-dir", tmp_path / "data", "eval", "-c", config, "--json", COLUMNS="100")
    found = json.loads(ran.stdout)["results"]
    assert found["stats"]["errors"] == 0, ran.stderr
    assert len(found["results"]) == 12
    assert {row["provider"]["id"] for row in found["results"]} == {
        "sim:sim-small",
        "sim:sim-medium",
    }
    again = run("init", tmp_path)
    assert (again.returncode, "already exists" in again.stderr) == (1, True)
