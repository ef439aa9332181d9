"""Queries of projects, members and invitations."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from sqlalchemy import String, and_, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, Sorting, contains, paginate
from edison.db import upsert
from edison.db.base import UtcDateTime
from edison.kit import clock
from edison.workspace.accounts.models import User
from edison.workspace.audit.models import AuditEntry
from edison.workspace.events.service import access_changed
from edison.workspace.projects.models import (
    Invitation,
    Project,
    ProjectMember,
    ProjectSettings,
    Role,
)
from edison.workspace.projects.schemas import ProjectFilter

MemberRow = tuple[ProjectMember, User]
InvitationRow = tuple[Invitation, str | None]

# When something in the project was last changed, by the audit log.
_CHANGED_AT = func.coalesce(
    select(func.max(AuditEntry.at))
    .where(AuditEntry.project_id == Project.id, AuditEntry.outcome == "allowed")
    .correlate(Project)
    .scalar_subquery(),
    Project.updated_at,
    type_=UtcDateTime(),
)

_PROJECTS = Sorting(
    columns={
        "changed_at": _CHANGED_AT,
        "updated_at": Project.updated_at,
        "created_at": Project.created_at,
        "name": func.lower(Project.name, type_=String()),
    },
    default="-changed_at",
    id=Project.id,
)
_MEMBERS = Sorting(
    columns={"joined_at": ProjectMember.joined_at, "email": User.email},
    default="joined_at",
    id=ProjectMember.id,
)
_INVITATIONS = Sorting(
    columns={"created_at": Invitation.created_at, "expires_at": Invitation.expires_at},
    default="-created_at",
    id=Invitation.id,
)


class Projects:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def find_with_role(
        self, key: str, *, user_id: UUID
    ) -> tuple[Project, Role | None] | None:
        """A project by slug or id, with the user's role if they are a member."""
        if not (key.isascii() and key.isprintable()):
            return None
        matches = Project.slug == key
        with suppress(ValueError):
            matches = or_(matches, Project.id == UUID(key))
        membership = and_(ProjectMember.project_id == Project.id, ProjectMember.user_id == user_id)
        row = (
            await self._session.execute(
                select(Project, ProjectMember.role)
                .outerjoin(ProjectMember, membership)
                .where(matches)
            )
        ).first()
        if row is None:
            return None
        return row[0], None if row[1] is None else Role(row[1])

    async def list_slugs(self) -> list[str]:
        return list(
            (await self._session.scalars(select(Project.slug).order_by(Project.slug))).all()
        )

    async def list_without_members(self) -> Sequence[UUID]:
        has_members = exists().where(ProjectMember.project_id == Project.id)
        found = await self._session.scalars(select(Project.id).where(~has_members))
        return found.all()

    async def find_by_slug(self, slug: str) -> Project | None:
        return await self._session.scalar(select(Project).where(Project.slug == slug))

    async def list_slugs_of_user(self, user_id: UUID) -> Sequence[tuple[UUID, str, str]]:
        """Id, slug and name of each."""
        rows = await self._session.execute(
            select(Project.id, Project.slug, Project.name)
            .join(ProjectMember, ProjectMember.project_id == Project.id)
            .where(ProjectMember.user_id == user_id)
            .order_by(Project.slug)
        )
        return [(project_id, slug, name) for project_id, slug, name in rows]

    async def list_names_of_user(self, user_id: UUID) -> dict[UUID, str]:
        rows = await self._session.execute(
            select(Project.id, Project.name)
            .join(ProjectMember, ProjectMember.project_id == Project.id)
            .where(ProjectMember.user_id == user_id)
        )
        return {project_id: name for project_id, name in rows}

    async def list_of_user(
        self,
        user_id: UUID,
        *,
        wanted: ProjectFilter,
        page: PageRequest,
        only: Collection[UUID] | None = None,
    ) -> Slice[tuple[Project, str]]:
        statement = (
            select(Project, ProjectMember.role)
            .join(ProjectMember, ProjectMember.project_id == Project.id)
            .where(ProjectMember.user_id == user_id)
        )
        if only is not None:
            statement = statement.where(Project.id.in_(only))
        if wanted.status != "all":
            is_active = Project.archived_at.is_(None)
            statement = statement.where(is_active if wanted.status == "active" else ~is_active)
        if wanted.role is not None:
            statement = statement.where(ProjectMember.role == wanted.role)
        if page.q is not None:
            statement = statement.where(contains(Project.name, page.q))
        return await paginate(self._session, statement, page=page, sorting=_PROJECTS)

    async def find_changes(self, project_ids: Collection[UUID]) -> dict[UUID, datetime]:
        """When each project was last changed."""
        rows = await self._session.execute(
            select(Project.id, _CHANGED_AT).where(Project.id.in_(project_ids))
        )
        return {project_id: changed_at for project_id, changed_at in rows}

    async def count_members(self, project_ids: Collection[UUID]) -> dict[UUID, int]:
        rows = await self._session.execute(
            select(ProjectMember.project_id, func.count())
            .where(ProjectMember.project_id.in_(project_ids))
            .group_by(ProjectMember.project_id)
        )
        return {project_id: number for project_id, number in rows}

    async def add(self, *, slugs: Iterator[str], **values: Any) -> Project:
        """Insert with the first free slug. Safe against concurrent inserts."""
        while True:
            batch = list(islice(slugs, 50))
            taken = set(
                await self._session.scalars(select(Project.slug).where(Project.slug.in_(batch)))
            )
            for slug in batch:
                if slug not in taken and (added := await self._add_as(slug, values)) is not None:
                    return added

    async def _add_as(self, slug: str, values: dict[str, Any]) -> Project | None:
        added: Project | None = await self._session.scalar(
            upsert.insert(self._session, Project)
            .values(slug=slug, **values)
            .on_conflict_do_nothing(index_elements=["slug"])
            .returning(Project)
        )
        return added

    async def set_archived(self, project_id: UUID, *, at: datetime | None) -> Project | None:
        """None when the project already is in the requested state."""
        is_archived = Project.archived_at.is_not(None)
        return await self._session.scalar(
            update(Project)
            .where(Project.id == project_id, is_archived if at is None else ~is_archived)
            .values(archived_at=at)
            .returning(Project)
            .execution_options(populate_existing=True)
        )

    async def touch(self, project_id: UUID) -> None:
        """Update `updated_at`, so the project is first in lists."""
        await self._session.execute(
            update(Project).where(Project.id == project_id).values(updated_at=clock.now())
        )

    async def lock(self, project_id: UUID) -> None:
        """Lock the project row, to serialise decisions that depend on several members or
        invitations.

        SQLite has no row locks and needs none: write transactions run alone.
        """
        await self._session.execute(
            select(Project.id).where(Project.id == project_id).with_for_update(key_share=True)
        )

    async def remove(self, project_id: UUID) -> bool:
        access_changed(self._session)
        removed = await self._session.scalar(
            delete(Project).where(Project.id == project_id).returning(Project.id)
        )
        return removed is not None

    async def find_settings(self, project_id: UUID) -> ProjectSettings | None:
        return await self._session.get(ProjectSettings, project_id, populate_existing=True)

    async def save_settings(
        self, project_id: UUID, *, version: int, values: dict[str, Any]
    ) -> ProjectSettings | None:
        """None when `version` is not the current one."""
        return await self._session.scalar(
            update(ProjectSettings)
            .where(ProjectSettings.project_id == project_id, ProjectSettings.version == version)
            .values(version=version + 1, updated_at=clock.now(), **values)
            .returning(ProjectSettings)
            .execution_options(populate_existing=True)
        )


