"""Files that are no bundle, or a damaged or hostile one: each names its part, nothing changes."""

import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from edison.app.tables import metadata
from edison.loops.bundles import archive, manifest, yaml_text
from edison.loops.bundles.errors import BundleRefused
from edison.loops.bundles.yaml_text import read_yaml, write_yaml
from edison.settings import Settings
from tests.factories.datasets import make_dataset
from tests.factories.models import make_credential, make_model
from tests.factories.prompts import add_prompt, add_version
from tests.factories.runs import add_output, add_run
from tests.factories.scorers import add_rubric, add_scorer
from tests.slices.bundles.courier import Place, compared, empty_place, place_of, unpack
from tests.support.browser import error_of

Files = dict[str, bytes]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"bundle_max_bytes": 200_000})


async def full_place(app: FastAPI) -> Place:
    """A project with one of each kind and a run without a worker."""
    dataset = await make_dataset(app, [{"question": f"Where is {number}?"} for number in range(3)])
    credential = await make_credential(app, dataset.project.id, "openai")
    await make_model(app, credential, "clever")
    async with app.state.database.write() as session:
        prompt = await add_prompt(session, dataset.project.id, text="Say {{question}}")
        await add_version(session, prompt, text="Say {{question}}")
        await add_version(session, prompt, text="Tell me:\n{{question}}")
        await add_scorer(session, dataset.project.id)
        await add_rubric(session, dataset.project.id)
        run = await add_run(session, dataset.project.id, state="completed")
        await add_output(session, run)
    return await place_of(app, dataset.project)


@pytest.fixture
async def source(app: FastAPI) -> Place:
    return await full_place(app)


def packed(files: Files, *, is_signed: bool = True) -> bytes:
    """A zip of the files; `is_signed`: with a manifest that fits."""
    if is_signed:
        told = json.loads(files["manifest.json"])
        told["files"] = [
            {
                "path": path,
                "size_bytes": len(content),
                "sha256": hashlib.sha256(content).hexdigest(),
            }
            for path, content in files.items()
            if path != "manifest.json"
        ]
        files = {**files, "manifest.json": json.dumps(told).encode()}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for path, content in files.items():
            bundle.writestr(path, content)
    return target.getvalue()


async def count_rows(app: FastAPI) -> dict[str, int]:
    async with app.state.database.read() as session:
        return {
            table.name: await session.scalar(select(func.count()).select_from(table)) or 0
            for table in metadata.sorted_tables
            if table.name not in ("audit_entries", "sessions", "schedulers")
        }


async def refused(app: FastAPI, target: Place, bundle: bytes) -> tuple[str, str, str]:
    """Field, message and code; nothing was stored."""
    before = await count_rows(app)
    answer = await target.bring(bundle)
    assert answer.status_code == 400, (answer.text, bundle[:40])
    assert await count_rows(app) == before
    (detail,) = error_of(answer)["details"]
    return detail["field"], detail["message"], detail["code"]


def path_of(files: Files, ending: str) -> str:
    return next(path for path in files if path.endswith(ending))


def changed_yaml(ending: str, change: Callable[[Any], None]) -> Callable[[Files], str]:
    def edit(files: Files) -> str:
        path = path_of(files, ending)
        value = read_yaml(files[path], part=path)
        change(value)
        files[path] = write_yaml(value)
        return path

    return edit


def changed_line(ending: str, change: Callable[[Any], None]) -> Callable[[Files], str]:
    def edit(files: Files) -> str:
        path = path_of(files, ending)
        first, *rest = files[path].splitlines(keepends=True)
        value = json.loads(first)
        change(value)
        files[path] = json.dumps(value).encode() + b"\n" + b"".join(rest)
        return f"{path}:1"

    return edit


def changed_run(change: Callable[[Any], None]) -> Callable[[Files], str]:
    def edit(files: Files) -> str:
        path = path_of(files, "/run.json")
        value = json.loads(files[path])
        change(value)
        files[path] = json.dumps(value).encode()
        return path

    return edit


