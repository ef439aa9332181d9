"""Boards through the API."""

import csv
import io
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import update

from edison.kit import clock, ids
from edison.library.models.models import Model
from edison.runs.store.models import RunVariant
from edison.workspace.credentials.models import Credential
from tests.factories.datasets import MadeDataset, make_dataset
from tests.factories.models import make_model
from tests.factories.runs import add_run
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import Received, Reply
from tests.slices.runs.conftest import PRICES, Desk
from tests.slices.runs.judging import CRITERIA, open_bench
from tests.support.browser import fields_of

SCORERS = [{"kind": "contains", "options": {"phrases": ["on its way"]}, "threshold": 0.5}]
CASES = 24
SOME_ID = "01a1e799-e95a-7482-bcf1-74f33d59e5b6"
CASE_INPUTS = [{"question": f"Where is parcel {number}?"} for number in range(CASES)]


def reply(received: Received) -> Reply:
    model = received.body["model"]
    if model == "gpt-down":
        return openai.error(400)
    return openai.completion("It is on its way." if model == "gpt-fine" else "Sorry.")


@pytest.fixture
async def cases(desk: Desk) -> MadeDataset:
    desk.server.choose = reply
    return await make_dataset(desk.app, CASE_INPUTS, project=desk.dataset.project)


async def add_model(desk: Desk, name: str, **changes: Any) -> Model:
    async with desk.app.state.database.read() as session:
        credential = await session.get_one(Credential, desk.model.credential_id)
    return await make_model(desk.app, credential, name, prices=PRICES, **changes)


def on(desk: Desk, *models: Model) -> list[dict[str, Any]]:
    return [desk.variant(model_id=str(model.id)) for model in models]


async def board(desk: Desk, *datasets: MadeDataset, **query: Any) -> Any:
    chosen = [str(each.id) for each in datasets]
    return await desk.get("/arena/board", dataset_id=chosen, **query)


async def test_an_empty_project_has_no_boards(desk: Desk, cases: MadeDataset) -> None:
    assert await desk.get("/arena/datasets") == []
    found = await board(desk, cases)
    assert (found["runs"], found["rows"], found["scorer_sets"]) == (0, [], [])
    assert found["headline"]["decision"] == "no_runs"


async def test_runs_are_pooled_and_the_better_model_leads(desk: Desk, cases: MadeDataset) -> None:
    fine = await add_model(desk, "gpt-fine")
    down = await add_model(desk, "gpt-down")
    await desk.run(dataset_id=str(cases.id), scorers=SCORERS)
    await desk.run(dataset_id=str(cases.id), scorers=SCORERS, variants=on(desk, fine, down))

    (listed,) = await desk.get("/arena/datasets")
    assert (listed["dataset_id"], listed["runs"], listed["models"]) == (str(cases.id), 2, 3)
    assert listed["cases"] == CASES
    found = await board(desk, cases)
    assert (found["runs"], found["cases"], found["all_cases"]) == (2, CASES, CASES)
    headline = found["headline"]
    assert (headline["decision"], headline["leading_id"]) == ("separated", str(fine.id))
    assert headline["difference"] == 1 >= headline["high"] > headline["low"] > 0
    assert headline["p_value"] <= 0.05
    rows = {row["name"]: row for row in found["rows"]}
    assert [row["name"] for row in found["rows"]] == ["gpt-fine", "gpt-x", "gpt-down"]
    first, second, last = found["rows"]
    assert (first["rank_best"], first["rank_worst"], first["pass_rate"]) == (1, 1, 1.0)
    assert (second["rank_best"], second["rank_worst"], second["score"]) == (2, 2, 0.0)
    assert (last["rank_best"], last["score"], last["failures"]) == (None, None, CASES)
    assert float(rows["gpt-fine"]["answer_usd"]) > 0
    assert first["p95_seconds"] >= first["p50_seconds"] > 0
    assert first["judges"] is None
    assert found["scorer_sets"][0]["scorers"] == [
        {"kind": "contains", "label": "Contains", "weight": 1.0}
    ]


async def test_a_board_is_a_report_in_markdown_and_pdf(desk: Desk, cases: MadeDataset) -> None:
    fine = await add_model(desk, "gpt-fine")
    await desk.run(dataset_id=str(cases.id), scorers=SCORERS, variants=on(desk, desk.model, fine))

    async def report(file_format: str) -> bytes:
        query = {"dataset_id": str(cases.id), "format": file_format}
        found = await desk.dataset.editor.get(
            f"{desk.project_url}/arena/board/export", params=query
        )
        assert found.status_code == 200, found.text
        assert f".{file_format}" in found.headers["Content-Disposition"]
        return found.content

    written = (await report("md")).decode()
    assert f"gpt-fine is the best on {CASES} cases." in written
    assert "| 1 | gpt-fine | 10.0 (" in written
    assert "| 2 | gpt-x | 0.0 (" in written
    assert (await report("pdf")).startswith(b"%PDF")


