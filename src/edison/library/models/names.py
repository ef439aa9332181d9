"""Names of models for pages and results that mention them, without the rest of the registry."""

from collections.abc import Collection, Mapping
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.models.models import Model


class NamedModel(NamedTuple):
    """`name` is the display name, `provider_model` the provider's identifier."""

    name: str
    provider_model: str


async def find_names(
    session: AsyncSession, *, project_id: UUID, model_ids: Collection[UUID] | None = None
) -> Mapping[UUID, NamedModel]:
    """Of all models of the project, or of these. Deleted ones are missing."""
    statement = select(Model.id, Model.display_name, Model.provider_model).where(
        Model.project_id == project_id
    )
    if model_ids is not None:
        if not model_ids:
            return {}
        statement = statement.where(Model.id.in_(model_ids))
    found = await session.execute(statement)
    return {id_: NamedModel(name, provider_model) for id_, name, provider_model in found}