def replaced(ending: str, content: bytes) -> Callable[[Files], str]:
    def edit(files: Files) -> str:
        path = path_of(files, ending)
        files[path] = content
        return path

    return edit


def _without_cases(files: Files) -> str:
    path = path_of(files, "/run.json").replace("run.json", "cases.jsonl")
    files[path] = b""
    return path


# What is changed, with a manifest that fits, and the part that the error names.
WRONG_PARTS: dict[str, Callable[[Files], str]] = {
    "yaml that is none": replaced("prompt.yaml", b"a: [1"),
    "yaml that is a list": replaced("prompt.yaml", b"- a"),
    "yaml bomb": replaced("prompt.yaml", b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]"),
    "yaml tag": replaced("prompt.yaml", b"!!python/object/apply:os.system ['true']"),
    "deep yaml": replaced("prompt.yaml", b"a: " + b"[" * 500 + b"]" * 500),
    "no utf-8": replaced("prompt.yaml", b"name: \xff\xfe\xfa"),
    "no name": changed_yaml("prompt.yaml", lambda each: each.pop("name")),
    "long name": changed_yaml("prompt.yaml", lambda each: each.update(name="x" * 101)),
    "NUL in a name": changed_yaml("prompt.yaml", lambda each: each.update(name="a\0b")),
    "unknown kind of prompt": changed_yaml("prompt.yaml", lambda each: each.update(kind="poem")),
    "no draft": changed_yaml("prompt.yaml", lambda each: each.pop("draft")),
    "no id": changed_yaml("prompt.yaml", lambda each: each.update(id="1")),
    "no time": changed_yaml("prompt.yaml", lambda each: each.update(created_at="yesterday")),
    "no time zone": changed_yaml(
        "prompt.yaml", lambda each: each.update(created_at="2026-01-01T00:00:00")
    ),
    "number as text": changed_yaml("0001-v1.yaml", lambda each: each.update(text=5)),
    "text as number": changed_yaml("0001-v1.yaml", lambda each: each.update(sequence="one")),
    "huge number": changed_yaml("0001-v1.yaml", lambda each: each.update(sequence=2**40)),
    "unknown syntax": changed_yaml("0001-v1.yaml", lambda each: each.update(syntax="jinja")),
    "broken tool": changed_yaml("0001-v1.yaml", lambda each: each.update(tools=[{"x": 1}])),
    "same version twice": changed_yaml("0002-v2.yaml", lambda each: each.update(sequence=1)),
    "json lines that are none": replaced("cases.jsonl", b"{"),
    "line that is no object": replaced("cases.jsonl", b"[1]\n"),
    "case without inputs": changed_line("cases.jsonl", lambda each: each.update(inputs={})),
    "case with a bad name": changed_line(
        "cases.jsonl", lambda each: each.update(inputs={"a b": "x"})
    ),
    "case with an unknown split": changed_line(
        "cases.jsonl", lambda each: each.update(split="test")
    ),
    "difficulty out of range": changed_line("cases.jsonl", lambda each: each.update(difficulty=9)),
    "position zero": changed_line("cases.jsonl", lambda each: each.update(position=0)),
    "unknown scorer": changed_yaml("scorers.yaml", lambda each: each[0].update(kind="magic")),
    "scorer without versions": changed_yaml("scorers.yaml", lambda each: each[0].pop("versions")),
    "scorer with unknown options": changed_yaml(
        "scorers.yaml", lambda each: each[0]["versions"][0].update(options={"nonsense": 1})
    ),
    "rubric without criteria": changed_yaml(
        "rubrics.yaml", lambda each: each[0]["versions"][0].update(criteria=[])
    ),
    "unknown provider": changed_yaml("models.yaml", lambda each: each[0].update(provider="me")),
    "no credential label": changed_yaml("models.yaml", lambda each: each[0].pop("credential")),
    "odd parameters": changed_yaml(
        "models.yaml", lambda each: each[0].update(parameters={"magic": 1})
    ),
    "odd prices": changed_yaml("models.yaml", lambda each: each[0].update(prices={"input": -1})),
    "run that goes on": changed_run(lambda each: each["run"].update(state="executing")),
    "fewer cases than the run has": _without_cases,
    "run with wrong counts": changed_run(lambda each: each["run"].update(cell_count=99)),
    "run without variants": changed_run(lambda each: each.pop("variants")),
    "variants that are no list": changed_run(lambda each: each.update(variants={"a": 1})),
    "output beyond the run": changed_line(
        "outputs.jsonl", lambda each: each.update(case_position=77)
    ),
    "output of another run": changed_line(
        "outputs.jsonl", lambda each: each.update(run_id="0" * 8 + "-0000-0000-0000-" + "0" * 12)
    ),
    "unknown status of an output": changed_line(
        "outputs.jsonl", lambda each: each.update(status="great")
    ),
}


