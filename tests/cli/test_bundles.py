"""`edison export` and `edison import`, in separate processes."""

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import serving
from tests.support.commands import run


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    with serving(folder, "--demo", "--port", 0):
        pass
    return folder


def test_a_project_is_exported_and_read_back(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.zip"
    told = run("--data-dir", demo, "export", "project", "--output", file)
    assert told.stdout.strip() == f"Exported to {file}."
    refused = run("--data-dir", demo, "import", file)
    assert refused.returncode == 1
    assert "The project already has" in refused.stderr
    brought = run("--data-dir", demo, "--json", "import", file, "--existing", "rename")
    result = json.loads(brought.stdout)
    assert {each["kind"] for each in result["created"]} >= {"prompt", "dataset", "model"}
    unknown = run("--data-dir", demo, "export", "prompt", "Missing")
    assert unknown.returncode == 1
    assert "There is no prompt 'Missing'" in unknown.stderr
    truncated = tmp_path / "half.zip"
    truncated.write_bytes(file.read_bytes()[:500])
    broken = run("--data-dir", demo, "import", truncated)
    assert "file: This is not a complete zip file." in broken.stderr


def test_a_configuration_with_its_files_is_previewed_and_imported(
    demo: Path, tmp_path: Path
) -> None:
    config = tmp_path / "promptfooconfig.yaml"
    config.write_text(
        "description: Greetings\nprompts: [file://prompt.txt]\n"
        "providers: ['exec:cat', 'sim:sim-small']\n"
        "tests: [{vars: {name: Bob}, assert: [{type: contains, value: Bob}]}]\n"
    )
    (tmp_path / "prompt.txt").write_text("Greet {{name}}")
    seen = run("--data-dir", demo, "import", config, "--dry-run")
    assert seen.stdout.splitlines() == [
        "Would import prompt: prompt.txt: Greet {{name}}.",
        "Would import dataset: Greetings.",
        "Would import scorer: Greetings checks.",
        "Kept existing model: Simulated small.",
        "Greetings: 1 cases.",
        "Greetings checks: 1 assertions.",
        "Not imported: provider exec:cat (promptfooconfig.yaml:3:13). "
        "A server does not run code in files. The command edison eval does.",
    ]
    made = run("--data-dir", demo, "--json", "import", config)
    assert json.loads(made.stdout)["format"] == "promptfoo"
    again = run("--data-dir", demo, "import", config)
    assert "The project already has" in again.stderr


def test_other_forms_of_an_export(demo: Path, tmp_path: Path) -> None:
    config, cases = tmp_path / "edison.yaml", tmp_path / "cases.jsonl"
    run("--data-dir", demo, "export", "project", "--format", "edison", "--output", config)
    assert config.read_text().startswith("# yaml-language-server: $schema=./edison.schema.json\n")
    read = run("--data-dir", demo, "--json", "import", config, "--existing", "rename", "--dry-run")
    assert json.loads(read.stdout)["format"] == "promptfoo"
    name = run("--data-dir", demo, "export", "dataset", "Golden", "--format", "jsonl", "-o", cases)
    assert name.returncode == 0, name.stderr
    assert all("inputs" in json.loads(line) for line in cases.read_text().splitlines())
    refused = run("--data-dir", demo, "export", "project", "--format", "jsonl")
    assert "Only datasets are exported as jsonl." in refused.stderr
