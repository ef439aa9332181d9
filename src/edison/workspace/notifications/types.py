"""Kinds of notifications and links to their subjects, declared by the slices that notify."""

from collections.abc import Callable
from typing import Literal
from uuid import UUID

from edison.api.schema import Schema
from edison.kit.lazy_dataclasses import dataclass

Tone = Literal["accent", "danger", "warning", "success", "info"]
Icon = Literal["alert", "budget", "done", "ended", "failure", "plug", "recovered", "review"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationKind:
    """`key` is stored and is the event type of webhooks; never rename it. `in_app` and `by_email`
    are the defaults of users without a preference. `facts` is the schema of the structured part of
    its messages.
    """

    key: str
    label: str
    hint: str
    tone: Tone
    icon: Icon
    in_app: bool = True
    by_email: bool = False
    facts: type[Schema] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationSubject:
    """What a notification is about: `entity` is (type, id), and so is `part`, what to look at in
    it, if not the whole.
    """

    entity: tuple[str, UUID]
    part: tuple[str, UUID] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationSource:
    """What one slice notifies about. `path` returns the page of a subject of this entity type,
    below the project's page, such as `/budgets`.
    """

    entity_type: str
    path: Callable[[NotificationSubject], str]
    kinds: tuple[NotificationKind, ...] = ()