async def test_scorer_sets_are_separate_boards(desk: Desk, cases: MadeDataset) -> None:
    run = await desk.run(dataset_id=str(cases.id), scorers=SCORERS)
    await desk.run(dataset_id=str(cases.id), scorers=SCORERS)
    before = await board(desk, cases)
    assert (before["runs"], len(before["scorer_sets"])) == (2, 1)

    added = [{"kind": "length", "options": {"maximum": 3}}]
    await desk.post(f"/runs/{run['id']}/rescore", scorers=added)
    await desk.finish(run["id"])
    after = await board(desk, cases)
    assert (after["runs"], len(after["scorer_sets"])) == (1, 2)
    other = next(each for each in after["scorer_sets"] if len(each["scorers"]) == 2)
    rescored = await board(desk, cases, scorer_set=other["key"])
    assert (rescored["runs"], rescored["scorer_set"]) == (1, other["key"])
    assert rescored["headline"]["decision"] == "one_model"


async def test_models_with_disjoint_cases_are_not_compared(desk: Desk, cases: MadeDataset) -> None:
    fine = await add_model(desk, "gpt-fine")
    listed = [case["id"] for case in await cases.cases()]
    await desk.run(dataset_id=str(cases.id), scorers=SCORERS, cases={"case_ids": listed[:14]})
    await desk.run(
        dataset_id=str(cases.id),
        scorers=SCORERS,
        cases={"case_ids": listed[14:]},
        variants=on(desk, fine),
    )

    found = await board(desk, cases)
    assert (found["headline"]["decision"], found["cases"], found["all_cases"]) == (
        "one_model",
        14,
        24,
    )
    left_out = next(row for row in found["rows"] if row["name"] == "gpt-fine")
    assert (left_out["is_compared"], left_out["rank_best"], left_out["cases"]) == (False, None, 10)


async def test_boards_are_filtered_and_may_hold_several_datasets(
    desk: Desk, cases: MadeDataset
) -> None:
    listed = await cases.cases()
    for case in listed[:8]:
        await cases.editor.patch(
            f"{cases.url}/cases/{case['id']}",
            json={"version": 1, "tags": ["billing"], "difficulty": 4},
        )
    more = await make_dataset(desk.app, [{"question": "And this?"}], project=desk.dataset.project)
    before = clock.now()
    for dataset in (cases, more):
        await desk.run(dataset_id=str(dataset.id), scorers=SCORERS)

    assert (await board(desk, cases, more))["cases"] == CASES + 1
    tagged = await board(desk, cases, tag="billing")
    assert (tagged["cases"], tagged["tags"], tagged["difficulties"]) == (8, ["billing"], [4])
    assert (await board(desk, cases, difficulty=4))["cases"] == 8
    assert (await board(desk, cases, tag="absent"))["headline"]["decision"] == "no_scores"
    assert (await board(desk, cases, since=before.isoformat()))["runs"] == 1
    assert (await board(desk, cases, until=before.isoformat()))["runs"] == 0


async def test_a_judge_of_the_models_family_is_marked_and_pairs_are_rated(desk: Desk) -> None:
    bench = await open_bench(desk)
    gpt = await add_model(desk, "gpt-5-mini")
    judged = {
        "kind": "judge",
        "options": {"model_id": str(bench.judge.id), "criteria": CRITERIA},
    }
    await desk.run(
        variants=bench.variants(bench.plain, bench.fancy),
        scorers=[judged],
        comparers=[bench.comparer()],
    )

    found = await board(desk, desk.dataset)
    rated = {row["name"]: row["judges"] for row in found["rows"]}
    assert rated["fancy"]["points"] > 1000 > rated["plain"]["points"]
    assert rated["fancy"]["comparisons"] == 12
    assert [row["is_own_judge"] for row in found["rows"]] == [False, False]
    judged["options"]["model_id"] = str(gpt.id)
    run = await desk.run(scorers=[judged])
    own = await board(desk, desk.dataset, since=run["created_at"])
    assert [(row["family"], row["is_own_judge"]) for row in own["rows"]] == [("gpt", True)]


