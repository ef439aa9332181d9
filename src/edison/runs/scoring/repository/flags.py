"""All SQL about output flags."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import upsert
from edison.kit import clock
from edison.runs.scoring.models import OutputFlag
from edison.workspace.accounts.models import User


class OutputFlags:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def find(self, output_id: UUID) -> tuple[OutputFlag, str | None, str | None] | None:
        """The flag with the email and name of the user who set it."""
        found = await self._session.execute(
            select(OutputFlag, User.email, User.name)
            .outerjoin(User, User.id == OutputFlag.user_id)
            .where(OutputFlag.output_id == output_id)
        )
        row = found.one_or_none()
        return None if row is None else (row[0], row[1], row[2])

    async def add(self, output_id: UUID, user_id: UUID) -> bool:
        """False if it is already flagged."""
        added = await self._session.scalar(
            upsert.insert(self._session, OutputFlag)
            .values(output_id=output_id, user_id=user_id, created_at=clock.now())
            .on_conflict_do_nothing()
            .returning(OutputFlag.output_id)
        )
        return added is not None

    async def remove(self, output_ids: Collection[UUID]) -> bool:
        """False if none was flagged."""
        removed = await self._session.scalars(
            delete(OutputFlag)
            .where(OutputFlag.output_id.in_(output_ids))
            .returning(OutputFlag.output_id)
            .execution_options(synchronize_session=False)
        )
        return bool(removed.all())
