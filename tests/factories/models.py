"""Builders for credentials and models that bypass the API."""

from typing import Any
from uuid import UUID

from fastapi import FastAPI

from edison.kit import clock, ids
from edison.library.models.models import Model
from edison.workspace.credentials.models import Credential


async def make_credential(
    app: FastAPI, project_id: UUID, provider: str = "sim", **changes: Any
) -> Credential:
    """A credential that passed its test. Sends nothing."""
    values: dict[str, Any] = {
        "label": ids.new_id().hex,
        "settings": {},
        "secrets": {},
        "is_default": False,
        "tested_at": clock.now(),
    }
    credential = Credential(
        id=ids.new_id(), project_id=project_id, provider=provider, **values | changes
    )
    async with app.state.database.write() as session:
        session.add(credential)
    return credential


async def make_model(
    app: FastAPI,
    credential: Credential,
    provider_model: str = "sim-small",
    **changes: Any,
) -> Model:
    values: dict[str, Any] = {
        "display_name": provider_model,
        "capabilities": {},
        "parameters": {},
        "is_enabled": True,
        "is_default": False,
    }
    model = Model(
        id=ids.new_id(),
        project_id=credential.project_id,
        credential_id=credential.id,
        provider_model=provider_model,
        **values | changes,
    )
    async with app.state.database.write() as session:
        session.add(model)
    return model
