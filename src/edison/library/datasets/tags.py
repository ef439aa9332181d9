"""The tags of a project's cases: which there are, and changes of a tag in all datasets at once."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid
from edison.library.datasets.bulk import change_cases
from edison.library.datasets.contents import find_wrong_tag
from edison.library.datasets.repository.cases import Cases
from edison.library.datasets.schemas.datasets import (
    BulkAction,
    RemoveTags,
    ReplaceTags,
    Selection,
    SelectionFilter,
)
from edison.library.datasets.schemas.tags import (
    CaseTagChange,
    CaseTagRead,
    CaseTagResult,
    TaggedDataset,
)


async def list_tags(session: AsyncSession, *, project_id: UUID) -> list[CaseTagRead]:
    """The most used first. Archived datasets do not count."""
    by_tag: dict[str, dict[UUID, TaggedDataset]] = {}
    for dataset_id, name, tags, count in await Cases(session).count_tags_of_project(project_id):
        for tag in tags:
            known = by_tag.setdefault(tag, {})
            so_far = known.get(dataset_id)
            cases = count + (0 if so_far is None else so_far.cases)
            known[dataset_id] = TaggedDataset(id=dataset_id, name=name, cases=cases)
    found = [
        CaseTagRead(
            name=tag,
            cases=sum(each.cases for each in datasets.values()),
            datasets=list(datasets.values()),
        )
        for tag, datasets in by_tag.items()
    ]
    return sorted(found, key=lambda tag: (-tag.cases, tag.name))


async def change_tags(
    session: AsyncSession, *, project_id: UUID, author_id: UUID, wanted: CaseTagChange
) -> CaseTagResult:
    """Renames, merges or removes tags in all datasets that are not archived, or in none. Each
    dataset can undo its part. Raises Invalid.
    """
    tags = {tag.name: tag for tag in await list_tags(session, project_id=project_id)}
    _check(wanted, tags)
    change: BulkAction = (
        RemoveTags(action="remove_tags", tags=wanted.tags)
        if wanted.replace_by is None
        else ReplaceTags(action="replace_tags", tags=wanted.tags, by=wanted.replace_by)
    )
    concerned = {
        dataset.id
        for name in wanted.tags
        if name != wanted.replace_by
        for dataset in tags[name].datasets
    }
    count = 0
    # In one order for all, so that two changes at once cannot wait for each other.
    for dataset_id in sorted(concerned):
        result = await change_cases(
            session,
            dataset=(project_id, dataset_id),
            selection=Selection(matching=SelectionFilter()),
            change=change,
            author_id=author_id,
        )
        count += result.count
    return CaseTagResult(cases=count, datasets=len(concerned))


def _check(wanted: CaseTagChange, tags: dict[str, CaseTagRead]) -> None:
    for name in wanted.tags:
        if name not in tags:
            message = f"No case has the tag {name!r}."
            raise Invalid(FieldProblem(field="tags", message=message, code="unknown_tag"))
    if wanted.replace_by is None:
        return
    if (problem := find_wrong_tag(wanted.replace_by)) is not None:
        raise Invalid(FieldProblem(field="replace_by", message=problem, code="bad_tag"))
    if set(wanted.tags) == {wanted.replace_by}:
        message = "Give the tag another name."
        raise Invalid(FieldProblem(field="replace_by", message=message, code="same_tag"))
