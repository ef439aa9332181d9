"""Starting playground runs: the resulting runs, and all problems."""

from typing import Any

from edison.kit import ids
from edison.workspace.projects.models import Role
from tests.factories.budgets import exhaust_budget
from tests.factories.projects import make_member
from tests.factories.prompts import make_prompt, make_version
from tests.fake_providers.scripted_server import Silence
from tests.slices.playground.conftest import ANSWER, Playground
from tests.support.browser import error_of


def problems_of(details: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(each["field"], each["code"]) for each in details}


async def test_columns_become_variants_and_the_grader_the_first_scorer(
    playground: Playground,
) -> None:
    desk = playground.desk
    model_id = str(desk.model.id)
    version = await make_version(desk.app, desk.prompt, text="Say hello to {{question}}.")
    wanted = playground.graded(
        columns=[
            {"model_id": model_id, "parameters": {"temperature": 0.5}, "label": "Mild"},
            {"model_id": model_id, "version_id": str(version.id)},
        ],
        cases={"limit": 2},
        scorers=[{"kind": "contains", "options": {"phrases": ["way"]}, "weight": 3}],
    )
    started = (await playground.post("/runs", wanted)).json()
    run = await desk.finish(started["id"])

    assert (run["state"], run["origin"], run["cell_count"]) == ("completed", "playground", 4)
    assert [each["label"] for each in run["variants"]] == ["Mild", "Reply v1 · gpt-x"]
    assert run["variants"][0]["parameters"]["temperature"] == 0.5
    scorers = [(each["kind"], each["label"], each["weight"]) for each in run["scorers"]]
    assert scorers == [("grader_prompt", "Strict", 1.0), ("contains", "Contains", 3.0)]
    cells = await desk.cells(run["id"])
    assert [[score["value"] for score in cell["scores"]] for cell in cells] == [[0.5, 1.0]] * 4
    listed = await desk.get("/runs", origin="playground", author_id=run["author"]["id"])
    assert [each["id"] for each in listed["items"]] == [run["id"]]
    assert (await desk.get("/runs", author_id=str(ids.new_id())))["total"] == 0


async def test_a_version_is_made_only_if_the_text_changed_and_a_new_name_begins_at_one(
    playground: Playground,
) -> None:
    desk = playground.desk
    path = f"{desk.project_url}/prompts/{desk.prompt.id}"

    async def run_label() -> str:
        run = await playground.run(cases={"limit": 1})
        return str(run["variants"][0]["version_label"])

    assert [await run_label(), await run_label()] == ["v1", "v1"]
    changed = {"text": "Answer briefly and kindly: {{question}}", "version": 1}
    assert (await desk.dataset.editor.put(f"{path}/draft", json=changed)).status_code == 200
    assert await run_label() == "v2"
    await desk.dataset.editor.patch(path, json={"name": "Brief reply"})
    assert await run_label() == "v1"


async def test_manual_inputs_need_no_dataset_and_no_variables_need_no_inputs(
    playground: Playground,
) -> None:
    single = await playground.run(dataset_id=None, inputs={"question": "Where is it?"})
    assert (single["cell_count"], single["dataset_id"]) == (1, None)

    desk = playground.desk
    exact = {"kind": "exact", "options": {}}
    right = {"dataset_id": None, "inputs": {"question": "Where is it?"}, "expected": ANSWER}
    scored = await playground.run(**right, scorers=[exact])
    (row,) = await desk.rows(scored["id"])
    assert (row["expected"], row["cells"][0]["grade"]["value"]) == (ANSWER, 1.0)
    refused = await playground.post("/runs", playground.body(expected=ANSWER))
    assert refused.status_code == 400
    plain = await make_prompt(
        desk.app, desk.dataset.project.id, text="Tell me a long joke, please."
    )
    alone = await playground.run(prompt_id=str(plain.id), dataset_id=None)
    assert alone["cell_count"] == 1
    over_cases = await playground.run(prompt_id=str(plain.id))
    assert over_cases["cell_count"] == 6


