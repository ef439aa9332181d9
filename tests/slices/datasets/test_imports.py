"""Imports: previewed first, then committed atomically."""

import asyncio
import csv
import io
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from edison.kit.errors import NotFound
from edison.library.datasets import imports
from edison.library.datasets.errors import ImportEnded
from edison.library.datasets.models import CaseImport, CaseImportBlock
from edison.workspace.events import service as events
from edison.workspace.projects.models import Role
from tests.conftest import TurnableClock
from tests.factories.datasets import MadeDataset, make_dataset
from tests.factories.projects import make_member
from tests.support.browser import error_of, fields_of

CSV = b"question,expected,category,level\nWho?,Ada,people,easy\nWhere?,London,places,hard\n"


async def upload(made: MadeDataset, content: bytes, **query: str) -> dict[str, Any]:
    response = await send(made, content, **query)
    assert response.status_code == 201, response.text
    read: dict[str, Any] = response.json()
    return read


async def send(made: MadeDataset, content: bytes, **query: str) -> httpx.Response:
    return await made.editor.post(f"{made.url}/imports", content=content, params=query)


async def commit(made: MadeDataset, pending: dict[str, Any], **decision: Any) -> httpx.Response:
    return await made.editor.post(f"{made.url}/imports/{pending['id']}/commit", json=decision)


async def count(app: FastAPI, table: type) -> int:
    async with app.state.database.read() as session:
        return await session.scalar(select(func.count()).select_from(table)) or 0


async def test_a_file_is_shown_before_anything_is_written(app: FastAPI) -> None:
    made = await make_dataset(app, [{"question": "who?"}])
    content = CSV + b"WHO?,,,\nToo,few\nBad,,,9\n"
    pending = await upload(made, content, filename="cases.csv")
    assert (pending["filename"], pending["state"]) == ("cases.csv", "pending")
    assert (pending["size_bytes"], pending["result"]) == (len(content), None)
    preview = pending["preview"]
    assert (preview["format"], preview["encoding"], preview["delimiter"]) == ("csv", "utf-8", ",")
    assert preview["columns"] == ["question", "expected", "category", "level"]
    targets = {each["column"]: each["variable"] or each["target"] for each in preview["mapping"]}
    assert targets == {
        "question": "question",
        "expected": "expected",
        "category": "tags",
        "level": "difficulty",
    }
    assert preview["rows"][0] == {
        "line": 2,
        "values": {"question": "Who?", "expected": "Ada", "category": "people", "level": "easy"},
    }
    assert (preview["row_count"], preview["good_rows"], preview["bad_rows"]) == (5, 3, 2)
    assert (preview["copies_in_file"], preview["copies_in_dataset"]) == (1, 2)
    assert [(each["line"], each["column"], each["code"]) for each in preview["problems"]] == [
        (5, None, "ragged_row"),
        (6, "level", "bad_value"),
    ]
    assert (await made.editor.get(f"{made.url}/imports/{pending['id']}")).json() == pending
    assert await made.count() == 1


async def test_a_committed_file_becomes_cases_in_its_order(app: FastAPI) -> None:
    made = await make_dataset(app, [{"question": "First"}])
    pending = await upload(made, CSV)
    committed = await commit(made, pending, tags=["imported"], origin="golden")
    assert committed.status_code == 200, committed.text
    assert committed.json()["state"] == "committed"
    assert committed.json()["result"] == {"added": 2, "bad_rows": 0, "copies": 0}
    first, second, third = await made.cases()
    assert first["inputs"] == {"question": "First"}
    assert (second["inputs"], second["expected"]) == ({"question": "Who?"}, "Ada")
    assert (second["tags"], second["difficulty"]) == (["people", "imported"], 1)
    assert (third["position"], third["origin"], third["version"]) == (3, "golden", 1)
    assert (await made.editor.get(made.url)).json()["case_count"] == 3
    assert await count(app, CaseImportBlock) == 0


async def test_a_file_is_committed_once(app: FastAPI) -> None:
    made = await make_dataset(app)
    pending = await upload(made, CSV)
    editors = [(await make_member(app, made.project, Role.EDITOR)).browser for _ in range(4)]
    url = f"{made.url}/imports/{pending['id']}/commit"
    responses = await asyncio.gather(*(editor.post(url, json={}) for editor in editors))
    assert sorted(response.status_code for response in responses) == [200, 409, 409, 409]
    again = await commit(made, pending)
    assert (again.status_code, error_of(again)["code"]) == (409, "IMPORT_ENDED")
    assert await made.count() == 2


