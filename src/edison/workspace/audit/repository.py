"""Queries that read the audit log."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Select, and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.workspace.audit.models import AuditEntry
from edison.workspace.audit.schemas import AuditFilter

_ENTRIES = Sorting(columns={"at": AuditEntry.at}, default="-at", id=AuditEntry.id)


class AuditLog:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_project(
        self, project_id: UUID, *, wanted: AuditFilter, page: PageRequest
    ) -> Slice[AuditEntry]:
        statement = _matching(project_id, wanted)
        return await paginate(self._session, statement, page=page, sorting=_ENTRIES)

    async def list_of_entities(
        self, entities: Mapping[str, Collection[UUID]], *, actions: Collection[str], limit: int
    ) -> Sequence[AuditEntry]:
        """Excludes refused actions."""
        one_of_them = or_(
            *(
                and_(
                    AuditEntry.entity_type == entity_type,
                    AuditEntry.entity_id.in_([str(each) for each in ids]),
                )
                for entity_type, ids in entities.items()
            )
        )
        found = await self._session.scalars(
            select(AuditEntry)
            .where(one_of_them, AuditEntry.action.in_(actions), AuditEntry.outcome == "allowed")
            .order_by(AuditEntry.at.desc(), AuditEntry.id.desc())
            .limit(limit)
        )
        return found.all()

    async def list_older(
        self, project_id: UUID, *, wanted: AuditFilter, than: AuditEntry | None, limit: int
    ) -> Sequence[AuditEntry]:
        """The entries after `than`, latest first."""
        statement = _matching(project_id, wanted)
        if than is not None:
            at_once = and_(AuditEntry.at == than.at, AuditEntry.id < than.id)
            statement = statement.where(or_(AuditEntry.at < than.at, at_once))
        newest_first = statement.order_by(AuditEntry.at.desc(), AuditEntry.id.desc())
        return (await self._session.scalars(newest_first.limit(limit))).all()


def _matching(project_id: UUID, wanted: AuditFilter) -> Select[Any]:
    conditions = [AuditEntry.project_id == project_id]
    if wanted.q:
        searched = (
            AuditEntry.action,
            AuditEntry.actor,
            AuditEntry.entity_type,
            AuditEntry.entity_id,
        )
        conditions.append(or_(*(contains(column, wanted.q) for column in searched)))
    if wanted.action:
        conditions.append(AuditEntry.action == wanted.action)
    if wanted.actor:
        conditions.append(AuditEntry.actor == wanted.actor.lower())
    if wanted.entity_type:
        conditions.append(AuditEntry.entity_type == wanted.entity_type)
    if wanted.outcome:
        conditions.append(AuditEntry.outcome == wanted.outcome)
    if wanted.since:
        conditions.append(AuditEntry.at >= wanted.since)
    if wanted.until:
        conditions.append(AuditEntry.at < wanted.until)
    return select(AuditEntry).where(*conditions)
