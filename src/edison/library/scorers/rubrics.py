"""Saved rubrics of a project: create, save versions, copy, archive, delete."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.kit.errors import FieldProblem, Invalid
from edison.library.scorers import view
from edison.library.scorers.criteria import Notice, check_criteria
from edison.library.scorers.models import Rubric, RubricVersion
from edison.library.scorers.repository.rubrics import Rubrics
from edison.library.scorers.resolve import digest_of
from edison.library.scorers.schemas.rubrics import (
    CriterionBody,
    NoticeRead,
    RubricRead,
    RubricRequest,
    RubricSaved,
    RubricSummary,
    RubricVersionRead,
    RubricVersionRequest,
)
from edison.library.scorers.schemas.scorers import NamedChange, RubricFilter
from edison.workspace.resources import service as resources
from edison.workspace.resources.schemas import ChangesRead

# How many scorers a message names before it counts the others.
_NAMED_SCORERS = 3


async def list_rubrics(
    session: AsyncSession, *, project_id: UUID, wanted: RubricFilter, page: PageRequest
) -> Slice[RubricSummary]:
    found = await Rubrics(session).page(project_id, status=wanted.status, page=page)
    return found.with_items(await view.describe_rubrics(session, found.items))


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
    first = _version(rubric, checked.as_json(), author_id=author_id)
    await resources.add_versioned(Rubrics(session), rubric, first)
    await resources.note(session, rubric, "created", after={"name": rubric.name})
    return await _saved(session, rubric, checked.notices)


def _version(
    rubric: Rubric, criteria: list[dict[str, Any]], *, author_id: UUID | None
) -> RubricVersion:
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


def check_restored(criteria: Sequence[Any]) -> str:
    """Validate the criteria of a version from a file; returns their digest. Raises Invalid."""
    try:
        check_criteria([CriterionBody.model_validate(each) for each in criteria])
    except ValidationError as wrong:
        found = wrong.errors(include_input=False)[0]
        raise Invalid(
            FieldProblem(
                field=".".join(("criteria", *map(str, found["loc"]))),
                message=found["msg"],
                code=found["type"],
            )
        ) from wrong
    return digest_of(criteria)


async def find_rubric_version(
    session: AsyncSession, *, project_id: UUID, version_id: UUID
) -> RubricVersion | None:
    """A version of a rubric of this project, by its own id."""
    found = await Rubrics(session).find_version(project_id, version_id)
    return None if found is None else found[1]


async def find_free_rubric_name(session: AsyncSession, *, project_id: UUID, name: str) -> str:
    """The name, or a similar one that is free in the project."""
    return await resources.find_free_name(Rubrics(session), project_id, name)


async def save_version(
    session: AsyncSession,
    *,
    project_id: UUID,
    rubric_id: UUID,
    wanted: RubricVersionRequest,
    author_id: UUID | None,
) -> RubricSaved:
    """Raises Unchanged when nothing differs, and Stale when a version was saved since."""
    rubrics = Rubrics(session)
    rubric = await resources.lock_active(rubrics, project_id, rubric_id)
    checked = check_criteria(wanted.criteria)

    async def describe() -> RubricRead:
        return await get_rubric(session, project_id=project_id, rubric_id=rubric_id)

    version = _version(rubric, checked.as_json(), author_id=author_id)
    await resources.save_version(
        rubrics, rubric, version, based_on=wanted.based_on, describe=describe
    )
    return await _saved(session, rubric, checked.notices)


async def change_rubric(
    session: AsyncSession, *, project_id: UUID, rubric_id: UUID, change: NamedChange
) -> RubricRead:
    rubrics = Rubrics(session)
    rubric = await resources.lock_active(rubrics, project_id, rubric_id)
    await resources.change(rubrics, rubric, change)
    return await get_rubric(session, project_id=project_id, rubric_id=rubric_id)


async def set_archived(
    session: AsyncSession, *, project_id: UUID, rubric_id: UUID, is_archived: bool
) -> RubricRead:
    rubrics = Rubrics(session)
    rubric = await rubrics.get(project_id, rubric_id, to_change=True)
    await resources.set_archived(rubrics, rubric, is_archived=is_archived)
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
    duplicate = Rubric(
        id=ids.new_id(),
        project_id=project_id,
        name=name or await resources.find_copy_name(rubrics, project_id, original.name),
        description=original.description,
        latest_number=1,
    )
    first = _version(duplicate, latest.criteria, author_id=author_id)
    await resources.add_versioned(rubrics, duplicate, first)
    after = {"name": duplicate.name, "from": str(rubric_id)}
    await resources.note(session, duplicate, "duplicated", after=after)
    return await get_rubric(session, project_id=project_id, rubric_id=duplicate.id)


async def delete_rubric(session: AsyncSession, *, project_id: UUID, rubric_id: UUID) -> None:
    """Delete a rubric with its versions. Refused while scorers use it; scorers that used it earlier
    keep its criteria.
    """
    rubrics = Rubrics(session)
    rubric = await rubrics.get(project_id, rubric_id, to_change=True)
    names = await rubrics.list_scorer_names(rubric_id)
    await resources.delete_unused(rubrics, rubric, use=_use(names), before={"name": rubric.name})


def _use(scorer_names: Sequence[str]) -> str | None:
    if not scorer_names:
        return None
    listed = ", ".join(scorer_names[:_NAMED_SCORERS])
    others = len(scorer_names) - _NAMED_SCORERS
    more = f" and {others} more" if others > 0 else ""
    return f"Scorers use this rubric: {listed}{more}."


async def list_versions(
    session: AsyncSession, *, project_id: UUID, rubric_id: UUID, page: PageRequest
) -> Slice[RubricVersionRead]:
    rubrics = Rubrics(session)
    await rubrics.get(project_id, rubric_id)
    found = await rubrics.page_versions(rubric_id, page=page)
    return found.with_items([view.describe_rubric_version(*row) for row in found.items])


async def compare_versions(
    session: AsyncSession, *, project_id: UUID, rubric_id: UUID, left: UUID, right: UUID
) -> ChangesRead:
    rubrics = Rubrics(session)
    rubric = await rubrics.get(project_id, rubric_id)
    return await resources.compare_versions(
        rubrics, rubric, left=left, right=right, contents=_compared
    )


def _compared(version: RubricVersion) -> dict[str, Any]:
    return {"criteria": version.criteria}
