"""Saved scorers: validated by their plug-in, versioned, copied, archived, deleted."""

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from edison.runs.store.models import RunScorer
from edison.workspace.audit.models import AuditEntry
from tests.factories.models import make_credential, make_model
from tests.factories.runs import add_run
from tests.factories.scorers import ACCURACY, TONE
from tests.slices.scorers.conftest import Bench
from tests.support.browser import error_of, fields_of

CONTAINS = {"name": "Names the parcel", "kind": "contains", "options": {"phrases": ["parcel"]}}


async def test_a_scorer_is_saved_as_its_plug_in_reads_it(bench: Bench) -> None:
    created = await bench.make("/scorers", **CONTAINS, threshold=0.5, is_negated=True)
    assert created == await bench.get(f"/scorers/{created['id']}")
    latest = created.pop("latest")
    assert (latest["number"], latest["label"]) == (1, "v1")
    assert created.pop("author").endswith("@example.org")
    for field in ("id", "created_at", "updated_at"):
        assert created.pop(field)
    assert created == {
        "name": "Names the parcel",
        "description": None,
        "kind": "contains",
        "kind_title": "Contains",
        "cost_class": "free",
        "needs_expected": False,
        "threshold": 0.5,
        "weight": 1,
        "is_negated": True,
        "rubric": None,
        "run_count": 0,
        "archived_at": None,
        "options": {"phrases": ["parcel"], "needs": "any", "is_case_sensitive": True},
    }


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"name": " "}, {"name"}),
        ({"name": "x" * 101}, {"name"}),
        ({"name": "two\nlines"}, {"name"}),
        ({"kind": "poem"}, {"kind"}),
        ({"options": {"phrases": [""]}}, {"options.phrases.0"}),
        ({"options": {"phrase": "x", "needs": "some"}}, {"options.phrase", "options.needs"}),
        ({"options": {"phrases": ["a\u0000b"]}}, {"options"}),
        ({"kind": "custom_code", "options": {"code": "def score(:"}}, {"options.code"}),
        ({"kind": "custom_code", "options": {"code": "x = 1"}}, {"options.code"}),
        ({"threshold": 1.1}, {"threshold"}),
        ({"weight": -1}, {"weight"}),
        (
            {"rubric_version_id": "01a1dddc-16a0-7ee4-bf6e-63224ee4f564"},
            {"rubric_version_id"},
        ),
    ],
)
async def test_invalid_options_are_refused_with_their_fields(
    bench: Bench, change: dict[str, Any], fields: set[str]
) -> None:
    assert fields_of(await bench.post("/scorers", **CONTAINS | change)) == fields


async def test_a_judge_takes_its_criteria_from_a_saved_rubric(bench: Bench) -> None:
    rubric = await bench.rubric()
    body = {**bench.judge(), "rubric_version_id": rubric["latest"]["id"]}
    judge = await bench.make("/scorers", name="Judge", **body)
    assert judge["options"]["criteria"] == rubric["criteria"]
    assert judge["rubric"]["version"]["label"] == judge["rubric"]["latest"]["label"] == "v1"
    assert (await bench.get("/rubrics"))["items"][0]["scorer_count"] == 1
    refused = await bench.delete(f"/rubrics/{rubric['id']}")
    assert (refused.status_code, error_of(refused)["code"]) == (409, "IN_USE")
    assert error_of(refused)["message"] == "Scorers use this rubric: Judge."

    # The rubric has a new version; the judge keeps the old one until it is updated, too.
    newer = await bench.make(f"/rubrics/{rubric['id']}/versions", criteria=[TONE], based_on=1)
    judge = await bench.get(f"/scorers/{judge['id']}")
    assert judge["options"]["criteria"] == rubric["criteria"]
    assert (judge["rubric"]["version"]["label"], judge["rubric"]["latest"]["label"]) == ("v1", "v2")
    body["rubric_version_id"] = newer["rubric"]["latest"]["id"]
    moved = await bench.make(
        f"/scorers/{judge['id']}/versions",
        options=body["options"],
        rubric_version_id=body["rubric_version_id"],
        based_on=1,
    )
    assert [each["name"] for each in moved["options"]["criteria"]] == ["Tone"]


async def test_missing_rubrics_and_unknown_models_of_a_judge_are_reported(bench: Bench) -> None:
    absent = "01a1dddc-16a0-7ee4-bf6e-63224ee4f564"
    response = await bench.post(
        "/scorers",
        name="Judge",
        kind="judge",
        options={"model_id": absent},
        rubric_version_id=absent,
    )
    assert fields_of(response) == {"rubric_version_id"}
    strange = await bench.post(
        "/scorers", name="Judge", kind="judge", options={"model_id": absent, "criteria": [TONE]}
    )
    assert fields_of(strange) == {"options.model_id"}
    assert fields_of(await bench.post("/scorers", name="Judge", kind="judge")) == {
        "options.model_id",
        "options.criteria",
    }


async def test_models_used_by_scorers_cannot_be_deleted(bench: Bench) -> None:
    body = bench.judge(criteria=[ACCURACY])
    judge = await bench.make("/scorers", name="Judge", **body)
    refused = await bench.delete(f"/models/{bench.model.id}")
    assert error_of(refused)["message"] == "The scorer Judge asks this model."
    await bench.make(f"/scorers/{judge['id']}/archive")
    assert (await bench.delete(f"/models/{bench.model.id}")).status_code == 204


