"""Failed generations: every failure ends them, and they can be resumed."""

import asyncio
import re
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from edison.jobs import dead, distributed, embedded
from edison.jobs.models import DeadJob
from edison.library.generation.draft_store import DraftStore
from edison.library.models.models import Model
from edison.workspace.audit.models import AuditEntry
from edison.workspace.projects.models import ProjectSettings
from tests.factories.budgets import exhaust_budget
from tests.factories.generations import make_generation
from tests.fake_providers import openai
from tests.slices.generation.conftest import Desk, batch
from tests.support.browser import error_of

BAD_KEY = openai.error(401, code="invalid_api_key")


async def resume(desk: Desk, generation_id: object) -> Any:
    return await desk.dataset.editor.post(f"{desk.url}/{generation_id}/resume")


def asked_batches(desk: Desk) -> list[str]:
    said = [str(call.body["messages"]) for call in desk.server.received]
    return [re.findall(r"Batch: (\d+)", text)[0] for text in said]


async def make_failed(desk: Desk, **values: Any) -> str:
    """Can be resumed, unless the values say otherwise."""
    values = {
        "state": "failed",
        "failure": "invalid_key",
        "note": "The key was refused.",
        "model_id": desk.model.id,
        **values,
    }
    generation, _ = await make_generation(desk.dataset.app, desk.dataset.id, drafts=0, **values)
    return str(generation.id)


async def test_a_resumed_generation_requests_only_missing_cases(desk: Desk) -> None:
    desk.server.script(batch(0), BAD_KEY)
    failed = await desk.generate(count=30)
    assert (failed["state"], failed["draft_count"]) == ("failed", 10)
    assert failed["is_resumable"]
    desk.server.received.clear()
    desk.server.script(batch(1), batch(2))
    resumed = (await resume(desk, failed["id"])).json()
    assert (resumed["state"], resumed["failure"], resumed["note"]) == ("queued", None, None)
    assert (resumed["ended_at"], resumed["is_resumable"]) == (None, False)
    ended = await desk.finish(failed["id"])
    assert (ended["state"], ended["draft_count"], ended["note"]) == ("done", 30, None)
    assert ended["started_at"] == failed["started_at"]
    assert ended["ended_at"] > failed["ended_at"]
    assert len(asked_batches(desk)) == len(set(asked_batches(desk))) == 2


async def test_resuming_is_audited(app: FastAPI, desk: Desk) -> None:
    desk.server.script(batch(0))
    generation_id = await make_failed(desk)
    assert (await resume(desk, generation_id)).status_code == 200
    async with app.state.database.read() as session:
        entry = await session.scalar(
            select(AuditEntry).where(AuditEntry.action == "generation.resumed")
        )
    assert (entry.entity_id, entry.before["failure"]) == (generation_id, "invalid_key")
    await desk.finish(generation_id)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"state": "done", "failure": None}, "Only a generation that has failed"),
        ({"state": "cancelled", "failure": None}, "Only a generation that has failed"),
        ({"failure": "malformed_response"}, "answers could not be read"),
        ({"model_id": None}, "removed from the project"),
    ],
)
async def test_generations_that_are_not_resumable_are_refused(
    desk: Desk, values: dict[str, Any], reason: str
) -> None:
    generation_id = await make_failed(desk, **values)
    before = await desk.get(generation_id)
    assert not before["is_resumable"]
    refused = await resume(desk, generation_id)
    assert refused.status_code == 409
    assert reason in error_of(refused)["message"]
    assert await desk.get(generation_id) == before


async def switch_model_off(app: FastAPI, desk: Desk) -> None:
    async with app.state.database.write() as session:
        await session.execute(
            update(Model).where(Model.id == desk.model.id).values(is_enabled=False)
        )


async def forbid_generation(app: FastAPI, desk: Desk) -> None:
    async with app.state.database.write() as session:
        settings = await session.get_one(ProjectSettings, desk.dataset.project.id)
        settings.allow_synthetic_datasets = False


async def archive_dataset(app: FastAPI, desk: Desk) -> None:
    await desk.dataset.editor.patch(desk.dataset.url, json={"is_archived": True})


async def use_up_budget(app: FastAPI, desk: Desk) -> None:
    await exhaust_budget(app, desk.dataset.project.id)


@pytest.mark.parametrize(
    ("obstacle", "status"),
    [
        (switch_model_off, 409),
        (forbid_generation, 409),
        (archive_dataset, 409),
        (use_up_budget, 402),
    ],
)
async def test_generations_that_could_not_start_cannot_be_resumed(
    app: FastAPI, desk: Desk, obstacle: Any, status: int
) -> None:
    generation_id = await make_failed(desk)
    await obstacle(app, desk)
    assert (await resume(desk, generation_id)).status_code == status
    assert (await desk.get(generation_id))["state"] == "failed"
    assert desk.server.received == []


async def test_of_two_concurrent_resumes_one_succeeds(desk: Desk) -> None:
    desk.server.script(batch(0))
    generation_id = await make_failed(desk)
    answers = await asyncio.gather(*(resume(desk, generation_id) for _ in range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert (await desk.finish(generation_id))["state"] == "done"


async def break_down(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A generation whose job raises, without pauses, until the queue gives up."""
    attempts = 0

    async def raise_always(*_: object) -> None:
        nonlocal attempts
        attempts += 1
        raise RuntimeError("a bug")

    for queue in (embedded, distributed):
        monkeypatch.setattr(queue, "delay_before", lambda attempt: timedelta())
    with monkeypatch.context() as broken:
        broken.setattr(DraftStore, "open", raise_always)
        failed = await desk.generate(count=10)
    assert attempts == 4
    return failed


async def test_a_generation_whose_job_dies_fails_and_can_be_resumed(
    app: FastAPI, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = await break_down(desk, monkeypatch)
    assert (failed["state"], failed["failure"]) == ("failed", "internal")
    assert "RuntimeError (trace " in failed["note"]
    assert "a bug" not in failed["note"]
    assert failed["is_resumable"]
    desk.server.script(batch(0))
    assert (await resume(desk, failed["id"])).status_code == 200
    ended = await desk.finish(failed["id"])
    assert (ended["state"], ended["draft_count"]) == ("done", 10)
    async with app.state.database.read() as session:
        assert (await session.scalars(select(DeadJob))).all() == []


async def test_a_dead_job_that_is_retried_reopens_its_generation(
    app: FastAPI, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = await break_down(desk, monkeypatch)
    desk.server.script(batch(0))
    async with app.state.database.write() as session:
        (job,) = (await session.scalars(select(DeadJob))).all()
        assert job.project_id == desk.dataset.project.id
        assert await dead.retry(session, job)
    ended = await desk.finish(failed["id"])
    assert (ended["state"], ended["draft_count"]) == ("done", 10)