class Members:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_user_ids(self, project_id: UUID, roles: Collection[Role]) -> Sequence[UUID]:
        found = await self._session.scalars(
            select(ProjectMember.user_id)
            .where(ProjectMember.project_id == project_id, ProjectMember.role.in_(roles))
            .order_by(ProjectMember.joined_at, ProjectMember.user_id)
        )
        return found.all()

    async def list_of_project(
        self, project_id: UUID, *, role: Role | None, page: PageRequest
    ) -> Slice[MemberRow]:
        statement = (
            select(ProjectMember, User)
            .join(User, User.id == ProjectMember.user_id)
            .where(ProjectMember.project_id == project_id)
        )
        if role is not None:
            statement = statement.where(ProjectMember.role == role)
        if page.q is not None:
            statement = statement.where(
                or_(contains(User.email, page.q), contains(User.name, page.q))
            )
        return await paginate(self._session, statement, page=page, sorting=_MEMBERS)

    async def find(self, project_id: UUID, member_id: UUID) -> MemberRow | None:
        return await self._find(project_id, ProjectMember.id == member_id)

    async def find_by_user(self, project_id: UUID, user_id: UUID) -> MemberRow | None:
        return await self._find(project_id, ProjectMember.user_id == user_id)

    async def _find(self, project_id: UUID, matches: Any) -> MemberRow | None:
        rows = await self._session.execute(
            select(ProjectMember, User)
            .join(User, User.id == ProjectMember.user_id)
            .where(ProjectMember.project_id == project_id, matches)
            .execution_options(populate_existing=True)
        )
        found = rows.one_or_none()
        return None if found is None else (found[0], found[1])

    async def is_of_user(self, member_id: UUID, user_id: UUID) -> bool:
        found = await self._session.scalar(
            select(ProjectMember.id).where(
                ProjectMember.id == member_id, ProjectMember.user_id == user_id
            )
        )
        return found is not None

    async def add(self, project_id: UUID, user_id: UUID, role: Role) -> ProjectMember | None:
        """None when the user is a member already, including by a concurrent request."""
        added: ProjectMember | None = await self._session.scalar(
            upsert.insert(self._session, ProjectMember)
            .values(project_id=project_id, user_id=user_id, role=role, joined_at=clock.now())
            .on_conflict_do_nothing(index_elements=["project_id", "user_id"])
            .returning(ProjectMember)
        )
        return added

    async def count_owners(self, project_id: UUID) -> int:
        """Exact only while the project is locked."""
        owners = await self._session.scalar(
            select(func.count()).where(
                ProjectMember.project_id == project_id, ProjectMember.role == Role.OWNER
            )
        )
        return owners or 0

    async def remove(self, member: ProjectMember) -> None:
        access_changed(self._session)
        await self._session.delete(member)
        await self._session.flush()


