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
    session: AsyncSession, *, project_id: UUID, model_ids: Collection[UUID]
) -> Mapping[UUID, NamedModel]:
    """Without deleted models."""
    if not model_ids:
        return {}
    found = await session.execute(
        select(Model.id, Model.display_name, Model.provider_model).where(
            Model.project_id == project_id, Model.id.in_(model_ids)
        )
    )
    return {id_: NamedModel(name, provider_model) for id_, name, provider_model in found}
