"""Money is set aside for a run only while calls for it may leave."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.runs.engine.repository.runs import Runs
from edison.workspace.budgets.service import Permit


async def _list_working(session: AsyncSession, run_ids: Collection[UUID]) -> set[UUID]:
    return await Runs(session).list_working(run_ids)


def permit_of(run_id: UUID) -> Permit:
    return Permit(check=_list_working, subject_id=run_id)
