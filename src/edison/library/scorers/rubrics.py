"""Saved rubrics of a project: create, save versions, copy, archive, delete."""

from collections.abc import Sequence
from dataclasses import asdict
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.library.scorers import changes, named, view
from edison.library.scorers.criteria import CheckedCriteria, Notice, check_criteria
from edison.library.scorers.errors import InUse, StaleVersion, Unchanged
from edison.library.scorers.events import note
from edison.library.scorers.models import Rubric, RubricVersion
from edison.library.scorers.repository.rubrics import Rubrics
from edison.library.scorers.resolve import digest_of
from edison.library.scorers.rubric_schemas import (
    NoticeRead,
    RubricRead,
    RubricRequest,
    RubricSaved,
    RubricSummary,
    RubricVersionRead,
    RubricVersionRequest,
)
from edison.library.scorers.schemas import ChangesRead, NamedChange, RubricFilter

# How many scorers a message names before it counts the others.
_NAMED_SCORERS = 3


async def list_rubrics(
    session: AsyncSession, *, project_id: UUID, wanted: RubricFilter, page: PageRequest
) -> Slice[RubricSummary]:
    found = await Rubrics(session).page(project_id, status=wanted.status, page=page)
    items = await view.describe_rubrics(session, found.items)
    return Slice(items=items, next=found.next, total=found.total)


async def get_rubric(session: AsyncSession, *, project_id: UUID, rubric_id: UUID) -> RubricRead:
    row = await Rubrics(session).get_with_latest(project_id, rubric_id)
    return await view.describe_rubric(session, row)


async def create_rubric(
    session: AsyncSession, *, project_id: UUID, wanted: RubricRequest, author_id: UUID | None
) -> RubricSaved:
    checked = check_criteria(wanted.criteria)
    rubric = Rubric(
        id=ids.new_id(),
        project_id=project_id,
        name=wanted.name,
        description=wanted.description,
        latest_number=1,
    )
    rubrics = Rubrics(session)
    await named.check_name(rubrics, project_id, rubric.name)
    await rubrics.add(rubric)
    await rubrics.add(_version(rubric, checked, author_id=author_id))
    await note(session, rubric, "created", after={"name": rubric.name})
    return await _saved(session, rubric, checked.notices)


def _version(rubric: Rubric, checked: CheckedCriteria, *, author_id: UUID | None) -> RubricVersion:
    criteria = checked.as_json()
    return RubricVersion(
        id=ids.new_id(),
        rubric_id=rubric.id,
        number=rubric.latest_number,
        criteria=criteria,
        digest=digest_of(criteria),
        author_id=author_id,
        created_at=clock.now(),
    )


async def _saved(session: AsyncSession, rubric: Rubric, notices: Sequence[Notice]) -> RubricSaved:
    return RubricSaved(
        rubric=await get_rubric(session, project_id=rubric.project_id, rubric_id=rubric.id),
        notices=[NoticeRead(**asdict(each)) for each in notices],
    )


async def find_rubric_version(
    session: AsyncSession, *, project_id: UUID, version_id: UUID
) -> RubricVersion | None:
    """A version of a rubric of this project, by its own id."""
    found = await Rubrics(session).find_version(project_id, version_id)
    return None if found is None else found[1]


async def find_free_rubric_name(session: AsyncSession, *, project_id: UUID, name: str) -> str:
    """The name, or a similar one that is free in the project."""
    rubrics = Rubrics(session)
    if not await rubrics.has_name(project_id, name):
        return name
    return await named.free_copy_name(rubrics, Rubric(project_id=project_id, name=name))


