"""Runs that need code or keys of the command line: a server leaves them alone."""

from fastapi import FastAPI

from edison.runs.fill import service as control
from edison.runs.store.models import RunChunk
from edison.runs.store.states import COMMAND_LINE, RunState
from edison.runs.store.transitions import AGGREGATE, PARK
from edison.workspace.projects.models import Role
from tests.factories.projects import make_member, make_project
from tests.factories.runs import add_run
from tests.support.browser import error_of

TOLD = (
    "This run needs code or keys of the machine where it was started. Go on there with "
    "`edison eval --resume`."
)


async def test_a_server_pauses_the_run_of_a_killed_command(app: FastAPI) -> None:
    project = await make_project(app)
    editor = (await make_member(app, project, Role.EDITOR)).browser
    async with app.state.database.write() as session:
        run = await add_run(session, project.id, origin=COMMAND_LINE, state=RunState.EXECUTING)
        session.add(
            RunChunk(run_id=run.id, number=0, first_position=0, end_position=1, is_done=False)
        )
        done = await add_run(session, project.id, origin=COMMAND_LINE, state=RunState.AGGREGATING)
    async with app.state.database.read() as session:
        jobs = await control.list_missing_jobs(session)
    assert {job.payload["run_id"]: job.task for job in jobs} == {
        str(run.id): PARK,
        str(done.id): AGGREGATE,
    }
    async with app.state.database.write() as session:
        await control.park(session, run_id=run.id)

    url = f"/api/v1/projects/{project.slug}/runs/{run.id}"
    found = (await editor.get(url)).json()
    assert (found["state"], found["message"], found["actions"]) == ("paused", TOLD, ["cancel"])
    for action in ("resume", "retry", "again", "replay"):
        body = {} if action == "again" else None
        refused = error_of(await editor.post(f"{url}/{action}", json=body))
        assert (refused["code"], refused["message"]) == ("RUN_NEEDS_COMMAND", TOLD)
    async with app.state.database.read() as session:
        assert run.id not in [
            each.payload["run_id"] for each in await control.list_missing_jobs(session)
        ]
