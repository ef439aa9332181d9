"""Invalid run requests: all problems are reported at once, and nothing changes."""

import json
from typing import Any

import pytest
from sqlalchemy import select

from edison.kit import ids
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import RunRequest
from edison.runs.plan.types import RunContext
from edison.runs.store.errors import RunAlreadyActive
from edison.runs.store.models import RunCase
from tests.fake_providers.scripted_server import Silence
from tests.slices.runs.conftest import Desk
from tests.support.browser import error_of, fields_of


async def test_all_problems_are_reported_at_once(desk: Desk) -> None:
    unknown = str(ids.new_id())
    response = await desk.post(
        "/runs",
        variants=[
            {"prompt_id": unknown, "model_id": str(desk.model.id)},
            desk.variant(model_id=unknown),
            desk.variant(version_id=unknown),
            desk.variant(parameters={"temperature": 9}),
        ],
        dataset_id=unknown,
        scorers=[{"kind": "nonsense"}, {"kind": "regex", "options": {}}],
    )

    assert fields_of(response) == {
        "variants.0.prompt_id",
        "variants.1.model_id",
        "variants.2.version_id",
        "variants.3.parameters.temperature",
        "dataset_id",
        "scorers.0.kind",
        "scorers.1.options.pattern",
    }
    assert (await desk.get("/runs"))["total"] == 0


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"variants": []}, {"variants"}),
        ({"repeats": 0}, {"repeats"}),
        ({"repeats": 21}, {"repeats"}),
        ({"cases": {"limit": 0}}, {"cases.limit"}),
        ({"cases": {"filter": {"tag": "none such"}}}, {"cases"}),
        ({"dataset_id": None}, {"dataset_id"}),
        ({"dataset_id": None, "inputs": [{"other": "x"}]}, {"inputs"}),
        ({"unknown": 1}, {"unknown"}),
        ({"name": "x" * 201}, {"name"}),
        ({"origin": "monitor"}, {"origin"}),
        ({"scorers": [{"kind": "exact", "weight": -1}]}, {"scorers.0.weight"}),
    ],
)
async def test_a_bad_field_is_named(desk: Desk, changes: dict[str, Any], fields: set[str]) -> None:
    response = await desk.post("/runs", **desk.body(**changes))

    assert fields_of(response) == fields
    assert (await desk.get("/runs"))["total"] == 0


async def test_cases_without_a_value_are_named(desk: Desk) -> None:
    inputs = [{"question": "Here?"}, {"other": "x"}, {}]
    response = await desk.post("/runs", **desk.body(dataset_id=None, inputs=inputs))

    [detail] = error_of(response)["details"]
    assert detail["message"] == "Cases 2, 3 have no value for question."


async def test_a_run_of_the_arena_says_so(desk: Desk) -> None:
    await desk.run(origin="arena")
    assert (await desk.get("/runs", origin="arena"))["total"] == 1
    assert (await desk.get("/runs", origin="api"))["total"] == 0


async def test_a_single_input_needs_no_dataset(desk: Desk) -> None:
    run = await desk.run(dataset_id=None, inputs=[{"question": "Here?"}])

    assert (run["state"], run["cell_count"], run["dataset_name"]) == ("completed", 1, None)
    assert run["name"] == "Reply"


async def test_a_second_active_run_with_the_same_lock_is_refused(desk: Desk) -> None:
    """Also for simultaneous starts, by a constraint of the database."""
    desk.server.script(Silence())
    context = RunContext(
        project_id=desk.dataset.project.id,
        origin="api",
        author_id=None,
        lock_name="experiment:7",
    )
    wanted = RunRequest.model_validate(desk.body())
    database = desk.app.state.database
    first = await run_plans.start_run(database, context=context, wanted=wanted, at_once=8)

    with pytest.raises(RunAlreadyActive):
        await run_plans.start_run(database, context=context, wanted=wanted, at_once=8)

    await desk.post(f"/runs/{first}/cancel")
    second = await run_plans.start_run(database, context=context, wanted=wanted, at_once=8)
    await desk.post(f"/runs/{second}/cancel")


async def test_an_estimate_counts_the_graded_assertions_of_each_case(desk: Desk) -> None:
    graded = {"type": "llm-rubric", "value": "polite"}
    options = {"assertions": json.dumps([graded]), "model_id": str(desk.model.id)}
    body = {
        "variants": [desk.variant()],
        "inputs": [{"question": "a"}, {"question": "b"}],
        "assertions": [{"assertions": [graded, graded, {"type": "is-json"}]}, None],
        "scorers": [{"kind": "graded_assertions", "options": options}],
        "repeats": 2,
    }
    response = await desk.post("/runs/estimate", **body)

    assert response.status_code == 200, response.text
    assert (response.json()["answer_calls"], response.json()["judge_calls"]) == (4, 2 * (3 + 1))


async def test_an_estimate_calls_no_model_and_lists_its_assumptions(desk: Desk) -> None:
    response = await desk.post("/runs/estimate", **desk.body(repeats=2))

    assert response.status_code == 200, response.text
    estimate = response.json()
    assert (estimate["answer_calls"], estimate["judge_calls"]) == (12, 0)
    assert 0 < float(estimate["cost"]["low_usd"]) < float(estimate["cost"]["high_usd"])
    assert estimate["assumptions"][0] == "Prompts were counted for every case."
    assert desk.server.received == []
    assert (await desk.get(f"/prompts/{desk.prompt.id}/versions"))["total"] == 0


async def test_a_run_is_compared_with_its_estimate(desk: Desk) -> None:
    run = await desk.run()

    assert run["estimate"]["answer_calls"] == 6
    assert run["compared"]["is_cost_within"] in (True, False)
    assert run["compared"]["output_tokens_ratio"] > 0


async def test_variants_that_differ_only_in_parameters_have_distinct_labels(desk: Desk) -> None:
    run = await desk.start(
        variants=[
            desk.variant(parameters={"temperature": 0.2, "max_tokens": 50}),
            desk.variant(parameters={"temperature": 1, "max_tokens": 50}),
            desk.variant(parameters={"temperature": 1, "max_tokens": 50}, label="Warm"),
        ]
    )

    labels = [variant["label"] for variant in run["variants"]]
    assert labels[0].endswith(" · temperature 0.2")
    assert labels[1].endswith(" · temperature 1.0")
    assert labels[2] == "Warm"


async def test_cases_changed_after_the_estimate_are_read_again(desk: Desk) -> None:
    database = desk.app.state.background_database
    project_id = desk.dataset.project.id
    wanted = RunRequest.model_validate(desk.body())
    context = RunContext(project_id=project_id, origin="api", author_id=None)
    async with database.read() as session:
        survey = await run_plans.read_estimate_input(
            session, project_id=project_id, wanted=wanted, author_id=None
        )
    case, *others = await desk.dataset.cases()
    inputs = {name: "Changed." for name in case["inputs"]}
    changed = await desk.dataset.editor.patch(
        f"{desk.dataset.url}/cases/{case['id']}",
        json={"version": case["version"], "inputs": inputs},
    )
    assert changed.status_code == 200, changed.text

    stored = []
    for earlier in (survey.plan, None):
        async with database.write() as session:
            run_id = await run_plans.add_run(
                session, context=context, wanted=wanted, earlier=earlier
            )
            rows = await session.execute(
                select(RunCase.case_version, RunCase.inputs)
                .where(RunCase.run_id == run_id)
                .order_by(RunCase.position)
            )
            stored.append([tuple(row) for row in rows])
    assert stored[0] == stored[1]
    assert stored[0] == [(2, inputs), *((each["version"], each["inputs"]) for each in others)]
