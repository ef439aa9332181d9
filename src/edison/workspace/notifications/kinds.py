"""Registry of notification kinds and of links, filled at start by `app/notification_sources.py`."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from edison.workspace.notifications.types import (
    NotificationKind,
    NotificationSource,
    NotificationSubject,
)

_kinds: dict[str, NotificationKind] = {}
_sources: dict[str, NotificationSource] = {}


def register(sources: Iterable[NotificationSource]) -> None:
    """Idempotent. The order of the sources is the order in which users see the kinds."""
    for source in sources:
        _sources[source.entity_type] = source
        for kind in source.kinds:
            _kinds[kind.key] = kind


def list_kinds() -> Sequence[NotificationKind]:
    return tuple(_kinds.values())


def find_kind(key: str) -> NotificationKind | None:
    return _kinds.get(key)


def path_of(project_id: UUID, subject: NotificationSubject) -> str:
    """The page on which a user can act. The project goes by its id, which stays when it is
    renamed.
    """
    project = f"/p/{project_id}"
    source = _sources.get(subject.entity[0])
    return project if source is None else project + source.path(subject)
