"""Queries of imports."""

from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession


async def list_names(session: AsyncSession, table: Any, project_id: UUID) -> set[str]:
    """The names that a project has in a table of resources."""
    return set(await session.scalars(select(table.name).where(table.project_id == project_id)))
