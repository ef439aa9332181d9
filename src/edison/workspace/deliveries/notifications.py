"""Notifies admins that Edison switched a destination off."""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.workspace.deliveries.models import Destination
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.schemas import News
from edison.workspace.notifications.types import NotificationKind, NotificationSource
from edison.workspace.projects.models import Role

DESTINATION_DISABLED = NotificationKind(
    key="destination_disabled",
    label="Destination switched off",
    hint="Messages to a destination failed for days, or its receiver no longer exists.",
    tone="warning",
    icon="plug",
    by_email=True,
)
NOTIFICATIONS = NotificationSource(
    entity_type="destination",
    path=lambda _: "/settings/destinations",
    kinds=(DESTINATION_DISABLED,),
)


async def notify_disabled(session: AsyncSession, destination: Destination, reason: str) -> None:
    await notifications.notify_members(
        session,
        News(
            project_id=destination.project_id,
            kind=DESTINATION_DISABLED,
            entity=("destination", destination.id),
            title=f"{destination.name} was switched off",
            body=f"{reason} Correct its address, send a test message, then enable it.",
        ),
        least=Role.ADMIN,
    )
