"""Queue, processes and dead jobs, for project admins."""

import os
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.jobs import dead
from edison.jobs.job import Job, Priority
from edison.jobs.models import DeadJob, WorkerProcess
from edison.jobs.retry import Failure
from edison.kit import clock, ids
from edison.settings import Settings
from edison.workspace.budgets.models import EntryState, LedgerEntry
from edison.workspace.operations import service as operations
from edison.workspace.projects.models import Project, Role
from tests.factories.projects import MadeMember, make_member, make_project

FAILURE = Failure(kind="RuntimeError", trace_id="abc", is_passing=False)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Without scheduling, whose job would be in the queue from time to time."""
    return settings.model_copy(update={"scheduling": False})


@pytest.fixture
async def project(app: FastAPI) -> Project:
    return await make_project(app)


@pytest.fixture
async def admin(app: FastAPI, project: Project) -> MadeMember:
    return await make_member(app, project, Role.ADMIN)


def url(project: Project, path: str = "") -> str:
    return f"/api/v1/projects/{project.slug}/operations{path}"


async def read(admin: MadeMember, project: Project, path: str = "") -> Any:
    response = await admin.browser.get(url(project, path))
    assert response.status_code == 200, response.text
    return response.json()


async def bury(app: FastAPI, project_id: UUID | None, *, key: str = "work:1") -> DeadJob:
    job = Job(
        task="work",
        key=key,
        payload={"id": key},
        priority=Priority.INTERACTIVE,
        project_id=project_id,
    )
    assert await dead.mark_dead(app.state.database, job, failure=FAILURE, attempts=4)
    async with app.state.database.read() as session:
        return (await session.scalars(select(DeadJob).where(DeadJob.key == key))).one()


async def audited(admin: MadeMember, project: Project) -> list[dict[str, Any]]:
    found = await admin.browser.get(
        f"/api/v1/projects/{project.slug}/audit", params={"entity_type": "job", "sort": "at"}
    )
    return list(found.json()["items"])


async def test_the_server_is_among_the_processes_and_nothing_waits(
    app: FastAPI, admin: MadeMember, project: Project
) -> None:
    own_id = await app.state.batch_writer.heartbeat.wait_until_registered()
    found = await read(admin, project)
    is_embedded = app.state.database.is_sqlite
    assert found["mode"] == ("embedded" if is_embedded else "distributed")
    assert found["trouble"] is None
    assert found["dead_job_count"] == 0
    empty = {"waiting": 0, "running": 0, "oldest_waiting_seconds": None, "depths": []}
    assert found["queue"] == empty
    (process,) = found["processes"]
    assert (process["id"], process["kind"], process["pid"]) == (str(own_id), "server", os.getpid())
    assert process["does_jobs"] is is_embedded
    assert (process["chunk_count"], process["call_count"]) == (0, 0)


async def test_processes_show_their_work_and_silence(
    app: FastAPI, admin: MadeMember, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    worker = WorkerProcess(
        id=ids.new_id(),
        kind="worker",
        host="elsewhere",
        pid=7,
        version="1",
        beat=3,
        started_at=now - timedelta(hours=1),
        seen_at=now - timedelta(minutes=1),
    )

    async def count_claims(_session: AsyncSession) -> Mapping[UUID, int]:
        return {worker.id: 2}

    monkeypatch.setattr(operations.count_claims, "listeners", (count_claims, count_claims))
    async with app.state.database.write() as session:
        session.add(worker)
        session.add(a_call(project, worker.id, EntryState.RESERVED))
        session.add(a_call(project, worker.id, EntryState.SETTLED))
    first, *_ = (await read(admin, project))["processes"]
    assert (first["host"], first["is_silent"]) == ("elsewhere", True)
    assert first["seen_seconds"] >= 60
    assert (first["chunk_count"], first["call_count"]) == (4, 1)


def a_call(project: Project, process_id: UUID, state: EntryState) -> LedgerEntry:
    return LedgerEntry(
        project_id=project.id,
        purpose="try",
        process_id=process_id,
        provider="sim",
        model="sim-small",
        attempt=1,
        state=state,
        budget_ids=[],
        is_estimated=False,
        created_at=clock.now(),
    )


async def test_an_admin_sees_the_dead_jobs_of_this_project_only(
    app: FastAPI, admin: MadeMember, project: Project
) -> None:
    other = await make_project(app, name="Other")
    mine = await bury(app, project.id)
    theirs = await bury(app, other.id, key="work:2")
    nobodys = await bury(app, None, key="work:3")
    assert (await read(admin, project))["dead_job_count"] == 1
    found = await read(admin, project, "/dead-jobs")
    assert found["total"] == 1
    (row,) = found["items"]
    assert row.pop("failed_at")
    assert row == {
        "id": str(mine.id),
        "task": "work",
        "key": "work:1",
        "priority": "interactive",
        "attempts": 4,
        "reason": "RuntimeError (trace abc)",
    }
    for job in (theirs, nobodys):
        for method, path in (("POST", f"/{job.id}/retry"), ("DELETE", f"/{job.id}")):
            refused = await admin.browser.request(method, url(project, f"/dead-jobs{path}"))
            assert refused.status_code == 404


async def test_dead_jobs_can_be_searched_and_paged(
    app: FastAPI, admin: MadeMember, project: Project
) -> None:
    for number in range(3):
        await bury(app, project.id, key=f"work:{number}")
    first = await read(admin, project, "/dead-jobs?limit=2")
    rest = await read(admin, project, f"/dead-jobs?limit=2&cursor={first['next']}")
    keys = [job["key"] for job in first["items"] + rest["items"]]
    assert sorted(keys) == ["work:0", "work:1", "work:2"]
    found = await read(admin, project, "/dead-jobs?q=RK:1")
    assert [job["key"] for job in found["items"]] == ["work:1"]


async def test_a_retried_job_notifies_its_owner_and_is_queued(
    app: FastAPI, admin: MadeMember, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[str, Any]] = []

    async def on_dead(_session: AsyncSession, payload: Mapping[str, Any], reason: str) -> None:
        heard.append((reason, payload["id"]))

    async def on_retry(_session: AsyncSession, payload: Mapping[str, Any]) -> None:
        heard.append(("retried", payload["id"]))

    monkeypatch.setitem(dead.job_owners, "work", dead.JobOwner(on_dead=on_dead, on_retry=on_retry))
    queued: list[Job] = []
    monkeypatch.setattr(app.state.queue, "put", lambda jobs: _note(queued, jobs))
    job = await bury(app, project.id)
    done = await admin.browser.post(url(project, f"/dead-jobs/{job.id}/retry"))
    assert done.status_code == 204
    assert heard == [("RuntimeError (trace abc)", "work:1"), ("retried", "work:1")]
    (again,) = queued
    assert (again.task, again.key, again.payload) == ("work", "work:1", {"id": "work:1"})
    assert (again.priority, again.project_id) == (Priority.INTERACTIVE, project.id)
    assert (await admin.browser.post(url(project, f"/dead-jobs/{job.id}/retry"))).status_code == 404
    entries = await audited(admin, project)
    assert [entry["action"] for entry in entries] == ["job.died", "job.retried"]
    assert entries[0]["after"] == {
        "key": "work:1",
        "task": "work",
        "reason": "RuntimeError (trace abc)",
        "attempts": 4,
    }
    assert [entry["actor"] for entry in entries] == [None, admin.user.email]


async def _note(queued: list[Job], jobs: list[Job]) -> None:
    queued += jobs


async def test_a_discarded_job_is_gone(app: FastAPI, admin: MadeMember, project: Project) -> None:
    job = await bury(app, project.id)
    done = await admin.browser.delete(url(project, f"/dead-jobs/{job.id}"))
    assert done.status_code == 204
    assert (await read(admin, project, "/dead-jobs"))["items"] == []
    assert (await admin.browser.delete(url(project, f"/dead-jobs/{job.id}"))).status_code == 404
    actions = [entry["action"] for entry in await audited(admin, project)]
    assert actions == ["job.died", "job.discarded"]
