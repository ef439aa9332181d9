"""All SQL about projects and their members."""

from uuid import UUID

from sqlalchemy import and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.workspace.projects.models import Project, ProjectMember, Role


class Projects:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def find_with_role(
        self, key: str, *, user_id: UUID
    ) -> tuple[Project, Role | None] | None:
        """A project by slug or id, and the user's role in it if they are a member."""
        matches = Project.slug == key
        try:
            matches = or_(matches, Project.id == UUID(key))
        except ValueError:
            pass
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