async def test_a_file_that_is_gone_is_not_taken_for_an_empty_one(app: FastAPI) -> None:
    made = await make_dataset(app)
    committed = await upload(made, CSV)
    await commit(made, committed)
    abandoned = await upload(made, CSV)
    await made.editor.delete(f"{made.url}/imports/{abandoned['id']}")
    for pending, error in ((committed, ImportEnded), (abandoned, NotFound)):
        fetch = imports.fetch_inline(app.state.database, UUID(pending["id"]))
        with pytest.raises(error):
            await fetch(0)


async def test_bad_rows_stop_an_import_unless_skipped(app: FastAPI) -> None:
    made = await make_dataset(app)
    pending = await upload(made, b"q,difficulty\na,1\nb,9\nc\nd,2\n", format="csv")
    refused = await commit(made, pending)
    assert fields_of(refused) == {"file", "on_bad_rows"}
    messages = [each["message"] for each in error_of(refused)["details"]]
    assert messages == [
        "Line 3, difficulty: '9' is not a difficulty from 1 to 5.",
        "Line 4: Cells in this row: 1; in the header: 2.",
        "2 rows are invalid. Correct or skip them.",
    ]
    assert await made.count() == 0
    committed = await commit(made, pending, on_bad_rows="skip")
    assert committed.json()["result"] == {"added": 2, "bad_rows": 2, "copies": 0}
    assert [case["inputs"]["q"] for case in await made.cases()] == ["a", "d"]


async def test_copies_are_left_out_on_request(app: FastAPI) -> None:
    made = await make_dataset(app, [{"q": "known"}])
    pending = await upload(made, b"q,expected\nKNOWN,1\nnew,2\n new ,3\nother,4\n")
    committed = await commit(made, pending, skip_copies=True)
    assert committed.json()["result"] == {"added": 2, "bad_rows": 0, "copies": 2}
    assert [case["inputs"]["q"] for case in await made.cases()] == ["known", "new", "other"]


async def test_another_mapping_is_tried_and_then_used(app: FastAPI) -> None:
    made = await make_dataset(app)
    pending = await upload(made, b"a,b\nx,1\ny,2\n")
    mapping = [
        {"column": "a", "target": "expected"},
        {"column": "b", "target": "variable", "variable": "n", "is_json": True},
    ]
    url = f"{made.url}/imports/{pending['id']}"
    changed = await made.editor.patch(url, json={"mapping": mapping})
    assert changed.status_code == 200, changed.text
    assert changed.json()["preview"]["good_rows"] == 2
    await commit(made, pending)
    assert [(case["inputs"], case["expected"]) for case in await made.cases()] == [
        ({"n": 1}, "x"),
        ({"n": 2}, "y"),
    ]


async def test_another_encoding_and_delimiter_are_tried(app: FastAPI) -> None:
    made = await make_dataset(app)
    pending = await upload(made, "q;r|s\nKöln;a|b\n".encode("latin-1"), delimiter="|")
    assert pending["preview"]["columns"] == ["q;r", "s"]
    changed = await made.editor.patch(
        f"{made.url}/imports/{pending['id']}", json={"delimiter": ";", "encoding": "latin-1"}
    )
    preview = changed.json()["preview"]
    assert (preview["columns"], preview["encoding"]) == (["q", "r|s"], "latin-1")
    assert preview["rows"][0]["values"] == {"q": "Köln", "r|s": "a|b"}