async def test_unknown_datasets_and_sets_are_named(desk: Desk, cases: MadeDataset) -> None:
    url = f"{desk.project_url}/arena/board"
    editor = desk.dataset.editor
    for query, field in (
        ({}, "dataset_id"),
        ({"dataset_id": str(ids.new_id())}, "dataset_id"),
        ({"dataset_id": str(cases.id), "scorer_set": "abc"}, "scorer_set"),
        ({"dataset_id": str(cases.id), "difficulty": "9"}, "difficulty"),
        ({"dataset_id": "x"}, "dataset_id"),
    ):
        response = await editor.get(url, params=query)
        assert any(each.startswith(field) for each in fields_of(response)), response.text
    assert UUID(str(cases.id))


async def test_questions_are_asked_as_they_are_without_a_prompt(
    desk: Desk, cases: MadeDataset
) -> None:
    fine = await add_model(desk, "gpt-fine")
    asked = [
        {"question_variable": "question", "model_id": str(model.id)} for model in (desk.model, fine)
    ]
    request = {"dataset_id": str(cases.id), "scorers": SCORERS, "variants": asked}
    estimated = await desk.post("/runs/estimate", **request)
    assert estimated.json()["answer_calls"] == 2 * CASES
    run = await desk.run(**request)
    assert [each["label"] for each in run["variants"]] == ["gpt-x", "gpt-fine"]
    assert {each["prompt_id"] for each in run["variants"]} == {None}
    assert run["name"].startswith("gpt-x vs gpt-fine on ")
    assert {"role": "user", "content": "Where is parcel 0?"} in [
        message for received in desk.server.received for message in received.body["messages"]
    ]
    assert all(len(received.body["messages"]) == 1 for received in desk.server.received)

    again = await desk.post(f"/runs/{run['id']}/again")
    await desk.finish(again.json()["id"])
    found = await board(desk, cases)
    assert (found["runs"], found["cases"], found["headline"]["decision"]) == (2, CASES, "separated")
    assert found["headline"]["leading_id"] == str(fine.id)


async def test_questions_and_prompts_are_different_work(desk: Desk, cases: MadeDataset) -> None:
    fine = await add_model(desk, "gpt-fine")
    as_is = [{"question_variable": "question", "model_id": str(fine.id)}]
    await desk.run(dataset_id=str(cases.id), scorers=SCORERS)
    await desk.run(dataset_id=str(cases.id), scorers=SCORERS, variants=as_is)
    found = await board(desk, cases)
    assert found["headline"]["decision"] == "one_model"


BAD_QUESTIONS: list[tuple[dict[str, str], str]] = [
    ({}, "variants.0"),
    ({"question_variable": "question", "prompt_id": SOME_ID}, "variants.0"),
    ({"question_variable": "question", "version_id": SOME_ID}, "variants.0"),
    ({"question_variable": "two words"}, "variants.0.question_variable"),
    ({"question_variable": "}} {{x"}, "variants.0.question_variable"),
    ({"question_variable": ""}, "variants.0.question_variable"),
    ({"question_variable": "answer"}, "dataset_id"),
]


async def test_questions_that_cannot_be_asked_are_refused(desk: Desk) -> None:
    for variant, field in BAD_QUESTIONS:
        response = await desk.post(
            "/runs",
            dataset_id=str(desk.dataset.id),
            variants=[{"model_id": str(desk.model.id), **variant}],
        )
        assert response.status_code == 400, variant
        assert list(fields_of(response)) == [field], variant


async def test_a_board_is_downloaded_as_csv(desk: Desk, cases: MadeDataset) -> None:
    risky = await add_model(desk, "gpt-fine", display_name="=1+1")
    await desk.run(dataset_id=str(cases.id), scorers=SCORERS, variants=on(desk, risky, desk.model))
    response = await desk.dataset.editor.get(
        f"{desk.project_url}/arena/board/export", params={"dataset_id": str(cases.id)}
    )
    assert response.headers["content-type"].startswith("text/csv")
    assert "-arena-" in response.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [(row["model"], row["rank_best"], row["score"], row["failures"]) for row in rows] == [
        ("'=1+1", "1", "1.0", "0"),
        ("gpt-x", "2", "0.0", "0"),
    ]
    assert (rows[0]["people_rating"], rows[0]["people_votes"]) == ("", "0")


async def test_runs_of_texts_without_a_version_are_on_no_board(
    desk: Desk, cases: MadeDataset
) -> None:
    """As those of optimizations."""
    async with desk.app.state.database.write() as session:
        run = await add_run(session, cases.project.id, dataset_id=cases.id)
        values = {"model_id": desk.model.id, "version_id": None, "version_label": "candidate 1"}
        await session.execute(
            update(RunVariant).where(RunVariant.run_id == run.id).values(**values)
        )
    assert await desk.get("/arena/datasets") == []
    found = await board(desk, cases)
    assert (found["runs"], found["headline"]["decision"]) == (0, "no_runs")
