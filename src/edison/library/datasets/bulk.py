"""Bulk changes of cases, and undo of the last one.

A bulk change copies its cases into their history under its own id. Undo restores them from there,
and only if every case is still as the change left it.
"""

from typing import Literal, assert_never
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.kit.errors import Conflict, FieldProblem, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.contents import MOST_TAGS, find_wrong_tag
from edison.library.datasets.errors import CannotUndo, SelectionChanged
from edison.library.datasets.models import BulkChange, Case, Dataset
from edison.library.datasets.repository.bulk import BulkChanges
from edison.library.datasets.repository.cases import Cases
from edison.library.datasets.repository.datasets import Datasets
from edison.library.datasets.repository.filters import Condition, matching, with_ids
from edison.library.datasets.schemas.datasets import (
    AddTags,
    BulkAction,
    BulkChangeRead,
    BulkResult,
    Delete,
    RemoveTags,
    ReplaceTags,
    Selection,
    SetSplit,
)
from edison.workspace.audit import service as audit
from edison.workspace.resources.service import publish


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """A bulk change in progress."""

    session: AsyncSession
    dataset: Dataset
    author_id: UUID | None
    change_id: UUID

    @property
    def bulk(self) -> BulkChanges:
        return BulkChanges(self.session, self.dataset.id)


async def change_cases(
    session: AsyncSession,
    *,
    dataset: tuple[UUID, UUID],
    selection: Selection,
    change: BulkAction,
    author_id: UUID,
) -> BulkResult:
    """Change all selected cases, or none. `dataset` is (project id, dataset id).

    Cases that need no change keep their version.
    """
    _check_tags(change)
    project_id, dataset_id = dataset
    touched = await Datasets(session).touch(project_id, dataset_id)
    doing = _Change(session=session, dataset=touched, author_id=author_id, change_id=ids.new_id())
    conditions = _conditions(dataset_id, selection)
    await _check_count(doing, conditions, selection.count)
    if (needed := _needed(doing, change)) is not None:
        conditions.append(needed)
    count = await Cases(session).keep_versions(conditions, change_id=doing.change_id)
    last = None
    if count:
        await _carry_out(doing, change)
        last = await _remember(doing, action=change.action, count=count)
    audit.record(
        session,
        "cases.changed",
        entity=("dataset", dataset_id),
        project_id=project_id,
        after={"count": count, **change.model_dump(mode="json")},
    )
    await publish(session, touched)
    return BulkResult(count=count, last_change=last)


async def delete_case(
    session: AsyncSession, *, project_id: UUID, dataset_id: UUID, case_id: UUID, author_id: UUID
) -> None:
    """Delete one case; can be undone like a bulk deletion."""
    result = await change_cases(
        session,
        dataset=(project_id, dataset_id),
        selection=Selection(ids=[case_id]),
        change=Delete(action="delete"),
        author_id=author_id,
    )
    if result.count == 0:
        raise NotFound("There is no such case.")


async def remember_addition(
    session: AsyncSession,
    dataset: Dataset,
    *,
    action: Literal["import", "add"],
    import_id: UUID,
    count: int,
    author_id: UUID | None,
) -> None:
    """Record that cases were added with this `import_id`, from a file or by another slice."""
    doing = _Change(session=session, dataset=dataset, author_id=author_id, change_id=import_id)
    await _remember(doing, action=action, count=count)


async def undo(
    session: AsyncSession,
    *,
    project_id: UUID,
    dataset_id: UUID,
    change_id: UUID,
    author_id: UUID,
) -> int:
    """Undo the last bulk change; returns how many cases changed.

    Raises CannotUndo when it is no longer the last bulk change, or when its cases changed since.
    """
    dataset = await Datasets(session).touch(project_id, dataset_id)
    bulk = BulkChanges(session, dataset_id)
    last = await bulk.find_last()
    if last is None or last.change_id != change_id:
        raise CannotUndo("This change cannot be undone any more: another one came after it.")
    stamp = {"author_id": author_id, "updated_at": clock.now()}
    if last.action == "delete":
        undone = await bulk.bring_back(change_id)
    elif last.action in ("import", "add"):
        undone = await bulk.delete_added(change_id)
    else:
        undone = await bulk.count_unchanged(change_id)
        await Cases(session).keep_versions(bulk.changed_by(change_id), change_id=None)
        await bulk.put_back(change_id, **stamp)
    if undone != last.count:
        raise CannotUndo(
            f"{last.count - undone:,} of the {last.count:,} cases were changed since. "
            "Nothing was undone."
        )
    await bulk.forget(last)
    await Datasets(session).count_cases(dataset)
    audit.record(
        session,
        "cases.change_undone",
        entity=("dataset", dataset_id),
        project_id=project_id,
        before={"action": last.action, "count": last.count},
    )
    await publish(session, dataset)
    return undone


def _conditions(dataset_id: UUID, selection: Selection) -> list[Condition]:
    if selection.matching is None:
        return with_ids(dataset_id, selection.ids or [])
    wanted = selection.matching
    return matching(dataset_id, wanted.as_filter(), q=wanted.q)


async def _check_count(doing: _Change, conditions: list[Condition], expected: int | None) -> None:
    if expected is not None:
        count = await doing.bulk.count(conditions)
        if count != expected:
            raise SelectionChanged(count)


def _check_tags(change: BulkAction) -> None:
    added: list[tuple[str, str]] = []
    if isinstance(change, AddTags):
        added = [("change.tags", tag) for tag in change.tags]
    elif isinstance(change, ReplaceTags):
        added = [("change.by", change.by)]
    problems = [
        FieldProblem(field=field, message=message, code="bad_tag")
        for field, tag in added
        if (message := find_wrong_tag(tag)) is not None
    ]
    if problems:
        raise Invalid(*problems)


def _needed(doing: _Change, change: BulkAction) -> Condition | None:
    """Condition for the selected cases that need a change."""
    match change:
        case AddTags():
            return doing.bulk.lacking(change.tags)
        case RemoveTags():
            return doing.bulk.having(change.tags)
        case ReplaceTags():
            return doing.bulk.having([tag for tag in change.tags if tag != change.by])
        case SetSplit():
            return Case.split != change.split
        case Delete():
            return None
        case _:
            assert_never(change)


async def _carry_out(doing: _Change, change: BulkAction) -> None:
    bulk, change_id = doing.bulk, doing.change_id
    match change:
        case AddTags():
            await bulk.add_tags(change_id, change.tags)
            if overloaded := await bulk.count_overloaded(change_id):
                raise Conflict(
                    f"{overloaded:,} of the cases would have more than {MOST_TAGS} tags. "
                    "Nothing was changed."
                )
        case RemoveTags():
            await bulk.remove_tags(change_id, change.tags)
        case ReplaceTags():
            await bulk.replace_tags(change_id, change.tags, change.by)
        case SetSplit():
            await bulk.set_split(change_id, change.split)
        case Delete():
            await bulk.delete_kept(change_id)
            await Datasets(doing.session).count_cases(doing.dataset)
            return
        case _:
            assert_never(change)
    await bulk.mark_changed(change_id, author_id=doing.author_id, updated_at=clock.now())


async def _remember(doing: _Change, *, action: str, count: int) -> BulkChangeRead:
    change = BulkChange(
        dataset_id=doing.dataset.id,
        change_id=doing.change_id,
        action=action,
        count=count,
        author_id=doing.author_id,
        created_at=clock.now(),
    )
    await doing.bulk.remember(change)
    return BulkChangeRead.model_validate(change)