async def test_all_problems_are_reported_under_the_field_names_of_the_page(
    playground: Playground,
) -> None:
    desk, unknown = playground.desk, str(ids.new_id())
    two = await make_prompt(
        desk.app, desk.dataset.project.id, text="Compare {{left}} with {{right}} in detail."
    )
    grader = await make_prompt(
        desk.app,
        desk.dataset.project.id,
        kind="grader",
        text="Grade this by {{standard}}: {{output}} against {{expected}}",
    )
    wanted = playground.body(
        prompt_id=str(two.id),
        columns=[
            {"model_id": unknown},
            {"model_id": str(desk.model.id), "version_id": unknown},
            {"model_id": str(desk.model.id), "parameters": {"temperature": 9}},
            {"model_id": str(desk.model.id)},
        ],
        grader_prompt_id=str(grader.id),
        scorers=[{"kind": "regex", "options": {}}, {"kind": "nonsense"}],
    )
    expected = {
        ("columns.0.model_id", "unknown_model"),
        ("columns.1.version_id", "unknown_version"),
        ("columns.2.parameters.temperature", "out_of_range"),
        ("dataset_id", "variable_missing"),
        ("grader_prompt_id", "variable_missing"),
        ("grader_model_id", "model_missing"),
        ("scorers.0.options.pattern", "missing"),
        ("scorers.1.kind", "unknown_scorer"),
    }

    told = error_of(await playground.post("/runs", wanted))
    assert told["code"] == "VALIDATION_ERROR"
    assert problems_of(told["details"]) == expected
    messages = {each["message"] for each in told["details"] if each["field"] == "dataset_id"}
    assert messages == {
        f"Cases 1, 2, 3, 4, 5 and 1 others have no value for {name}." for name in ("left", "right")
    }
    checked = (await playground.post("/check", wanted)).json()
    assert problems_of(checked["problems"]) == expected
    assert (checked["estimate"], checked["running_id"]) == (None, None)
    assert (await desk.get("/runs"))["total"] == 0
    assert (await desk.get(f"/prompts/{two.id}/versions"))["total"] == 0


async def test_archived_empty_or_disabled_objects_are_named(playground: Playground) -> None:
    desk = playground.desk
    editor, url = desk.dataset.editor, desk.project_url
    empty = (await editor.post(f"{url}/datasets", json={"name": "Empty"})).json()
    await editor.post(f"{url}/prompts/{desk.prompt.id}/archive")
    await editor.patch(f"{url}/models/{desk.model.id}", json={"is_enabled": False})

    told = error_of(await playground.post("/runs", playground.graded(dataset_id=empty["id"])))

    assert problems_of(told["details"]) == {
        ("prompt_id", "prompt_archived"),
        ("columns.0.model_id", "model_disabled"),
        ("grader_model_id", "model_disabled"),
        ("dataset_id", "dataset_empty"),
    }
    missing = error_of(await playground.post("/runs", playground.graded(dataset_id=None)))
    assert ("prompt_id", "prompt_archived") in problems_of(missing["details"])


async def test_a_person_has_one_run_at_a_time_independent_of_others(
    playground: Playground,
) -> None:
    desk = playground.desk
    desk.server.choose = lambda received: Silence()
    first = await playground.start(cases={"limit": 1})

    refused = await playground.post("/runs", playground.body())
    assert refused.status_code == 409
    assert error_of(refused)["details"] == {"run_id": first["id"]}
    checked = (await playground.post("/check", playground.body())).json()
    assert (checked["problems"], checked["running_id"]) == ([], first["id"])
    assert checked["estimate"]["answer_calls"] == 6

    other = await make_member(desk.app, desk.dataset.project, Role.EDITOR)
    theirs = await other.browser.post(f"{desk.project_url}/playground/runs", json=playground.body())
    assert theirs.status_code == 201
    again = await other.browser.post(f"{desk.url}/{first['id']}/again", json={})
    assert error_of(again)["details"] == {"run_id": theirs.json()["id"]}
    for run_id in (first["id"], theirs.json()["id"]):
        await desk.post(f"/runs/{run_id}/cancel")
    mine = await desk.post(f"/runs/{first['id']}/again")
    assert mine.status_code == 201
    await desk.post(f"/runs/{mine.json()['id']}/cancel")


async def test_nothing_starts_on_an_exhausted_budget(playground: Playground) -> None:
    desk = playground.desk
    await exhaust_budget(desk.app, desk.dataset.project.id)
    response = await playground.post("/runs", playground.graded())
    assert response.status_code == 402
    assert response.json()["error"]["code"] == "BUDGET_EXCEEDED"
    assert (await desk.get("/runs"))["total"] == 0
