"""`edison models` and `edison try`, in separate processes."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.test_commands import PROGRAM, serving
from tests.support.commands import run


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    with serving(folder, "--demo", "--port", 0):
        pass
    return folder


def test_models_are_listed_with_their_prices(demo: Path) -> None:
    models = json.loads(run("--data-dir", demo, "--json", "models").stdout)["models"]
    assert [(m["display_name"], m["prices"]["output_usd_per_million"]) for m in models] == [
        ("Simulated large", "15.00"),
        ("Simulated medium", "3.20"),
        ("Simulated moving", "3.20"),
        ("Simulated small", "0.40"),
    ]
    assert all(model["is_simulated"] for model in models)
    assert [m["display_name"] for m in models if m["is_default"]] == ["Simulated medium"]
    table = subprocess.run(
        [PROGRAM, "--data-dir", demo, "models"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": "120"},
    ).stdout
    assert "Simulated medium (default)" in table
    assert "3.20" in table


def test_an_answer_arrives_with_tokens_cost_and_label(demo: Path) -> None:
    tried = run("--data-dir", demo, "try", "sim-small", "hello", "--no-cache")
    answer, figures = tried.stdout.splitlines()
    assert answer.startswith("Hello! I am a simulated model.")
    assert figures.startswith("2 + 25 tokens · $0.0000102 · ")
    assert figures.endswith("simulated")
    again = run("--data-dir", demo, "--quiet", "try", "SIMULATED SMALL", "hello")
    assert again.stdout.splitlines() == [answer]


def test_the_prompt_can_come_from_standard_input(demo: Path) -> None:
    shown = run("--data-dir", demo, "--json", "try", "sim-small", "-", stdin="hello")
    answered = json.loads(shown.stdout)
    assert (answered["event"], answered["is_simulated"]) == ("answered", True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("try", "gpt-99", "hello"), "Model 'gpt-99' not found in this project."),
        (("try", "sim-small", ""), "prompt: String should have at least 1 character"),
        (("try", "sim-small", "hello", "--temperature", "9"), "parameters.temperature: "),
        (("try", "sim-small", "hello", "--project", "moon"), "There is no project “moon”."),
        (("models", "--project", "moon"), "There is no project “moon”."),
    ],
)
def test_invalid_arguments_are_named_and_exit_with_2(
    demo: Path, arguments: tuple[str, ...], words: str
) -> None:
    refused = run("--data-dir", demo, *arguments)
    assert refused.returncode == 1
    assert words in refused.stderr
    assert "Traceback" not in refused.stderr
    assert refused.stdout == ""


def test_a_missing_project_is_reported(tmp_path: Path) -> None:
    run("--data-dir", tmp_path, "db", "upgrade")
    refused = run("--data-dir", tmp_path, "models")
    assert refused.returncode == 1
    assert "there is none yet" in refused.stderr