async def test_versions_are_made_by_changes_and_can_be_compared(bench: Bench) -> None:
    scorer = await bench.make("/scorers", **CONTAINS)
    url = f"/scorers/{scorer['id']}/versions"
    same = await bench.post(url, options={"phrases": ["parcel"], "needs": "any"}, based_on=1)
    assert (same.status_code, error_of(same)["code"]) == (409, "UNCHANGED")
    changed = await bench.make(
        url, options={"phrases": ["parcel", "van"], "needs": "all"}, threshold=0.8, based_on=1
    )
    assert changed["latest"]["label"] == "v2"
    stale = await bench.post(url, options={}, based_on=1)
    assert error_of(stale)["code"] == "STALE"
    assert error_of(stale)["details"]["current"]["threshold"] == 0.8
    second, first = (await bench.get(url))["items"]
    diff = await bench.get(
        f"/scorers/{scorer['id']}/diff", **{"from": first["id"], "to": second["id"]}
    )
    assert [(each["path"], each["before"], each["after"]) for each in diff["changes"]] == [
        (["phrases"], ["parcel"], ["parcel", "van"]),
        (["needs"], "any", "all"),
        (["threshold"], None, 0.8),
    ]


async def test_a_scorer_is_found_renamed_copied_and_archived(bench: Bench) -> None:
    scorer = await bench.make("/scorers", **CONTAINS)
    await bench.make("/scorers", name="Short", kind="length", options={"maximum": 100})
    await bench.make("/scorers", name="Judge", **bench.judge(criteria=[TONE]))
    names = [
        [each["name"] for each in (await bench.get("/scorers", sort="name", **query))["items"]]
        for query in ({}, {"q": "PARCEL"}, {"kind": "length"}, {"cost_class": "llm_call"})
    ]
    assert names == [
        ["Judge", "Names the parcel", "Short"],
        ["Names the parcel"],
        ["Short"],
        ["Judge"],
    ]
    url = f"/scorers/{scorer['id']}"
    copy = await bench.make(f"{url}/duplicate")
    assert (copy["name"], copy["options"]) == ("Names the parcel copy", scorer["options"])
    renamed = (await bench.patch(url, name="Parcel")).json()
    assert (renamed["name"], renamed["latest"]["label"]) == ("Parcel", "v1")
    taken = await bench.post("/scorers", **CONTAINS | {"name": "Short"})
    assert error_of(taken)["code"] == "DUPLICATE_NAME"
    await bench.make(f"{url}/archive")
    refused = await bench.post(f"{url}/versions", options={}, based_on=1)
    assert error_of(refused)["code"] == "ARCHIVED"
    assert (await bench.get("/scorers", status="archived"))["total"] == 1
    assert (await bench.delete(url)).status_code == 204
    async with bench.app.state.database.read() as session:
        actions = await session.scalars(
            select(AuditEntry.action)
            .where(AuditEntry.entity_id == scorer["id"])
            .order_by(AuditEntry.id)
        )
        assert actions.all() == [
            "scorer.created",
            "scorer.changed",
            "scorer.archived",
            "scorer.deleted",
        ]


async def test_a_run_in_progress_keeps_its_scorer(bench: Bench) -> None:
    scorer = await bench.make("/scorers", **CONTAINS)
    prompt = await bench.make("/prompts", name="Reply", text="Answer: {{question}}")
    credential = await make_credential(bench.app, bench.dataset.project.id, "sim")
    model = await make_model(bench.app, credential)
    run = await bench.make(
        "/runs",
        variants=[{"prompt_id": prompt["id"], "model_id": str(model.id)}],
        dataset_id=str(bench.dataset.id),
        scorers=[{"scorer_version_id": scorer["latest"]["id"], "weight": 3}],
    )
    frozen = run["scorers"][0]
    assert frozen.pop("id")
    assert frozen == {
        "position": 0,
        "kind": "contains",
        "label": "Names the parcel",
        "weight": 3,
        "threshold": None,
        "is_negated": False,
        "scorer_version_id": scorer["latest"]["id"],
        "options": scorer["options"],
    }
    assert (await bench.get(f"/scorers/{scorer['id']}"))["run_count"] == 1


async def test_a_scorer_of_an_unfinished_run_cannot_be_deleted(bench: Bench) -> None:
    scorer = await bench.make("/scorers", **CONTAINS)
    async with bench.app.state.database.write() as session:
        run = await add_run(session, bench.dataset.project.id, state="paused", scorer_count=1)
        session.add(
            RunScorer(
                run_id=run.id,
                position=0,
                kind="contains",
                label="Names the parcel",
                weight=1,
                options=scorer["options"],
                scorer_version_id=UUID(scorer["latest"]["id"]),
            )
        )
    refused = await bench.delete(f"/scorers/{scorer['id']}")
    assert error_of(refused)["message"] == "A run in progress uses this scorer."
    await bench.make(f"/runs/{run.id}/cancel")
    assert (await bench.delete(f"/scorers/{scorer['id']}")).status_code == 204
    (kept,) = (await bench.get(f"/runs/{run.id}"))["scorers"]
    assert (kept["scorer_version_id"], kept["options"]) == (None, scorer["options"])


@pytest.mark.parametrize(
    "scorer",
    [
        {},
        {"kind": "exact", "scorer_version_id": "01a1dddc-16a0-7ee4-bf6e-63224ee4f564"},
        {"scorer_version_id": "01a1dddc-16a0-7ee4-bf6e-63224ee4f564", "is_negated": True},
        {"scorer_version_id": "01a1dddc-16a0-7ee4-bf6e-63224ee4f564"},
    ],
)
async def test_a_run_names_a_kind_or_a_saved_version(bench: Bench, scorer: dict[str, Any]) -> None:
    prompt = await bench.make("/prompts", name="Reply", text="Answer: {{question}}")
    refused = await bench.post(
        "/runs",
        variants=[{"prompt_id": prompt["id"], "model_id": str(bench.model.id)}],
        dataset_id=str(bench.dataset.id),
        scorers=[scorer],
    )
    (field,) = fields_of(refused)
    assert field.startswith("scorers.0")
