"""Lookups shared by the registry: the price table and the credential."""

import asyncio
from collections.abc import Iterable
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid
from edison.library.models.repository import Models
from edison.pipeline.generate import catalog, price_table
from edison.workspace.credentials.models import Credential


async def load_prices(credentials: Iterable[Credential]) -> None:
    """Import the price table in a thread, because it takes a while; not for providers whose models
    are not in it.
    """
    if price_table.is_loaded():
        return
    if any(catalog.load_provider(each.provider).price_seller for each in credentials):
        await asyncio.to_thread(price_table.load_table)


async def get_credential(
    session: AsyncSession, project_id: UUID, credential_id: UUID, *, is_kept: bool = False
) -> Credential:
    found = await Models(session).find_credential(project_id, credential_id, is_kept=is_kept)
    if found is None:
        raise Invalid(
            FieldProblem(
                field="credential_id",
                message="There is no such credential in this project.",
                code="unknown_credential",
            )
        )
    return found
