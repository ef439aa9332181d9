"""The audit log. Call `record` in the transaction of the change.

Every slice writes here, so this slice imports none of them; its endpoints are in `projects`.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.api.record_files import RecordFormat
from edison.db.session import Database
from edison.kit import clock, origin
from edison.workspace.audit import export
from edison.workspace.audit.models import AuditEntry
from edison.workspace.audit.repository import AuditLog
from edison.workspace.audit.schemas import AuditFilter


def record(
    session: AsyncSession,
    action: str,
    *,
    entity: tuple[str, UUID | str | None],
    project_id: UUID | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Record a change. `entity` is (type, id); `before` and `after` hold what differs, no
    secrets.
    """
    session.add(_entry(action, entity=entity, project_id=project_id, before=before, after=after))


async def record_denied(
    database: Database,
    action: str,
    *,
    entity: tuple[str, UUID | str | None],
    project_id: UUID | None = None,
) -> None:
    """Record a refusal in a transaction of its own, since the refused request's is rolled back."""
    async with database.write() as session:
        session.add(_entry(action, entity=entity, project_id=project_id, outcome="denied"))


async def list_entries(
    session: AsyncSession, *, project_id: UUID, wanted: AuditFilter, page: PageRequest
) -> Slice[AuditEntry]:
    return await AuditLog(session).list_of_project(project_id, wanted=wanted, page=page)


async def list_of_entities(
    session: AsyncSession,
    *,
    entities: Mapping[str, Collection[UUID]],
    actions: Collection[str],
    limit: int,
) -> Sequence[AuditEntry]:
    """Actions on the given entities, latest first. `entities` are ids by type."""
    return await AuditLog(session).list_of_entities(entities, actions=actions, limit=limit)


async def export_entries(
    database: Database, *, project_id: UUID, wanted: AuditFilter, file_format: RecordFormat
) -> AsyncIterator[bytes]:
    """A file of entries. The export is recorded too, as the first entry in the file."""
    filters = {name: value for name, value in asdict(wanted).items() if value is not None}
    async with database.write() as session:
        record(
            session,
            "audit.exported",
            entity=("audit", project_id),
            project_id=project_id,
            after={"format": file_format, **filters},
        )
    return export.stream_entries(
        database, project_id=project_id, wanted=wanted, file_format=file_format
    )


def _entry(
    action: str, *, entity: tuple[str, UUID | str | None], outcome: str = "allowed", **values: Any
) -> AuditEntry:
    source = origin.current()
    entity_type, entity_id = entity
    return AuditEntry(
        at=clock.now(),
        actor_id=source.user_id,
        actor=source.user_email,
        action=action,
        entity_type=entity_type,
        entity_id=None if entity_id is None else str(entity_id)[:64],
        outcome=outcome,
        address=source.address,
        user_agent=source.user_agent,
        trace_id=source.trace_id,
        **values,
    )
