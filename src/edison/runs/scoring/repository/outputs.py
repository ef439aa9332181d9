"""All SQL about the outputs to score."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import NotFound
from edison.runs.store.models import Output, Run


class ScorableOutputs:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def get(self, project_id: UUID, output_id: UUID) -> Output:
        found = await self._session.scalar(
            select(Output)
            .join(Run, Run.id == Output.run_id)
            .where(Output.id == output_id, Run.project_id == project_id)
        )
        if found is None:
            raise NotFound("There is no such output.")
        return found

    async def get_project(self, output_id: UUID) -> UUID:
        found = await self._session.scalars(
            select(Run.project_id)
            .join(Output, Output.run_id == Run.id)
            .where(Output.id == output_id)
        )
        return found.one()
