"""Datasets of a project."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.library.datasets.models import Dataset
from edison.library.datasets.repository import Datasets
from edison.workspace.audit import service as audit
from edison.workspace.projects.models import Project


async def add_golden_dataset(session: AsyncSession, project: Project) -> None:
    """The dataset every project starts with."""
    dataset = await Datasets(session).add(
        Dataset(project_id=project.id, name="Golden", kind="golden")
    )
    audit.record(
        session,
        "dataset.created",
        entity=("dataset", dataset.id),
        project_id=project.id,
        after={"name": dataset.name, "kind": dataset.kind},
    )


async def list_datasets(
    session: AsyncSession, *, project_id: UUID, page: PageRequest
) -> Slice[Dataset]:
    return await Datasets(session).list_of_project(project_id, page=page)
