"""Changes of several models at once: all of them or none."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import NotFound
from edison.library.models import complete, events, view
from edison.library.models.lookup import get_credential, load_prices
from edison.library.models.repository import Models
from edison.library.models.schemas import ModelImport, ModelImportResult, ModelRequest, ModelsChange
from edison.library.models.stored import Registration
from edison.workspace.audit import service as audit


async def import_models(
    session: AsyncSession, *, project_id: UUID, wanted: ModelImport
) -> ModelImportResult:
    """Add several of a provider's models, skipping those that exist already."""
    models = Models(session)
    await models.lock_project(project_id)
    credential = await get_credential(session, project_id, wanted.credential_id, is_kept=True)
    await load_prices([credential])
    present = await models.list_registered_names(credential.id)
    taken = await models.list_names(project_id)
    is_first = not taken
    added: list[Registration] = []
    for name in dict.fromkeys(wanted.provider_models):
        if name in present:
            continue
        request = ModelRequest(credential_id=credential.id, provider_model=name)
        model = complete.new_model(credential, request)
        model.display_name = complete.free_name(model.display_name, taken)
        model.is_default = is_first and not added
        taken.add(model.display_name)
        added.append(Registration(model=model, credential=credential))
    session.add_all(entry.model for entry in added)
    await session.flush()
    audit.record(
        session,
        "models.imported",
        entity=("credential", credential.id),
        project_id=project_id,
        after={"models": [entry.model.provider_model for entry in added]},
    )
    if added:
        await events.publish(session, project_id, [entry.model.id for entry in added])
    return ModelImportResult(
        created=[view.read_model(entry) for entry in added],
        skipped=[name for name in dict.fromkeys(wanted.provider_models) if name in present],
    )


async def switch_models(session: AsyncSession, *, project_id: UUID, change: ModelsChange) -> None:
    """Enable or disable several models; an unknown id changes nothing."""
    wanted = set(change.model_ids)
    models = Models(session)
    await models.lock_project(project_id)
    found = await models.switch(project_id, wanted, is_enabled=change.is_enabled)
    if found != wanted:
        raise NotFound("One of these models does not exist any more. Nothing was changed.")
    audit.record(
        session,
        "models.switched",
        entity=("project", project_id),
        project_id=project_id,
        after={"model_ids": sorted(map(str, wanted)), "is_enabled": change.is_enabled},
    )
    await events.publish(session, project_id, sorted(wanted))
