"""A project's settings: read and replaced as a whole, with optimistic locking."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.workspace.audit import service as audit
from edison.workspace.projects.models import ProjectSettings
from edison.workspace.projects.repository import Projects
from edison.workspace.projects.schemas import SettingsChange, SettingsRead, SettingsValues
from edison.workspace.projects.service import announce
from edison.workspace.resources.errors import Stale


async def replace_settings(
    session: AsyncSession, *, project_id: UUID, change: SettingsChange
) -> SettingsRead:
    """Replace all values. Raises Invalid, or Stale when they were saved since the caller read."""
    if 0 < change.retention_days < change.archive_days:
        raise Invalid(
            FieldProblem(
                field="archive_days",
                message="Runs are archived before they are deleted: choose fewer days.",
                code="after_deletion",
            )
        )
    projects = Projects(session)
    # Before the settings row: deleting the project locks in the same order.
    await projects.touch(project_id)
    before = SettingsRead.of(await _get(session, project_id))
    saved = await projects.save_settings(
        project_id, version=change.version, values=change.columns()
    )
    if saved is None:
        current = SettingsRead.of(await _get(session, project_id))
        raise Stale("these settings", current=current.model_dump(mode="json"))
    after = SettingsRead.of(saved)
    old, new = (_values(settings) for settings in (before, after))
    changed = {field for field in new if new[field] != old[field]}
    audit.record(
        session,
        "settings.changed",
        entity=("settings", project_id),
        project_id=project_id,
        before={field: old[field] for field in changed},
        after={field: new[field] for field in changed},
    )
    await announce(session, "settings.changed", project_id=project_id, entity_id=project_id)
    return after


def _values(settings: SettingsRead) -> dict[str, object]:
    return settings.model_dump(mode="json", include=set(SettingsValues.model_fields))


async def _get(session: AsyncSession, project_id: UUID) -> ProjectSettings:
    found = await Projects(session).find_settings(project_id)
    if found is None:
        raise NotFound("This project has no settings.")
    return found
