"""Datasets as files: export and import without loss."""

import csv
import io
import json
import re
from typing import Any

import pytest
from fastapi import FastAPI

from edison.workspace.projects.models import Role
from tests.factories.datasets import MadeDataset, make_dataset
from tests.factories.projects import make_member
from tests.slices.datasets.test_imports import commit, upload

CASES: list[dict[str, Any]] = [
    {
        "inputs": {"question": "=SUM(A1)", "expected": "a variable", "n": 1},
        "expected": "+1",
        "tags": ["a", "b c"],
        "difficulty": 3,
        "split": "holdout",
        "origin": "adversarial",
        "notes": "-\r\n\"quoted\", 'it's'",
    },
    {"inputs": {"question": "'@x", "expected": "", "n": [None, {"k": 1.5}]}, "expected": ""},
    {"inputs": {"question": "Größe\t中文 🙂\n", "expected": " x "}, "split": "train"},
]
KEPT = ("inputs", "expected", "tags", "difficulty", "split", "origin", "notes")


async def filled(app: FastAPI) -> MadeDataset:
    made = await make_dataset(app)
    for case in CASES:
        response = await made.editor.post(f"{made.url}/cases", json=case)
        assert response.status_code == 201, response.text
    return made


@pytest.mark.parametrize("file_format", ["csv", "jsonl"])
async def test_an_exported_dataset_can_be_imported_without_loss(
    app: FastAPI, file_format: str
) -> None:
    made = await filled(app)
    exported = await made.editor.get(f"{made.url}/export", params={"format": file_format})
    assert exported.status_code == 200
    other = await make_dataset(app)
    pending = await upload(other, exported.content, filename=f"cases.{file_format}")
    assert (await commit(other, pending)).json()["result"]["added"] == 3
    assert await contents(other) == await contents(made)


async def contents(made: MadeDataset) -> list[dict[str, Any]]:
    return [{name: case[name] for name in KEPT} for case in await made.cases()]


async def test_no_cell_of_a_csv_file_is_a_formula(app: FastAPI) -> None:
    made = await filled(app)
    text = (await made.editor.get(f"{made.url}/export")).text
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0][:3] == ["question", "inputs.expected", "n:json"]
    assert [row[0] for row in rows[1:]] == ["'=SUM(A1)", "''@x", "Größe\t中文 🙂\n"]
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)


async def test_a_line_of_json_holds_a_whole_case(app: FastAPI) -> None:
    made = await filled(app)
    response = await made.editor.get(f"{made.url}/export", params={"format": "jsonl"})
    first = json.loads(response.text.splitlines()[0])
    assert first == CASES[0]


async def test_a_viewer_may_export_and_it_is_written_down(app: FastAPI) -> None:
    made = await filled(app)
    viewer = await make_member(app, made.project, Role.VIEWER)
    assert (await viewer.browser.get(f"{made.url}/export")).status_code == 200
    owner = await make_member(app, made.project, Role.OWNER)
    log = await owner.browser.get(f"/api/v1/projects/{made.project.slug}/audit")
    latest = log.json()["items"][0]
    assert (latest["action"], latest["actor"]) == ("dataset.exported", viewer.user.email)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Edge cases", r"Edge-cases-\d{4}-\d\d-\d\d\.csv"),
        ('../../etc/"passwd"; x=y', r"etc-passwd-x-y-\d{4}-\d\d-\d\d\.csv"),
        ("中文", r"\d{4}-\d\d-\d\d\.csv"),
    ],
)
async def test_the_file_has_a_safe_name(app: FastAPI, name: str, plain: str) -> None:
    made = await make_dataset(app)
    await made.editor.patch(made.url, json={"name": name})
    header = (await made.editor.get(f"{made.url}/export")).headers["content-disposition"]
    found = re.fullmatch(r"attachment; filename=\"([^\"]*)\"; filename\*=UTF-8''(\S+)", header)
    assert found is not None
    assert re.fullmatch(plain, found[1])
    assert not re.search(r"[/\\\"]|%2F|%5C", found[2])


async def test_an_empty_dataset_is_a_file_without_rows(app: FastAPI) -> None:
    made = await make_dataset(app)
    text = (await made.editor.get(f"{made.url}/export")).text
    assert text == "expected,tags,difficulty,split,origin,notes\r\n"
    jsonl = await made.editor.get(f"{made.url}/export", params={"format": "jsonl"})
    assert jsonl.text == ""
