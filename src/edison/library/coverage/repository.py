"""Queries that read a dataset's cases for its coverage, page by page."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import NotFound
from edison.library.datasets.models import Case, Dataset


class CoveredCases:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def get_version(self, project_id: UUID, dataset_id: UUID) -> datetime:
        """When the dataset's cases were last changed."""
        found = await self._session.scalar(
            select(Dataset.updated_at).where(
                Dataset.project_id == project_id, Dataset.id == dataset_id
            )
        )
        if found is None:
            raise NotFound("There is no such dataset.")
        return found

    async def list_after(
        self, dataset_id: UUID, *, position: int, limit: int
    ) -> Sequence[tuple[int, dict[str, Any], list[str], int | None, str]]:
        """Position, inputs, tags, difficulty and split of the next cases."""
        statement = (
            select(Case.position, Case.inputs, Case.tags, Case.difficulty, Case.split)
            .where(Case.dataset_id == dataset_id, Case.position > position)
            .order_by(Case.position)
            .limit(limit)
        )
        return (await self._session.execute(statement)).all()
