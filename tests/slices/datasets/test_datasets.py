"""The datasets of a project."""

from fastapi import FastAPI

from edison.library.datasets.models import Dataset
from edison.workspace.projects.models import Role
from tests.factories.accounts import make_person
from tests.factories.projects import make_member, make_project


async def test_a_viewer_sees_the_golden_dataset(app: FastAPI) -> None:
    project = await make_project(app)
    viewer = await make_member(app, project, Role.VIEWER)
    page = (await viewer.browser.get(f"/api/v1/projects/{project.slug}/datasets")).json()
    (dataset,) = page["items"]
    assert set(dataset) == {"id", "name", "kind", "created_at"}
    assert (dataset["name"], dataset["kind"], page["total"]) == ("Golden", "golden", 1)


async def test_datasets_are_searched_sorted_and_paged(app: FastAPI) -> None:
    project = await make_project(app)
    viewer = await make_member(app, project, Role.VIEWER)
    url = f"/api/v1/projects/{project.slug}/datasets"
    async with app.state.database.write() as session:
        session.add_all(
            Dataset(project_id=project.id, name=name, kind="manual") for name in ("Edge", "Hard")
        )

    async def names(**query: str) -> list[str]:
        page = (await viewer.browser.get(url, params=query)).json()
        return [item["name"] for item in page["items"]]

    assert await names(sort="-name", limit="2") == ["Hard", "Golden"]
    assert await names(q="ED") == ["Edge"]


async def test_outsiders_find_no_datasets(app: FastAPI) -> None:
    project = await make_project(app)
    _, outsider = await make_person(app)
    response = await outsider.get(f"/api/v1/projects/{project.slug}/datasets")
    assert response.status_code == 404