async def save_version(
    session: AsyncSession,
    *,
    project_id: UUID,
    rubric_id: UUID,
    wanted: RubricVersionRequest,
    author_id: UUID | None,
) -> RubricSaved:
    """Raises Unchanged when nothing differs, and StaleVersion when a version was saved since."""
    rubrics = Rubrics(session)
    rubric = await rubrics.get(project_id, rubric_id, to_change=True)
    named.check_active(rubric, rubrics.word)
    checked = check_criteria(wanted.criteria)
    latest = await rubrics.get_latest(rubric)
    if wanted.based_on != latest.number:
        current = await get_rubric(session, project_id=project_id, rubric_id=rubric_id)
        raise StaleVersion(rubrics.word, current=current.model_dump(mode="json"))
    if latest.digest == digest_of(checked.as_json()):
        raise Unchanged(latest.label)
    rubric.latest_number = latest.number + 1
    await rubrics.add(_version(rubric, checked, author_id=author_id))
    await note(session, rubric, "version_saved", after={"version": rubric.latest_number})
    return await _saved(session, rubric, checked.notices)


async def change_rubric(
    session: AsyncSession, *, project_id: UUID, rubric_id: UUID, change: NamedChange
) -> RubricRead:
    rows = Rubrics(session)
    await named.rename(session, rows, project_id=project_id, owner_id=rubric_id, change=change)
    return await get_rubric(session, project_id=project_id, rubric_id=rubric_id)


async def set_archived(
    session: AsyncSession, *, project_id: UUID, rubric_id: UUID, is_archived: bool
) -> RubricRead:
    await named.set_archived(
        session,
        Rubrics(session),
        project_id=project_id,
        owner_id=rubric_id,
        is_archived=is_archived,
    )
    return await get_rubric(session, project_id=project_id, rubric_id=rubric_id)


async def duplicate_rubric(
    session: AsyncSession,
    *,
    project_id: UUID,
    rubric_id: UUID,
    name: str | None,
    author_id: UUID | None,
) -> RubricRead:
    """A new rubric with the criteria of this one."""
    rubrics = Rubrics(session)
    original, latest, _ = await rubrics.get_with_latest(project_id, rubric_id)
    copy_name = name or await named.free_copy_name(rubrics, original)
    await named.check_name(rubrics, project_id, copy_name)
    duplicate = Rubric(
        id=ids.new_id(),
        project_id=project_id,
        name=copy_name,
        description=original.description,
        latest_number=1,
    )
    await rubrics.add(duplicate)
    await rubrics.add(
        RubricVersion(
            id=ids.new_id(),
            rubric_id=duplicate.id,
            number=1,
            criteria=latest.criteria,
            digest=latest.digest,
            author_id=author_id,
            created_at=clock.now(),
        )
    )
    after = {"name": duplicate.name, "from": str(rubric_id)}
    await note(session, duplicate, "duplicated", after=after)
    return await get_rubric(session, project_id=project_id, rubric_id=duplicate.id)


async def delete_rubric(session: AsyncSession, *, project_id: UUID, rubric_id: UUID) -> None:
    """Delete a rubric with its versions. Refused while scorers use it; scorers that used it earlier
    keep its criteria.
    """
    rubrics = Rubrics(session)
    rubric = await rubrics.get(project_id, rubric_id, to_change=True)
    if names := await rubrics.list_scorer_names(rubric_id):
        listed = ", ".join(names[:_NAMED_SCORERS])
        others = len(names) - _NAMED_SCORERS
        more = f" and {others} more" if others > 0 else ""
        raise InUse(f"Scorers use this rubric: {listed}{more}.")
    await rubrics.remove(rubric_id)
    await note(session, rubric, "deleted", before={"name": rubric.name})


async def list_versions(
    session: AsyncSession, *, project_id: UUID, rubric_id: UUID, page: PageRequest
) -> Slice[RubricVersionRead]:
    rubrics = Rubrics(session)
    await rubrics.get(project_id, rubric_id)
    found = await rubrics.page_versions(rubric_id, page=page)
    items = [view.describe_rubric_version(*row) for row in found.items]
    return Slice(items=items, next=found.next, total=found.total)


async def compare_versions(
    session: AsyncSession, *, project_id: UUID, rubric_id: UUID, left: UUID, right: UUID
) -> ChangesRead:
    rubrics = Rubrics(session)
    await rubrics.get(project_id, rubric_id)
    before, after = [await rubrics.get_version(rubric_id, each) for each in (left, right)]
    return ChangesRead(
        left=before.label,
        right=after.label,
        changes=changes.list_changes({"criteria": before.criteria}, {"criteria": after.criteria}),
    )
