"""Notifies members that their role in a project has changed. A mail goes out besides, where a mail
server is set.
"""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.workspace.notifications import service
from edison.workspace.notifications.schemas import News
from edison.workspace.notifications.types import NotificationKind, NotificationSource
from edison.workspace.projects.models import ProjectMember

ROLE_CHANGED = NotificationKind(
    key="role_changed",
    label="Role changed",
    hint="Your role in a project was changed.",
    tone="info",
    icon="done",
)
NOTIFICATIONS = NotificationSource(
    entity_type="member", path=lambda _: "/members", kinds=(ROLE_CHANGED,)
)


async def notify_role_changed(session: AsyncSession, member: ProjectMember, by: str) -> None:
    """Hook of `workspace/projects`."""
    news = News(
        project_id=member.project_id,
        kind=ROLE_CHANGED,
        entity=("member", member.id),
        title=f"You are {member.role} now",
        body=f"{by} changed your role in this project.",
    )
    await service.notify(session, news, user_ids=[member.user_id])
