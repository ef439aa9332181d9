"""The typed client: what type checkers say about it, and its calls to the real application."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from edison import sdk
from edison.sdk.api import Edison
from scripts.write_sdk_client import render

ROOT = Path(__file__).parents[2]
EXAMPLE = re.search(r"```python\n(from edison import sdk\nfrom edison.sdk.api.+?)```",
                    (ROOT / "docs" / "sdk.md").read_text(), re.DOTALL)  # fmt: skip
# Only the modules with types for this program are read: the others would take a minute.
MYPY = """
[mypy]
strict = True
[mypy-edison.*]
follow_imports = skip
[mypy-edison.sdk,edison.sdk.api,edison.sdk.client,edison.sdk.connection]
follow_imports = normal
"""
WRONG = """
from edison.sdk import connect

edison = connect()
edison.datasets.create({"nam": "Questions"})
edison.runs.list(state="finished")
edison.runs.get(7)
for run in edison.runs.list():
    run["cost"]
edison.prompts.list().items
"""


def example() -> str:
    assert EXAMPLE is not None
    return EXAMPLE[1]


def test_mypy_accepts_the_example_and_refuses_wrong_fields(tmp_path: Path) -> None:
    (tmp_path / "mypy.ini").write_text(MYPY)
    (tmp_path / "right.py").write_text(example())
    (tmp_path / "wrong.py").write_text(WRONG.strip())
    options = ("--config-file", "mypy.ini", "--cache-dir", ROOT / ".mypy_cache" / "sdk")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "right.py", "wrong.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.findall(r"^(\S+): error: .*\[(.+)\]$", checked.stdout, re.MULTILINE)
    assert found == [
        ("wrong.py:4", "typeddict-item"),
        ("wrong.py:4", "typeddict-unknown-key"),
        ("wrong.py:5", "arg-type"),
        ("wrong.py:6", "arg-type"),
        ("wrong.py:8", "typeddict-item"),
        ("wrong.py:9", "attr-defined"),
    ], checked.stdout + checked.stderr


async def test_the_example_runs(
    client: sdk.Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("edison.sdk.client._default", client)
    names: dict[str, Any] = {}
    await asyncio.to_thread(exec, example(), names)
    first, refused = capsys.readouterr().out.splitlines()
    assert first == "{'question': 'Where is my parcel?'} In Bonn."
    assert refused == "409 DUPLICATE_NAME None"
    assert b"Where is my parcel?" in names["content"]
    left = await asyncio.to_thread(lambda: list(names["edison"].datasets.list()))
    assert [each["name"] for each in left] == ["Golden"]


async def test_pages_uploads_and_other_projects(client: sdk.Client) -> None:
    def use() -> tuple[list[str], str, str]:
        edison = Edison(client)
        made = [edison.datasets.create({"name": name})["id"] for name in ("a", "b", "c")]
        names = [each["name"] for each in edison.datasets.list(page_size=2, sort="name")]
        uploaded = edison.datasets.upload_import(
            made[0], b"question,expected\nWhy?,Because.\n", filename="cases.csv"
        )
        other = edison.projects.create({"name": "Other"})
        return names, uploaded["filename"], edison.in_project(other["slug"]).projects.read()["name"]

    assert await asyncio.to_thread(use) == (["a", "b", "c", "Golden"], "cases.csv", "Other")


def test_keywords_and_names_that_are_taken_keep_their_name() -> None:
    def operation(name: str) -> dict[str, Any]:
        answers = {"200": {"content": {"application/json": {"schema": {"type": "integer"}}}}}
        return {"operationId": name, "tags": ["models"], "responses": answers}

    listed = {"/api/v1/a": {"get": operation("import_models")}}
    listed["/api/v1/b"] = {"get": operation("list_models"), "post": operation("list_model")}
    module = render({"paths": listed, "components": {"schemas": {"Of": {"properties": {
        "from": {"type": "string"}, "each-one": {"type": "array", "items": {}}
    }, "required": ["from"]}}}})  # fmt: skip
    assert re.findall(r"def (\w+)\(self\) -> int", module) == [
        "import_models",
        "list",
        "list_model",
    ]
    assert (
        'Of = TypedDict("Of", {"from": "str", "each-one": "NotRequired[builtins.list[Any]]"})'
        in module
    )
