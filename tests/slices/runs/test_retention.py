"""Old runs are archived, and later deleted, once an admin has confirmed it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from fastapi import FastAPI
from sqlalchemy import select

from edison.kit import clock, ids
from edison.runs.retention import service
from edison.runs.retention.types import OldRun, sort_old_runs
from edison.runs.store.models import Run
from edison.workspace.audit.models import AuditEntry
from edison.workspace.budgets import service as budgets
from edison.workspace.budgets.models import EntryState, LedgerEntry
from edison.workspace.projects.models import Role
from tests.factories.projects import make_member
from tests.fake_providers import openai
from tests.slices.runs.conftest import Desk
from tests.support.browser import Browser, error_of


def old(days: int, *, archived: int | None = None, is_kept: bool = False) -> OldRun:
    now = clock.now()
    return OldRun(
        id=ids.new_id(),
        name="run",
        cell_count=6,
        ended_at=now - timedelta(days=days),
        archived_at=None if archived is None else now - timedelta(days=archived),
        is_kept=is_kept,
    )


def test_what_becomes_of_old_runs() -> None:
    fresh, seen, due = old(61), old(95, archived=3), old(95, archived=30)
    young, kept, proof = old(80, archived=20), old(200, is_kept=True), old(200, archived=100)
    found = sort_old_runs(
        [fresh, seen, due, young, kept, proof],
        evidence={proof.id},
        deleted_until=clock.now() - timedelta(days=90),
        archived_until=clock.now() - timedelta(days=7),
    )
    assert found.to_archive == [fresh]
    # A run that was archived less than a week ago can still be rescued.
    assert found.to_delete == [due]
    assert (found.kept, found.evidence) == (1, 1)


async def admin_of(app: FastAPI, desk: Desk) -> Browser:
    return (await make_member(app, desk.dataset.project, Role.ADMIN)).browser


async def change(desk: Desk, run: dict[str, Any], **values: Any) -> dict[str, Any]:
    changed = await desk.dataset.editor.patch(f"{desk.url}/{run['id']}", json=values)
    assert changed.status_code == 200, changed.text
    return dict(changed.json())


async def names(desk: Desk, status: str) -> set[str]:
    return {run["name"] for run in (await desk.get("/runs", status=status))["items"]}


async def pass_days(app: FastAPI, days: int) -> None:
    """Backdates all runs."""
    async with app.state.database.write() as session:
        for run in await session.scalars(select(Run)):
            assert run.ended_at is not None
            run.ended_at -= timedelta(days=days)
            if run.archived_at is not None:
                run.archived_at -= timedelta(days=days)


async def apply(app: FastAPI, desk: Desk) -> None:
    await service.apply(app.state.database, project_id=desk.dataset.project.id)


async def test_old_runs_are_archived_then_deleted(app: FastAPI, desk: Desk) -> None:
    old_run = await desk.run(name="old")
    # Its answers come from the cache.
    kept = await desk.run(name="kept")
    assert (await change(desk, kept, is_kept=True))["is_kept"] is True
    await pass_days(app, 61)
    admin, url = await admin_of(app, desk), f"{desk.project_url}/retention"
    before = (await admin.get(url)).json()
    assert before["to_archive"] == {"runs": 1, "cells": 6, "names": ["old"]}
    assert (before["kept_runs"], before["confirmed_at"]) == (1, None)
    await apply(app, desk)
    assert await names(desk, "active") == {"old", "kept"}
    assert (await admin.post(f"{url}/confirm")).status_code == 200
    assert error_of(await admin.post(f"{url}/confirm"))["code"] == "CONFLICT"
    await apply(app, desk)
    assert (await names(desk, "active"), await names(desk, "archived")) == ({"kept"}, {"old"})
    await pass_days(app, 30)
    await apply(app, desk)
    assert await names(desk, "all") == {"kept"}
    (charged,) = await desk.ledger()
    assert (charged["run_id"], charged["calls"]) == (old_run["id"], 6)
    async with app.state.database.read() as session:
        actions = set(await session.scalars(select(AuditEntry.action)))
    assert {"retention.confirmed", "retention.archived", "retention.deleted"} <= actions


async def test_spending_still_adds_up_after_a_deletion(app: FastAPI, desk: Desk) -> None:
    desk.server.script(openai.error(400, code="context_length_exceeded"))
    run = await desk.run(name="old")
    day_ago = clock.now() - timedelta(days=1)
    async with app.state.database.write() as session:
        entries = list(
            await session.scalars(select(LedgerEntry).order_by(LedgerEntry.failure.is_(None)))
        )
        # A failed call of another day, one without a price, one that may be corrected, and one with
        # a reason.
        entries[0].created_at = day_ago
        entries[1].cost_nanos = None
        entries[2].state = EntryState.UNCONFIRMED
        entries[3].note = "Checked with the invoice."
    reports = [f"/budgets/spending?days=7&by={by}" for by in ("day", "model", "purpose", "run")]
    before = [await desk.get(path) for path in ["/ledger/totals", *reports]]

    async with app.state.database.write() as session:
        await budgets.sum_up_calls(session, run_id=UUID(run["id"]))
        await budgets.sum_up_calls(session, run_id=UUID(run["id"]))

    assert [await desk.get(path) for path in ["/ledger/totals", *reports]] == before
    calls = [entry["calls"] for entry in await desk.ledger()]
    assert (len(calls), sum(calls)) == (5, 6)


async def test_an_archived_run_can_be_restored_and_an_active_one_not_archived(desk: Desk) -> None:
    run = await desk.run(name="mine")
    assert (await change(desk, run, is_archived=True))["archived_at"] is not None
    assert await names(desk, "active") == set()
    assert (await change(desk, run, is_archived=False))["archived_at"] is None
    desk.server.hold()
    active = await desk.start()
    refused = await desk.dataset.editor.patch(
        f"{desk.url}/{active['id']}", json={"is_archived": True}
    )
    assert refused.status_code == 409
    desk.server.release()


async def test_evidence_stays(app: FastAPI, desk: Desk) -> None:
    run = await desk.run(name="proof")

    async def is_proof(*_: object) -> list[UUID]:
        return [UUID(run["id"])]

    await pass_days(app, 100)
    listeners, service.find_evidence.listeners = service.find_evidence.listeners, (is_proof,)
    try:
        found = await desk.get("/retention")
    finally:
        service.find_evidence.listeners = listeners
    assert (found["to_archive"]["runs"], found["evidence_runs"]) == (0, 1)


async def test_only_admins_confirm_and_only_with_an_age(app: FastAPI, desk: Desk) -> None:
    refused = await desk.post("/retention/confirm")
    assert refused.status_code == 403
    admin = await admin_of(app, desk)
    settings = (await admin.get(f"{desk.project_url}/settings")).json()
    settings.pop("updated_at")
    await admin.put(f"{desk.project_url}/settings", json=settings | {"retention_days": 0})
    forever = await admin.post(f"{desk.project_url}/retention/confirm")
    assert "forever" in error_of(forever)["message"]
