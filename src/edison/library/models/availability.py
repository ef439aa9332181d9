"""Asks providers whether they still offer the project's models."""

from uuid import UUID

from edison.db.session import Database
from edison.library.models import service
from edison.library.models.schemas import ModelAvailabilityRead
from edison.pipeline.generate.successor import successor_of
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.errors import TestFailed
from edison.workspace.credentials.vault import Vault


async def check_models(
    database: Database, *, project_id: UUID, vault: Vault
) -> list[ModelAvailabilityRead]:
    """One request per credential; no transaction is open meanwhile. Providers that list no models,
    or cannot be reached, leave their models unknown.
    """
    async with database.read() as session:
        models = await service.list_registered(session, project_id=project_id)
    offered: dict[UUID, list[str] | str] = {}
    for model in models:
        credential_id = model.credential.id
        if credential_id not in offered:
            offered[credential_id] = await _list_offered(database, project_id, credential_id, vault)
    return [_read(model, offered[model.credential.id]) for model in models]


async def _list_offered(
    database: Database, project_id: UUID, credential_id: UUID, vault: Vault
) -> list[str] | str:
    """The provider's names or, if there are none, why."""
    try:
        found = await credentials.list_available_models(
            database, project_id=project_id, credential_id=credential_id, vault=vault
        )
    except TestFailed as failed:
        return failed.message
    return [each.id for each in found] or "The provider lists no models."


def _read(model: service.CallableModel, offered: list[str] | str) -> ModelAvailabilityRead:
    if isinstance(offered, str):
        return ModelAvailabilityRead(
            model_id=model.id, state="unknown", successor=None, message=offered
        )
    is_offered = model.provider_model in offered
    return ModelAvailabilityRead(
        model_id=model.id,
        state="offered" if is_offered else "missing",
        successor=None if is_offered else successor_of(model.provider_model, offered),
        message=None,
    )
