"""Shared links to playground runs."""

from edison.workspace.projects.models import Role
from tests.factories.accounts import make_person
from tests.factories.projects import make_member
from tests.slices.playground.conftest import Playground
from tests.support.browser import error_of


async def test_only_members_see_a_shared_run(
    playground: Playground,
) -> None:
    desk = playground.desk
    run = await playground.run(cases={"limit": 2})
    # All requests of the page.
    paths = [
        f"/runs/{run['id']}",
        f"/runs/{run['id']}/rows?q=number 1&sort=-grade.0",
        f"/runs/{run['id']}/summary",
        f"/prompts/{desk.prompt.id}",
        "/models",
    ]
    viewer = (await make_member(desk.app, desk.dataset.project, Role.VIEWER)).browser
    _, stranger = await make_person(desk.app)
    unknown = await stranger.get("/api/v1/projects/never-made")
    for path in paths:
        own = (await desk.dataset.editor.get(f"{desk.project_url}{path}")).json()
        theirs = await viewer.get(f"{desk.project_url}{path}")
        assert (theirs.status_code, theirs.json()) == (200, own)
        refused = await stranger.get(f"{desk.project_url}{path}")
        assert refused.status_code == 404
        told = error_of(refused)["message"].replace("engine", "never-made")
        assert told == error_of(unknown)["message"]
    (row,) = await desk.rows(run["id"], q="number 1")
    assert row["position"] == 1
    again = await viewer.post(f"{desk.project_url}/outputs/{row['cells'][0]['id']}/rerun")
    assert again.status_code == 403