async def test_a_wrong_part_is_named(app: FastAPI, source: Place) -> None:
    bundle = unpack(await source.take("project", runs=True))
    target = await empty_place(app)
    for name, edit in WRONG_PARTS.items():
        files = dict(bundle)
        part = edit(files)
        field, message, _ = await refused(app, target, packed(files))
        assert field.split(":")[0] == part.split(":")[0], (name, field, message)
        assert message.endswith("."), (name, message)


async def test_damaged_and_hostile_zip_files(app: FastAPI, source: Place) -> None:
    bundle = await source.take("project")
    files = unpack(bundle)
    target = await empty_place(app)
    prompt = path_of(files, "prompt.yaml")

    async def code_of(content: bytes) -> tuple[str, str]:
        field, _, code = await refused(app, target, content)
        return field, code

    assert await code_of(b"") == ("file", "not_a_zip")
    assert await code_of(b"PK\x03\x04 and then nothing") == ("file", "not_a_zip")
    assert await code_of(bundle[: len(bundle) // 2]) == ("file", "not_a_zip")
    assert await code_of(bundle[:-30]) == ("file", "not_a_zip")
    assert await code_of(packed({"a.txt": b"x"}, is_signed=False)) == (
        "manifest.json",
        "missing_part",
    )
    without = {path: content for path, content in files.items() if path != prompt}
    assert await code_of(packed(without, is_signed=False)) == (prompt, "missing_part")
    more = {**files, "extra.txt": b"x"}
    assert await code_of(packed(more, is_signed=False)) == ("extra.txt", "unlisted_part")
    other = {**files, prompt: files[prompt] + b"\n"}
    assert await code_of(packed(other, is_signed=False)) == (prompt, "wrong_hash")
    for path in ("../../etc/passwd", "/etc/passwd", "a/../b", "a\\b", ".hidden/x", "a//b"):
        field, code = await code_of(packed({**files, path: b"x"}))
        assert (field, code) == (path.replace("\\", "\\\\"), "bad_path")
    assert (await code_of(_with_duplicate(files, prompt)))[1] == "duplicate"
    assert (await code_of(_flipped(bundle, prompt)))[1] in ("damaged", "wrong_hash")


def _with_duplicate(files: Files, path: str) -> bytes:
    target = io.BytesIO(packed(files))
    with zipfile.ZipFile(target, "a") as bundle, pytest.warns(UserWarning, match="Duplicate"):
        bundle.writestr(path, b"again")
    return target.getvalue()


def _flipped(bundle: bytes, path: str) -> bytes:
    """One byte of a part's compressed data changed."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as opened:
        entry = opened.getinfo(path)
    name_length, extra_length = struct.unpack_from("<HH", bundle, entry.header_offset + 26)
    at = entry.header_offset + 30 + name_length + extra_length + entry.compress_size // 2
    return bundle[:at] + bytes([bundle[at] ^ 0xFF]) + bundle[at + 1 :]


async def test_a_manifest_that_is_wrong_or_newer(app: FastAPI, source: Place) -> None:
    files = unpack(await source.take("project"))
    target = await empty_place(app)
    told = json.loads(files["manifest.json"])
    expected = {
        "newer_format": {"version": manifest.VERSION + 1},
        "wrong_format": {"format": "another"},
        "bad_manifest": {"kind": "poem"},
    }
    for code, change in expected.items():
        wrong = {**files, "manifest.json": json.dumps(told | change).encode()}
        found = await refused(app, target, packed(wrong, is_signed=False))
        assert (found[0], found[2]) == ("manifest.json", code)
    newer = {**files, "manifest.json": json.dumps(told | {"version": 9}).encode()}
    _, message, _ = await refused(app, target, packed(newer, is_signed=False))
    assert message == (
        "The bundle has format version 9; this Edison reads up to 1. Update Edison first."
    )


async def test_bombs_are_refused_before_they_are_unpacked(
    app: FastAPI, source: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = unpack(await source.take("project"))
    target = await empty_place(app)
    monkeypatch.setattr(archive, "MOST_UNPACKED_BYTES", 2_000_000)
    bomb = packed({**files, "zeros.txt": b"0" * 3_000_000})
    assert len(bomb) < 100_000
    assert (await refused(app, target, bomb))[2] == "too_large"
    monkeypatch.setattr(archive, "MOST_FILES", 5)
    assert (await refused(app, target, packed(files)))[2] == "too_many"
    too_large = await target.bring(b"0" * 300_000)
    assert too_large.status_code == 413


def test_yaml_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_text, "MOST_NODES", 100)
    monkeypatch.setattr(yaml_text, "LARGEST_YAML", 10_000)
    codes = {
        b"[" + b"1," * 200 + b"]": "too_large",
        b"a" * 20_000: "too_large",
        b"a: &x 1\nb: *x": "alias",
        b"when: 2026-01-01": "bad_part",
        b"1: one": "bad_key",
        b"a: !!binary aGk=": "tag",
    }
    for content, code in codes.items():
        with pytest.raises(BundleRefused) as found:
            read_yaml(content, part="x.yaml")
        assert (found.value.problems[0].field, found.value.problems[0].code) == ("x.yaml", code)


async def test_taken_names_are_refused_skipped_or_renamed(app: FastAPI, source: Place) -> None:
    bundle = await source.take("project", runs=True)
    before = await count_rows(app)
    answer = await source.bring(bundle)
    assert answer.status_code == 409
    error = error_of(answer)
    assert (error["code"], error["path"]) == ("NAMES_TAKEN", "existing")
    assert len(error["details"]["names"]) == 5, error
    assert await count_rows(app) == before
    skipped = (await source.bring(bundle, existing="skip")).json()
    assert {each["kind"] for each in skipped["skipped"]} == {
        "model",
        "rubric",
        "scorer",
        "prompt",
        "dataset",
    }
    assert (skipped["created"], skipped["runs"]) == ([], 1)
    renamed = (await source.bring(bundle, existing="rename")).json()
    names = {each["kind"]: each["names"] for each in renamed["created"]}
    assert names["model"] == ["clever 2"]
    assert renamed["needs_credential"] == []
    found = await source.read("/prompts")
    assert len(found["items"]) == 2


async def test_nothing_secret_leaves(app: FastAPI, source: Place) -> None:
    files = unpack(await source.take("project", runs=True))
    whole = b"\n".join(files.values())
    for word in (b"sealed", b"last_four", b"secret", b"@example", b"password"):
        assert word not in whole, word


async def test_a_project_comes_back(app: FastAPI, source: Place) -> None:
    bundle = await source.take("project", runs=True)
    target = await empty_place(app)
    brought = (await target.bring(bundle)).json()
    assert brought["needs_credential"] == ["clever"]
    (credential,) = (await target.read("/credentials"))["items"]
    assert credential["failure"] == "needs_credential"
    assert compared(await target.take("project", runs=True)) == compared(bundle)
