"""Queries of datasets."""

from dataclasses import replace
from uuid import UUID

from sqlalchemy import func, select, update

from edison.api.pagination import Sorting
from edison.kit import clock
from edison.library.datasets.errors import DatasetArchived
from edison.library.datasets.models import Case, Dataset
from edison.library.datasets.repository.filters import tag_text
from edison.workspace.resources.repository import Resources


class Datasets(Resources[Dataset]):
    table = Dataset
    hides_archived = False

    def sorting(self) -> Sorting:
        shared = super().sorting()
        columns = {**shared.columns, "case_count": Dataset.case_count}
        return replace(shared, columns=columns, default="created_at")

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
        found = await self.session.scalar(statement, execution_options={"populate_existing": True})
        if found is None:
            raise self.not_found()
        if found.archived_at is not None:
            raise DatasetArchived
        return found

    async def list_tagged(self, project_id: UUID) -> list[Dataset]:
        """Datasets with tags of their own, without archived ones, by name."""
        found = await self.session.scalars(
            select(Dataset)
            .where(
                Dataset.project_id == project_id,
                Dataset.archived_at.is_(None),
                tag_text(Dataset.tags) != "\n",
            )
            .order_by(Dataset.name)
        )
        return list(found)

    async def note_use(self, dataset_id: UUID) -> None:
        """Does not change `updated_at`."""
        await self.session.execute(
            update(Dataset)
            .where(Dataset.id == dataset_id)
            .values(last_used_at=clock.now(), updated_at=Dataset.updated_at)
        )

    async def count_cases(self, dataset: Dataset) -> None:
        """Update the dataset's number of cases."""
        count = await self.session.scalar(select(func.count()).where(Case.dataset_id == dataset.id))
        dataset.case_count = count or 0
        await self.session.flush()

    async def take_positions(self, dataset: Dataset, count: int) -> int:
        """The first of `count` new positions at the end. Call `touch` first."""
        first = dataset.next_position
        dataset.next_position = first + count
        await self.session.flush()
        return first
