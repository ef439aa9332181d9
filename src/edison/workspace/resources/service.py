"""Decisions shared by resources: names, archiving, deletion, versions. `rows` is the repository of
the resource's slice; every function works in the transaction of its session.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from itertools import count
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.schema import Schema
from edison.kit import clock
from edison.kit.errors import Conflict
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events
from edison.workspace.resources import changes
from edison.workspace.resources.errors import Archived, DuplicateName, InUse, Stale, Unchanged
from edison.workspace.resources.models import LONGEST_NAME, Resource
from edison.workspace.resources.repository import (
    Resources,
    Row,
    VersionedResources,
    VersionedRow,
    VersionRow,
)
from edison.workspace.resources.schemas import ChangesRead


async def note(
    session: AsyncSession,
    row: Resource,
    action: str,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Record a change in the audit log, and publish it. Call it last: locks the project's event
    stream until the transaction ends.
    """
    record(session, row, action, before=before, after=after)
    await publish(session, row)


def record(
    session: AsyncSession,
    row: Resource,
    action: str,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Record a change in the audit log only."""
    audit.record(
        session,
        f"{row.NOUN}.{action}",
        entity=(row.NOUN, row.id),
        project_id=row.project_id,
        before=before,
        after=after,
    )


async def publish(session: AsyncSession, row: Resource) -> None:
    """Notify open pages that the resource or its contents changed. Call it last."""
    await events.publish(
        session,
        stream=events.project_stream(row.project_id),
        kind=f"{row.NOUN}.changed",
        data={"entity_id": str(row.id)},
    )


def check_active(row: Resource) -> None:
    """Raises Archived."""
    if row.archived_at is not None:
        raise Archived(row.noun)


async def lock_active(rows: Resources[Row], project_id: UUID, row_id: UUID) -> Row:
    """Lock the resource for a change. Raises NotFound or Archived."""
    row = await rows.get(project_id, row_id, to_change=True)
    check_active(row)
    return row


async def check_name(rows: Resources[Row], project_id: UUID, name: str) -> None:
    """Raises DuplicateName."""
    if await rows.has_name(project_id, name):
        raise DuplicateName(rows.noun, is_hidden=rows.hides_archived)


async def change_fields(
    rows: Resources[Row], row: Row, wanted: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Set the fields that differ; returns their old and new values. Raises DuplicateName."""
    after = {field: value for field, value in wanted.items() if getattr(row, field) != value}
    before = {field: getattr(row, field) for field in after}
    if "name" in after:
        await check_name(rows, row.project_id, after["name"])
    for field, value in after.items():
        setattr(row, field, value)
    await rows.session.flush()
    return before, after


async def change(rows: Resources[Row], row: Row, wanted: Schema) -> None:
    """Rename or describe a resource that is locked. Fields that were not sent are kept. Raises
    DuplicateName.
    """
    fields = wanted.model_dump(include=wanted.model_fields_set)
    before, after = await change_fields(rows, row, fields)
    await note(rows.session, row, "changed", before=before, after=after)


async def set_archived(rows: Resources[Row], row: Row, *, is_archived: bool) -> Row:
    """Archive or restore a resource that is locked. Raises Conflict when it already is."""
    if not await rows.set_archived(row.id, at=clock.now() if is_archived else None):
        state = "already" if is_archived else "not"
        raise Conflict(f"This {rows.noun} is {state} archived.")
    await note(rows.session, row, "archived" if is_archived else "unarchived")
    return row


async def delete_unused(
    rows: Resources[Row], row: Row, *, use: str | None, before: dict[str, Any]
) -> None:
    """Delete a resource that is locked, with everything that belongs to it. `use` is a sentence
    about what still uses it: raises InUse. `before` is for the audit log.
    """
    if use is not None:
        raise InUse(use)
    await rows.remove(row.id)
    await note(rows.session, row, "deleted", before=before)


async def find_free_name(rows: Resources[Row], project_id: UUID, name: str) -> str:
    """The name, or a similar one that is free in the project."""
    if not await rows.has_name(project_id, name):
        return name
    return await find_copy_name(rows, project_id, name)


async def find_copy_name(rows: Resources[Row], project_id: UUID, name: str) -> str:
    """A free name for a copy of the resource with this name."""
    names = numbered_names(name, suffix=" copy")
    free = next(names)
    while await rows.has_name(project_id, free):
        free = next(names)
    return free


def numbered_names(name: str, *, suffix: str = "") -> Iterator[str]:
    """`Name`, `Name 2`, `Name 3`, … within the allowed length; a suffix precedes the number."""
    for number in count(1):
        ending = suffix if number == 1 else f"{suffix} {number}"
        yield name[: LONGEST_NAME - len(ending)].rstrip() + ending


async def add_versioned(
    rows: VersionedResources[VersionedRow, VersionRow], row: VersionedRow, first: VersionRow
) -> None:
    """Add a resource with its first version. Raises DuplicateName."""
    await check_name(rows, row.project_id, row.name)
    await rows.add(row)
    await rows.add_version(first)


async def save_version(
    rows: VersionedResources[VersionedRow, VersionRow],
    row: VersionedRow,
    version: VersionRow,
    *,
    based_on: int,
    describe: Callable[[], Awaitable[Schema]],
) -> None:
    """Add the next version of a resource that is locked; its number is assigned here. Raises Stale
    with the described resource when a version was saved after `based_on`, and Unchanged when the
    contents equal the latest version.
    """
    latest = await rows.get_latest(row)
    if based_on != latest.number:
        current = await describe()
        raise Stale(f"this {rows.noun}", current=current.model_dump(mode="json"))
    if latest.digest == version.digest:
        raise Unchanged(latest.label)
    version.number = row.latest_number = latest.number + 1
    await rows.add_version(version)
    await note(rows.session, row, "version_saved", after={"version": version.number})


async def compare_versions(
    rows: VersionedResources[VersionedRow, VersionRow],
    row: VersionedRow,
    *,
    left: UUID,
    right: UUID,
    contents: Callable[[VersionRow], Mapping[str, Any]],
) -> ChangesRead:
    """What differs between two versions, value by value."""
    before, after = [await rows.get_version(row.id, each) for each in (left, right)]
    return ChangesRead(
        left=before.label,
        right=after.label,
        changes=changes.list_changes(contents(before), contents(after)),
    )
