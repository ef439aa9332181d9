"""Runs of a project that is archived and unarchived, or deleted."""

from fastapi import FastAPI
from sqlalchemy import func, select

from edison.kit import ids
from edison.runs.store.cells import Cells
from edison.runs.store.models import SentPrompt
from edison.workspace.projects.models import Role
from tests.factories.projects import make_member
from tests.slices.runs.conftest import Desk


async def test_archiving_pauses_runs_and_unarchiving_resumes_them(app: FastAPI, desk: Desk) -> None:
    owner = (await make_member(app, desk.dataset.project, Role.OWNER)).browser
    desk.server.hold()
    by_archiving, by_hand = await desk.start(), await desk.start()
    assert (await desk.post(f"/runs/{by_hand['id']}/pause")).status_code == 200

    assert (await owner.post(f"{desk.project_url}/archive")).status_code == 200
    paused = await desk.get(f"/runs/{by_archiving['id']}")
    assert (paused["state"], paused["reason"]) == ("paused", "project_archived")
    assert paused["message"] == "The project was archived."

    desk.server.release()
    assert (await owner.post(f"{desk.project_url}/unarchive")).status_code == 200
    assert (await desk.finish(by_archiving["id"]))["state"] == "completed"
    assert (await desk.get(f"/runs/{by_hand['id']}"))["state"] == "paused"


async def test_an_answer_for_a_project_deleted_meanwhile_fails_nothing(app: FastAPI) -> None:
    """Others may be stored by the same transaction."""
    async with app.state.database.write() as session:
        await Cells(session).keep_sent({ids.new_id(): {"digest": "[]"}})
        assert await session.scalar(select(func.count()).select_from(SentPrompt)) == 0