class Invitations:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def list_of_project(self, project_id: UUID, *, page: PageRequest) -> Slice[InvitationRow]:
        statement = (
            select(Invitation, User.email)
            .outerjoin(User, User.id == Invitation.invited_by_id)
            .where(Invitation.project_id == project_id)
        )
        if page.q is not None:
            statement = statement.where(contains(Invitation.email, page.q))
        return await paginate(self._session, statement, page=page, sorting=_INVITATIONS)

    async def find_by_digest(self, digest: str) -> tuple[Invitation, Project, str | None] | None:
        """The invitation, its project, and the inviter's email."""
        rows = await self._session.execute(
            select(Invitation, Project, User.email)
            .join(Project, Project.id == Invitation.project_id)
            .outerjoin(User, User.id == Invitation.invited_by_id)
            .where(Invitation.digest == digest)
        )
        found = rows.one_or_none()
        return None if found is None else (found[0], found[1], found[2])

    async def exists(self, project_id: UUID, invitation_id: UUID) -> bool:
        found = await self._session.scalar(
            select(Invitation.id).where(
                Invitation.id == invitation_id, Invitation.project_id == project_id
            )
        )
        return found is not None

    async def add(self, invitation: Invitation) -> Invitation:
        self._session.add(invitation)
        await self._session.flush()
        return invitation

    async def remove_open(
        self, project_id: UUID, *, email: str | None = None, invitation_id: UUID | None = None
    ) -> list[Invitation]:
        """Delete unaccepted invitations, by email or by id."""
        matches = Invitation.id == invitation_id if email is None else Invitation.email == email
        removed = await self._session.scalars(
            delete(Invitation)
            .where(Invitation.project_id == project_id, Invitation.accepted_at.is_(None), matches)
            .returning(Invitation)
        )
        return list(removed)

    async def use(self, invitation_id: UUID) -> bool:
        """True for exactly one of any concurrent callers."""
        now = clock.now()
        used = await self._session.scalar(
            update(Invitation)
            .where(
                Invitation.id == invitation_id,
                Invitation.accepted_at.is_(None),
                Invitation.expires_at > now,
            )
            .values(accepted_at=now)
            .returning(Invitation.id)
        )
        return used is not None
