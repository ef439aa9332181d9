"""What Edison has to say to people, however it reaches them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import Field

from edison.api.schema import Schema
from edison.workspace.notifications.models import NotificationKind


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Something that people of a project should know or act on. `entity` is (type, id), and so is
    `part`: what to look at in it, if not the whole.
    """

    project_id: UUID
    kind: NotificationKind
    entity: tuple[str, UUID]
    part: tuple[str, UUID] | None = None
    title: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationFilter:
    """Which of one's notifications to list."""

    is_unread: Annotated[bool | None, Query(description="Only unread notifications")] = None
    project_id: Annotated[UUID | None, Query()] = None
    kind: Annotated[NotificationKind | None, Query()] = None


class NotificationRead(Schema):
    """`entity_type` and `entity_id` name the object in the project; `part_type` and `part_id` the
    part of it, null for the whole object.
    """

    id: UUID
    kind: NotificationKind
    project_id: UUID
    entity_type: Annotated[str, Field(examples=["experiment"])]
    entity_id: UUID
    part_type: Annotated[str | None, Field(examples=["iteration"])]
    part_id: UUID | None
    title: str
    body: str
    created_at: datetime
    read_at: datetime | None


class UnreadCount(Schema):
    count: int


class PreferenceRead(Schema):
    """Channels for one kind of notification."""

    kind: NotificationKind
    in_app: bool
    by_email: bool


class PreferencesRead(Schema):
    """Without a mail server `is_email_available` is false, and no email is sent."""

    is_email_available: bool
    preferences: list[PreferenceRead]


class PreferencesChange(Schema):
    """Kinds that are left out keep their preferences."""

    preferences: Annotated[list[PreferenceRead], Field(min_length=1, max_length=50)]
