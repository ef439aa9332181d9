"""Queries of datasets."""

from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.kit import clock
from edison.kit.errors import NotFound
from edison.library.datasets.errors import DatasetArchived
from edison.library.datasets.models import Case, Dataset

_DATASETS = Sorting(
    columns={
        "created_at": Dataset.created_at,
        "updated_at": Dataset.updated_at,
        "name": Dataset.name,
        "case_count": Dataset.case_count,
    },
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

    async def list_of_project(
        self, project_id: UUID, *, is_archived: bool | None, page: PageRequest
    ) -> Slice[Dataset]:
        statement = select(Dataset).where(Dataset.project_id == project_id)
        if is_archived is not None:
            has_date = Dataset.archived_at.is_not(None)
            statement = statement.where(has_date if is_archived else ~has_date)
        if page.q is not None:
            statement = statement.where(contains(Dataset.name, page.q))
        return await paginate(self._session, statement, page=page, sorting=_DATASETS)

    async def get(self, project_id: UUID, dataset_id: UUID) -> Dataset:
        found = await self._session.scalar(
            select(Dataset).where(Dataset.project_id == project_id, Dataset.id == dataset_id)
        )
        if found is None:
            raise NotFound("There is no such dataset.")
        return found

    async def has_name(self, project_id: UUID, name: str, *, but: UUID | None = None) -> bool:
        statement = select(Dataset.id).where(Dataset.project_id == project_id, Dataset.name == name)
        if but is not None:
            statement = statement.where(Dataset.id != but)
        return await self._session.scalar(statement) is not None

    async def touch(self, project_id: UUID, dataset_id: UUID) -> Dataset:
        """Update the dataset's row, which blocks other writers of its cases until the transaction
        ends.
        """
        statement = (
            update(Dataset)
            .where(Dataset.project_id == project_id, Dataset.id == dataset_id)
            .values(updated_at=clock.now())
            .returning(Dataset)
        )
        found = await self._session.scalar(statement, execution_options={"populate_existing": True})
        if found is None:
            raise NotFound("There is no such dataset.")
        if found.archived_at is not None:
            raise DatasetArchived
        return found

    async def note_use(self, dataset_id: UUID) -> None:
        """Does not change `updated_at`."""
        await self._session.execute(
            update(Dataset)
            .where(Dataset.id == dataset_id)
            .values(last_used_at=clock.now(), updated_at=Dataset.updated_at)
        )

    async def count_cases(self, dataset: Dataset) -> None:
        """Update the dataset's number of cases."""
        count = await self._session.scalar(
            select(func.count()).where(Case.dataset_id == dataset.id)
        )
        dataset.case_count = count or 0
        await self._session.flush()

    async def take_positions(self, dataset: Dataset, count: int) -> int:
        """The first of `count` new positions at the end. Call `touch` first."""
        first = dataset.next_position
        dataset.next_position = first + count
        await self._session.flush()
        return first

    async def remove(self, dataset_id: UUID) -> None:
        await self._session.execute(delete(Dataset).where(Dataset.id == dataset_id))
