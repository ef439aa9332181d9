"""Monitors in bundles: they come back paused, with their checks if asked for."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.monitors.models import MonitorModel, MonitorScorer
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import Period, Scope
from edison.workspace.budgets.types import ScopeLimit
from tests.factories.datasets import make_dataset
from tests.factories.models import make_credential, make_model
from tests.factories.monitors import add_check, add_monitor
from tests.factories.prompts import add_prompt, add_version
from tests.factories.runs import add_output, add_run
from tests.factories.scorers import add_scorer
from tests.slices.bundles.courier import Place, compared, empty_place, place_of, unpack
from tests.slices.bundles.test_bad_bundles import changed_line, changed_yaml, packed


@dataclass(frozen=True, kw_only=True)
class Watched:
    place: Place
    monitor_id: UUID
    prompt_id: UUID


@pytest.fixture
async def watched(app: FastAPI) -> Watched:
    """A monitor with a pinned check that is done, and one that was skipped."""
    dataset = await make_dataset(app, [{"question": f"Where is {number}?"} for number in range(3)])
    project_id = dataset.project.id
    credential = await make_credential(app, project_id, "openai")
    model = await make_model(app, credential, "clever")
    async with app.state.database.write() as session:
        prompt = await add_prompt(session, project_id, text="Say {{question}}")
        await add_version(session, prompt, text="Say {{question}}")
        scorer_id = await add_scorer(session, project_id)
        monitor = await add_monitor(
            session,
            project_id,
            name="Parcels",
            state="active",
            pause_reason=None,
            next_run_at=datetime(2100, 1, 1, tzinfo=UTC),
            prompt_id=prompt.id,
            dataset_id=dataset.id,
            baselines=[{"at": "2026-01-01T00:00:00+00:00", "note": "", "author": "a@example.org"}],
            config={
                "models": [{"model_id": str(model.id), "parameters": {"temperature": 0.5}}],
                "scorers": [{"kind": "exact"}],
            },
            check_count=2,
        )
        session.add(MonitorModel(monitor_id=monitor.id, model_id=model.id))
        session.add(MonitorScorer(monitor_id=monitor.id, scorer_id=scorer_id))
        await budgets.set_scope_limit(
            session,
            project_id=project_id,
            scope=(Scope.MONITOR, monitor.id),
            limit=ScopeLimit(limit_usd=Decimal(2), period=Period.DAY),
        )
        await add_checks(session, monitor, project_id, model.id)
    place = await place_of(app, dataset.project)
    return Watched(place=place, monitor_id=monitor.id, prompt_id=prompt.id)


async def add_checks(session: AsyncSession, monitor: Any, project_id: UUID, model_id: UUID) -> None:
    run = await add_run(session, project_id, state="completed")
    await add_output(session, run)
    key = f"{model_id}:0123456789ab"
    model = {"key": key, "label": "clever", "model_id": str(model_id), "score": 0.5, "low": 0.2}
    counts = {"high": 0.8, "cases": 3, "answers": 3, "failed": 0, "p50_seconds": 1.0}
    model |= {**counts, "p95_seconds": 2.0, "answer_usd": None, "worst": []}
    measures = {"score": 0.5, "low": 0.2, "high": 0.8, "cases": 3, "models": [model]}
    done = await add_check(
        session,
        monitor,
        state="done",
        reason=None,
        verdict="good",
        score=0.5,
        run_id=run.id,
        measures={**measures, "baseline_checks": []},
        case_scores={key: {"0f#1": 0.5}},
    )
    monitor.pinned_check_id = done.id
    await add_check(
        session,
        monitor,
        number=2,
        scheduled_for=run.created_at,
    )


async def test_a_monitor_comes_back_paused_with_its_checks(app: FastAPI, watched: Watched) -> None:
    bundle = await watched.place.take("monitor", watched.monitor_id, runs=True)
    target = await empty_place(app)
    brought = await target.bring(bundle)
    assert brought.status_code == 201, brought.text
    created = {each["kind"]: each["names"] for each in brought.json()["created"]}
    assert created["monitor"] == ["Parcels"]
    assert {"model", "scorer", "prompt", "dataset"} < set(created)
    assert brought.json()["runs"] == 1
    (monitor,) = (await target.read("/monitors"))["items"]
    assert (monitor["state"], monitor["next_run_at"]) == ("paused", None)
    assert monitor["pause"]["reason"] == "restored"
    assert monitor["money"]["daily_budget_usd"] == "2.00"
    assert (monitor["models"], monitor["check_count"]) == (["clever"], 2)
    checks = (await target.read(f"/monitors/{monitor['id']}/checks"))["items"]
    assert [(each["state"], each["is_pinned"]) for each in checks] == [
        ("skipped", False),
        ("done", True),
    ]
    assert checks[1]["run_id"]
    detail = await target.read(f"/monitors/{monitor['id']}")
    key = checks[1]["measures"]["models"][0]["key"]
    assert key.startswith(detail["config"]["models"][0]["model_id"])
    (model,) = (await target.read("/models"))["items"]
    refused = await target.admin.delete(f"{target.url}/models/{model['id']}")
    assert "The monitor Parcels" in refused.json()["error"]["message"]
    again = compared(await target.take("monitor", monitor["id"], runs=True))
    assert again == compared(bundle)


async def test_a_check_in_progress_is_imported_as_cancelled(app: FastAPI, watched: Watched) -> None:
    files = unpack(await watched.place.take("monitor", watched.monitor_id, runs=True))
    changed_line("checks.jsonl", _set("state", "running"))(files)
    target = await empty_place(app)
    assert (await target.bring(packed(files))).status_code == 201
    (monitor,) = (await target.read("/monitors"))["items"]
    checks = (await target.read(f"/monitors/{monitor['id']}/checks"))["items"]
    assert [each["state"] for each in checks] == ["skipped", "cancelled"]


async def test_checks_are_exported_only_with_runs(app: FastAPI, watched: Watched) -> None:
    target = await empty_place(app)
    bundle = await watched.place.take("prompt", watched.prompt_id)
    assert not [path for path in unpack(bundle) if path.endswith("checks.jsonl")]
    assert (await target.bring(bundle)).status_code == 201
    (monitor,) = (await target.read("/monitors"))["items"]
    assert (monitor["check_count"], monitor["last_check"]) == (0, None)
    assert compared(await target.take("prompt", (monitor["prompt"]["id"]))) == compared(bundle)


async def test_a_project_has_its_monitors_and_no_addresses(app: FastAPI, watched: Watched) -> None:
    bundle = await watched.place.take("project", runs=True)
    assert b"@example" not in b"".join(unpack(bundle).values())
    target = await empty_place(app)
    assert (await target.bring(bundle)).status_code == 201
    for existing, status in (("refuse", 409), ("skip", 201), ("rename", 201)):
        assert (await target.bring(bundle, existing=existing)).status_code == status
    names = [each["name"] for each in (await target.read("/monitors"))["items"]]
    assert sorted(names) == ["Parcels", "Parcels 2"]


def _set(name: str, value: Any) -> Any:
    def change(record: Any) -> None:
        record[name] = value

    return change


WRONG = [
    changed_yaml("monitor.yaml", _set("cron", "61 * * * *")),
    changed_yaml("monitor.yaml", _set("config", {"models": []})),
    changed_yaml("monitor.yaml", _set("baselines", [{"at": "soon"}])),
    changed_yaml("monitor.yaml", _set("daily_budget_usd", "much")),
    changed_yaml("monitor.yaml", _set("daily_budget_usd", "NaN")),
    changed_yaml("monitor.yaml", _set("daily_budget_usd", "-1")),
    changed_line("checks.jsonl", _set("state", "unheard")),
    changed_line("checks.jsonl", _set("measures", {"score": "x"})),
    changed_line("checks.jsonl", _set("case_scores", {"x": 1})),
    changed_line("checks.jsonl", _set("number", "one")),
]


async def test_wrong_monitors_are_refused_by_their_part(app: FastAPI, watched: Watched) -> None:
    bundle = await watched.place.take("monitor", watched.monitor_id, runs=True)
    target = await empty_place(app)
    for change in WRONG:
        files = unpack(bundle)
        place = change(files)
        refused = await target.bring(packed(files))
        assert refused.status_code == 400, refused.text
        named = json.dumps(refused.json()["error"])
        assert place.split(":")[0] in named, (place, named)
    assert (await target.read("/monitors"))["items"] == []