@pytest.mark.parametrize(
    ("decision", "field"),
    [
        ({"mapping": [{"column": "question", "target": "expected"}]}, "mapping"),
        ({"mapping": [{"column": "nope", "target": "variable", "variable": "q"}]}, "mapping"),
        ({"required_variables": ["question", "context"]}, "mapping"),
        ({"tags": ["a|b"]}, "tags"),
        ({"on_bad_rows": "guess"}, "on_bad_rows"),
        ({"split": "test"}, "split"),
    ],
)
async def test_an_invalid_commit_names_the_field_and_adds_nothing(
    app: FastAPI, decision: dict[str, Any], field: str
) -> None:
    made = await make_dataset(app)
    pending = await upload(made, CSV)
    assert fields_of(await commit(made, pending, **decision)) == {field}
    assert await made.count() == 0
    assert (await commit(made, pending)).status_code == 200


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"", "empty_file", "empty"),
        (b"question,answer\n", "no_rows", "no rows"),
        (b"a,a\n1,2\n", "duplicate_column", "Line 1"),
        (b"PK\x03\x04" + b"\x00" * 100, "not_text", "Save the sheet as CSV"),
        (bytes(range(256)) * 4, "not_text", "not a text file"),
        (b'a,b\n1,2\n3,"4\n', "unclosed_quote", "Line 3"),
        (b"a\n" + b"x" * 2_000_000 + b"\ny\n", "row_too_long", "Line 2"),
        (b"[1, 2", "unclosed_array", "Line 1"),
        (b'[{"\\ud800": 1}]', "bad_column", "Line 1"),
    ],
)
async def test_an_invalid_file_is_refused_and_not_stored(
    app: FastAPI, content: bytes, code: str, words: str
) -> None:
    made = await make_dataset(app)
    refused = await send(made, content)
    assert fields_of(refused) == {"file"}
    (detail,) = error_of(refused)["details"]
    assert detail["code"] == code
    assert words in detail["message"]
    assert (await count(app, CaseImport), await count(app, CaseImportBlock)) == (0, 0)


async def test_rows_that_are_no_objects_are_named_one_by_one(app: FastAPI) -> None:
    made = await make_dataset(app)
    preview = (await upload(made, b'[{"q": 1},\n2,\n"x",\n{"q": "\\u0000\\ud800"}]'))["preview"]
    assert [(each["line"], each["code"]) for each in preview["problems"]] == [
        (2, "not_an_object"),
        (3, "not_an_object"),
        (4, "control_character"),
    ]
    assert preview["rows"][-1]["values"] == {"q": "\ufffd\ufffd"}


