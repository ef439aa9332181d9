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
