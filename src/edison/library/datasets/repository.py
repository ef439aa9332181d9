"""All SQL about datasets."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.library.datasets.models import Dataset

_DATASETS = Sorting(
    columns={"created_at": Dataset.created_at, "name": Dataset.name},
    default="created_at",
    id=Dataset.id,
)


class Datasets:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, dataset: Dataset) -> Dataset:
        self._session.add(dataset)
        await self._session.flush()
        return dataset

    async def list_of_project(self, project_id: UUID, *, page: PageRequest) -> Slice[Dataset]:
        statement = select(Dataset).where(Dataset.project_id == project_id)
        if page.q is not None:
            statement = statement.where(contains(Dataset.name, page.q))
        return await paginate(self._session, statement, page=page, sorting=_DATASETS)
