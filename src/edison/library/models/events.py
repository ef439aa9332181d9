"""Audit entries and events about models."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.models.models import Model
from edison.library.models.stored import Registration
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events


def described(registration: Registration) -> dict[str, Any]:
    """For the audit log."""
    model = registration.model
    return {
        "display_name": model.display_name,
        "provider_model": model.provider_model,
        "credential_id": str(model.credential_id),
        "context_window": model.context_window,
        "capabilities": model.capabilities,
        "parameters": model.parameters,
        "prices": model.prices,
        "limits": model.limits,
        "is_enabled": model.is_enabled,
        "is_default": model.is_default,
    }


def record(session: AsyncSession, action: str, model: Model, **values: dict[str, Any]) -> None:
    audit.record(session, action, entity=("model", model.id), project_id=model.project_id, **values)


async def publish(session: AsyncSession, project_id: UUID, model_ids: Sequence[UUID]) -> None:
    await events.publish(
        session,
        stream=events.project_stream(project_id),
        kind="model.changed",
        data={"entity_ids": [str(model_id) for model_id in model_ids]},
    )
