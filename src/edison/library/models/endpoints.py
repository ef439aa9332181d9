"""Endpoints for a project's models."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.library.models import availability, bulk, service
from edison.library.models.schemas import (
    CountRead,
    CountRequest,
    KnownModelRead,
    ModelAdviceRead,
    ModelAvailabilityRead,
    ModelChange,
    ModelFilter,
    ModelImport,
    ModelImportResult,
    ModelRead,
    ModelRequest,
    ModelsChange,
    ProviderModel,
)
from edison.workspace.credentials.access import CurrentVault
from edison.workspace.projects.access import (
    Editor,
    EditorWithoutTransaction,
    Viewer,
    ViewerWithoutTransaction,
)

router = api_router("/projects/{project}", tag="models")


@router.get("/models", response_model=Page[ModelRead])
async def list_models(
    member: Viewer,
    page: PageParams,
    wanted: Annotated[ModelFilter, read_into(ModelFilter)],
    session: Session,
) -> Slice[ModelRead]:
    """Lists the project's models with their prices.

    Sort by `display_name`, `provider_model` or `created_at`; `q` searches both names.
    """
    return await service.list_models(
        session, project_id=member.project_id, page=page, wanted=wanted
    )


@router.post("/models", status_code=status.HTTP_201_CREATED)
async def create_model(body: ModelRequest, member: Editor, session: Session) -> ModelRead:
    """Adds a model; the first one becomes the project's default."""
    return await service.create_model(session, project_id=member.project_id, wanted=body)


@router.patch("/models", status_code=status.HTTP_204_NO_CONTENT)
async def switch_models(body: ModelsChange, member: Editor, session: Session) -> None:
    """Enables or disables several models, all of them or none."""
    await bulk.switch_models(session, project_id=member.project_id, change=body)


@router.post("/models/import", status_code=status.HTTP_201_CREATED)
async def import_models(body: ModelImport, member: Editor, session: Session) -> ModelImportResult:
    """Adds several of a provider's models, skipping those that exist already."""
    return await bulk.import_models(session, project_id=member.project_id, wanted=body)


@router.post("/models/check")
async def check_models(
    member: EditorWithoutTransaction, database: CurrentDatabase, vault: CurrentVault
) -> list[ModelAvailabilityRead]:
    """Asks the providers whether they still offer the project's models. Changes nothing."""
    return await availability.check_models(database, project_id=member.project_id, vault=vault)


@router.get("/models/{model_id}")
async def get_model(model_id: UUID, member: Viewer, session: Session) -> ModelRead:
    """Returns a model of the project."""
    return await service.get_model(session, project_id=member.project_id, model_id=model_id)


@router.patch("/models/{model_id}")
async def change_model(
    model_id: UUID, body: ModelChange, member: Editor, session: Session
) -> ModelRead:
    """Changes name, prices, limits, availability or default."""
    return await service.change_model(
        session, project_id=member.project_id, model_id=model_id, change=body
    )


@router.delete("/models/{model_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_model(model_id: UUID, member: Editor, session: Session) -> None:
    """Deletes a model that is not in use."""
    await service.delete_model(session, project_id=member.project_id, model_id=model_id)


@router.post("/models/{model_id}/count-tokens")
async def count_tokens(
    model_id: UUID, body: CountRequest, member: ViewerWithoutTransaction, database: CurrentDatabase
) -> CountRead:
    """Returns the number of tokens of a text or conversation for the model. Makes no call."""
    return await service.count_tokens(
        database, project_id=member.project_id, model_id=model_id, wanted=body
    )


@router.get("/known-models")
async def get_known_model(
    credential_id: UUID,
    provider_model: Annotated[ProviderModel, Query()],
    member: Viewer,
    session: Session,
) -> KnownModelRead:
    """Returns what is known about a model before it is added: prices, limits and rules."""
    return await service.get_known(
        session,
        project_id=member.project_id,
        credential_id=credential_id,
        provider_model=provider_model,
    )


@router.get("/model-advice")
async def get_model_advice(member: Viewer, session: Session) -> ModelAdviceRead:
    """Returns a balanced set among the usable models, and the expensive ones."""
    return await service.get_advice(session, project_id=member.project_id)