async def test_files_of_the_largest_size_pass_and_larger_ones_do_not(app: FastAPI) -> None:
    made = await make_dataset(app)
    limit = app.state.settings.import_max_bytes
    row = b"x" * 1023 + b"\n"
    file = b"q\n" + row * ((limit - 2) // 1024)
    refused = await send(made, file)
    assert (refused.status_code, error_of(refused)["details"][0]["code"]) == (400, "too_many_rows")
    refused = await send(made, file + row * 2)
    assert (refused.status_code, error_of(refused)["code"]) == (413, "PAYLOAD_TOO_LARGE")

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(12):
            yield row * 1024

    endless = await made.editor.post(f"{made.url}/imports", content=pieces())
    assert endless.status_code == 413
    assert (await count(app, CaseImport), await count(app, CaseImportBlock)) == (0, 0)


async def test_other_routes_keep_their_smaller_limit(app: FastAPI) -> None:
    made = await make_dataset(app)
    body = {"inputs": {"q": "x" * app.state.settings.max_body_bytes}}
    assert (await made.editor.post(f"{made.url}/cases", json=body)).status_code == 413


async def test_a_file_of_many_blocks_is_read_across_them(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "BLOCK_BYTES", 10)
    made = await make_dataset(app)
    pending = await upload(made, '{"q": "Ä\\nß"}\n{"q": {"größe": [1]}}\n'.encode())
    await commit(made, pending)
    assert [case["inputs"]["q"] for case in await made.cases()] == ["Ä\nß", {"größe": [1]}]


async def test_an_abandoned_file_is_gone(app: FastAPI) -> None:
    made = await make_dataset(app)
    pending = await upload(made, CSV)
    url = f"{made.url}/imports/{pending['id']}"
    assert (await made.editor.delete(url)).status_code == 204
    assert (await made.editor.get(url)).status_code == 404
    assert (await commit(made, pending)).status_code == 404
    assert await count(app, CaseImportBlock) == 0


async def test_a_new_file_replaces_the_pending_one(app: FastAPI) -> None:
    made = await make_dataset(app)
    first = await upload(made, CSV)
    second = await upload(made, CSV)
    assert (await commit(made, first)).status_code == 404
    assert (await commit(made, second)).status_code == 200


async def test_pending_imports_expire_after_a_day(
    app: FastAPI, turnable_clock: TurnableClock
) -> None:
    made = await make_dataset(app)
    await upload(made, CSV)
    for hours, left in ((23, 1), (2, 0)):
        turnable_clock.advance(hours=hours)
        async with app.state.database.write() as session:
            await imports.delete_expired(session)
        assert await count(app, CaseImportBlock) == left


async def test_an_archived_dataset_takes_no_files(app: FastAPI) -> None:
    made = await make_dataset(app)
    pending = await upload(made, CSV)
    await made.editor.patch(made.url, json={"is_archived": True})
    for response in (await send(made, CSV), await commit(made, pending)):
        assert (response.status_code, error_of(response)["code"]) == (409, "ARCHIVED")


async def test_an_import_can_be_undone_while_its_cases_are_unchanged(app: FastAPI) -> None:
    made = await make_dataset(app, [{"q": "mine"}])
    for is_changed, status in ((False, 200), (True, 409)):
        await commit(made, await upload(made, CSV))
        last = (await made.editor.get(made.url)).json()["last_change"]
        assert (last["action"], last["count"]) == ("import", 2)
        if is_changed:
            case = (await made.cases())[-1]
            await made.editor.patch(
                f"{made.url}/cases/{case['id']}", json={"version": 1, "expected": "better"}
            )
        undone = await made.editor.post(f"{made.url}/undo", json={"change_id": last["change_id"]})
        assert undone.status_code == status
        assert await made.count() == (3 if is_changed else 1)


async def test_every_problem_of_a_file_can_be_downloaded(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "BLOCK_BYTES", 100)
    made = await make_dataset(app)
    bad = b"".join(b"Who?,,hardest\n" for _ in range(150))
    content = b"question,expected,difficulty\nGood?,,1\n" + bad + b"too,few\n=1+1,a\x00b,9\n"
    pending = await upload(made, content, filename="my cases.csv")
    preview = pending["preview"]
    assert (preview["bad_rows"], preview["problem_count"]) == (152, 153)
    assert len(preview["problems"]) == 100
    response = await made.editor.get(f"{made.url}/imports/{pending['id']}/problems")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert 'filename="my-cases-problems.csv"' in response.headers["content-disposition"]
    header, *rows = csv.reader(io.StringIO(response.text, newline=""))
    assert header == ["line", "column", "problem", "code"]
    assert [int(line) for line, *_ in rows] == [*range(3, 153), 153, 154, 154]
    shown = [
        [str(each["line"]), each["column"] or "", each["message"], each["code"]]
        for each in preview["problems"]
    ]
    assert rows[:100] == shown
    assert sorted(column for _, column, *_ in rows[-2:]) == ["difficulty", "expected"]


async def test_problems_follow_the_mapping_and_end_with_the_import(app: FastAPI) -> None:
    made = await make_dataset(app)
    pending = await upload(made, b"question,level\nWho?,hardest\n")
    report = f"{made.url}/imports/{pending['id']}/problems"
    assert len((await made.editor.get(report)).text.splitlines()) == 2
    mapping = [
        {"column": "question", "target": "variable", "variable": "question"},
        {"column": "level", "target": "ignored"},
    ]
    await made.editor.patch(f"{made.url}/imports/{pending['id']}", json={"mapping": mapping})
    assert len((await made.editor.get(report)).text.splitlines()) == 1
    await commit(made, pending)
    assert (await made.editor.get(report)).status_code == 409


@pytest.mark.parametrize("is_stopped", [False, True])
async def test_import_progress_is_published_during_commit(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, is_stopped: bool
) -> None:
    monkeypatch.setattr(imports, "BLOCK_BYTES", 100)
    made = await make_dataset(app)
    rows = b"x\n" * 200 + (b"too,many\n" if is_stopped else b"x\n")
    pending = await upload(made, b"q\n" + rows)
    assert (await commit(made, pending)).status_code == (400 if is_stopped else 200)
    async with app.state.database.read() as session:
        happened = await events.read_after(session, events.project_stream(made.project.id), 0)
    told = [each.data for each in happened if each.kind == "import.progress"]
    assert {(each["entity_id"], each["row_count"]) for each in told} == {(pending["id"], 201)}
    checked = [each["rows_checked"] for each in told if each["phase"] == "checking"]
    assert checked[0] > 0
    assert checked == sorted(set(checked))
    assert (len(checked) <= 10, checked[-1] <= 201) == (True, True)
    written = [each["rows_checked"] for each in told if each["phase"] == "writing"]
    assert written == ([] if is_stopped else [201])
    assert happened[-1].kind == ("import.progress" if is_stopped else "dataset.changed")
