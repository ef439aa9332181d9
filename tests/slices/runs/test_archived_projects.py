"""Runs of a project that is archived and unarchived."""

from fastapi import FastAPI

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
