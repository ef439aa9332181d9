"""Builders for datasets and cases that bypass the API."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from fastapi import FastAPI
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets import cases
from edison.library.datasets.contents import CaseContents
from edison.library.datasets.models import Case, Dataset
from edison.library.datasets.repository.cases import Cases
from edison.library.datasets.repository.datasets import Datasets
from edison.workspace.projects.models import Project, Role
from tests.factories.projects import make_member, make_project
from tests.support.browser import Browser


@dataclass(frozen=True, kw_only=True)
class MadeDataset:
    """A dataset and an editor."""

    app: FastAPI
    id: UUID
    project: Project
    editor: Browser

    @property
    def url(self) -> str:
        return f"/api/v1/projects/{self.project.slug}/datasets/{self.id}"

    async def cases(self, **query: Any) -> list[dict[str, Any]]:
        """The first page of cases, as the editor sees it."""
        response = await self.editor.get(f"{self.url}/cases", params={"limit": 100, **query})
        assert response.status_code == 200, response.text
        items: list[dict[str, Any]] = response.json()["items"]
        return items

    async def count(self) -> int:
        async with self.app.state.database.read() as session:
            statement = select(func.count()).where(Case.dataset_id == self.id)
            return await session.scalar(statement) or 0


async def make_dataset(
    app: FastAPI, inputs: Sequence[dict[str, Any]] = (), *, project: Project | None = None
) -> MadeDataset:
    """A dataset whose cases have these inputs, in this order."""
    project = project or await make_project(app)
    async with app.state.database.write() as session:
        dataset = await Datasets(session).add(
            Dataset(project_id=project.id, name=f"Set of {len(inputs)}", kind="manual")
        )
        await add_cases(session, dataset, [CaseContents(inputs=each) for each in inputs])
    editor = await make_member(app, project, Role.EDITOR)
    return MadeDataset(app=app, id=dataset.id, project=project, editor=editor.browser)


async def add_cases(
    session: AsyncSession, dataset: Dataset, contents: Sequence[CaseContents]
) -> None:
    first = await Datasets(session).take_positions(dataset, len(contents))
    rows = [
        cases.row_of(each, dataset=dataset, author_id=None) | {"position": first + number}
        for number, each in enumerate(contents)
    ]
    await Cases(session).add(rows)
    await Datasets(session).count_cases(dataset)
