"""News for users and destinations, and the bodies of the notification routes."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, Field

from edison.api.schema import Schema
from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.notifications.kinds import find_kind, path_of
from edison.workspace.notifications.types import Icon, NotificationKind, NotificationSubject, Tone


def _known(key: str) -> str:
    if find_kind(key) is None:
        raise ValueError("Unknown kind of notification. GET /notifications/kinds lists all.")
    return key


KindKey = Annotated[str, AfterValidator(_known), Field(max_length=40, examples=["review_waiting"])]


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Something that members of a project should know or act on. `entity` and `part` are those of
    `Subject`. `title`, `body` and `facts` contain no prompt text and no answers; `content` may, and
    goes only to destinations that include it.
    """

    project_id: UUID
    kind: NotificationKind
    entity: tuple[str, UUID]
    part: tuple[str, UUID] | None = None
    title: str
    body: str
    facts: Schema | None = None
    content: str | None = None

    @property
    def path(self) -> str:
        """The page to open, relative to the site."""
        return path_of(self.project_id, NotificationSubject(entity=self.entity, part=self.part))


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationFilter:
    """Which of one's notifications to list."""

    is_unread: Annotated[bool | None, Field(description="Only unread notifications")] = None
    project_id: UUID | None = None
    kind: KindKey | None = None


class NotificationRead(Schema):
    """`entity_type` and `entity_id` name the object in the project; `part_type` and `part_id` the
    part of it, null for the whole object. `path` is the page to open.
    """

    id: UUID
    kind: str
    project_id: UUID
    entity_type: Annotated[str, Field(examples=["experiment"])]
    entity_id: UUID
    part_type: Annotated[str | None, Field(examples=["iteration"])]
    part_id: UUID | None
    path: Annotated[str, Field(examples=["/p/0198f0c2-…/experiments/0198f0c3-…"])]
    title: str
    body: str
    created_at: datetime
    read_at: datetime | None


class NotificationKindRead(Schema):
    """A kind of notification. Destinations subscribe to kinds, and `kind` is the event type of
    webhooks. `in_app` and `by_email` are the defaults of users.
    """

    kind: Annotated[str, Field(examples=["review_waiting"])]
    label: str
    hint: str
    tone: Tone
    icon: Icon
    in_app: bool
    by_email: bool
    facts: Annotated[
        dict[str, Any] | None, Field(description="JSON Schema of `data.facts` in webhooks")
    ]


class UnreadCount(Schema):
    count: int


class PreferenceRead(Schema):
    """Channels for one kind of notification."""

    kind: KindKey
    in_app: bool
    by_email: bool


class PreferencesRead(Schema):
    """Without a mail server `is_email_available` is false, and no email is sent."""

    is_email_available: bool
    preferences: list[PreferenceRead]


class PreferencesChange(Schema):
    """Kinds that are left out keep their preferences."""

    preferences: Annotated[list[PreferenceRead], Field(min_length=1, max_length=50)]
