"""Writing the audit log. Call `record` in the transaction of the change it speaks of."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock, origin
from edison.workspace.audit.models import AuditEntry


def record(
    session: AsyncSession,
    action: str,
    *,
    entity: tuple[str, UUID | str | None],
    project_id: UUID | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Note a change: `entity` is (type, id), `before` and `after` hold what differs, no secrets."""
    session.add(_entry(action, entity=entity, project_id=project_id, before=before, after=after))


async def record_denied(
    database: Database,
    action: str,
    *,
    entity: tuple[str, UUID | str | None],
    project_id: UUID | None = None,
) -> None:
    """Note a refusal in a transaction of its own, since the refused request's is rolled back."""
    async with database.write() as session:
        session.add(_entry(action, entity=entity, project_id=project_id, outcome="denied"))


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
