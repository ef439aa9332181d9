"""The tags of a project's datasets and cases: which there are, and changes of a tag everywhere at
once.
"""

from collections import Counter
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid
from edison.library.datasets import service as datasets
from edison.library.datasets.bulk import change_cases
from edison.library.datasets.contents import find_wrong_tag
from edison.library.datasets.repository.cases import Cases
from edison.library.datasets.repository.datasets import Datasets
from edison.library.datasets.schemas.datasets import (
    BulkAction,
    DatasetChange,
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
    """Tags of datasets first, then the most used. Archived datasets do not count."""
    cases: Counter[tuple[str, UUID]] = Counter()
    names: dict[UUID, str] = {}
    for dataset_id, name, tags, count in await Cases(session).count_tags_of_project(project_id):
        names[dataset_id] = name
        cases.update(dict.fromkeys([(tag, dataset_id) for tag in tags], count))
    tagged = await Datasets(session).list_tagged(project_id)
    names |= {dataset.id: dataset.name for dataset in tagged}
    own = {(tag, dataset.id) for dataset in tagged for tag in dataset.tags}
    by_tag: dict[str, list[TaggedDataset]] = {}
    for tag, dataset_id in sorted(cases.keys() | own, key=lambda each: names[each[1]]):
        dataset = TaggedDataset(
            id=dataset_id,
            name=names[dataset_id],
            cases=cases[tag, dataset_id],
            is_tagged=(tag, dataset_id) in own,
        )
        by_tag.setdefault(tag, []).append(dataset)
    found = [
        CaseTagRead(name=tag, cases=sum(each.cases for each in having), datasets=having)
        for tag, having in by_tag.items()
    ]
    return sorted(found, key=lambda tag: (-_count_sets(tag), -tag.cases, tag.name))


def _count_sets(tag: CaseTagRead) -> int:
    return sum(each.is_tagged for each in tag.datasets)


async def change_tags(
    session: AsyncSession, *, project_id: UUID, author_id: UUID, wanted: CaseTagChange
) -> CaseTagResult:
    """Renames, merges or removes tags of all datasets that are not archived and of their cases, or
    of none. Each dataset can undo the change of its cases. Raises Invalid.
    """
    tags = {tag.name: tag for tag in await list_tags(session, project_id=project_id)}
    _check(wanted, tags)
    change: BulkAction = (
        RemoveTags(action="remove_tags", tags=wanted.tags)
        if wanted.replace_by is None
        else ReplaceTags(action="replace_tags", tags=wanted.tags, by=wanted.replace_by)
    )
    concerned: dict[UUID, bool] = {}
    for name in wanted.tags:
        for dataset in tags[name].datasets if name != wanted.replace_by else ():
            concerned[dataset.id] = concerned.get(dataset.id, False) or dataset.cases > 0
    count = 0
    # In one order for all, so that two changes at once cannot wait for each other.
    for dataset_id in sorted(concerned):
        await _change_own(session, project_id, dataset_id, wanted)
        if not concerned[dataset_id]:
            continue
        result = await change_cases(
            session,
            dataset=(project_id, dataset_id),
            selection=Selection(matching=SelectionFilter()),
            change=change,
            author_id=author_id,
        )
        count += result.count
    return CaseTagResult(cases=count, datasets=len(concerned))


async def _change_own(
    session: AsyncSession, project_id: UUID, dataset_id: UUID, wanted: CaseTagChange
) -> None:
    """Changes the tags of the dataset itself."""
    dataset = await Datasets(session).get(project_id, dataset_id, to_change=True)
    if not set(dataset.tags) & set(wanted.tags):
        return
    left = [tag for tag in dataset.tags if tag not in wanted.tags]
    if wanted.replace_by is not None and wanted.replace_by not in left:
        left.append(wanted.replace_by)
    await datasets.change_dataset(
        session, project_id=project_id, dataset_id=dataset_id, change=DatasetChange(tags=left)
    )


def _check(wanted: CaseTagChange, tags: dict[str, CaseTagRead]) -> None:
    for name in wanted.tags:
        if name not in tags:
            message = f"No dataset and no case has the tag {name!r}."
            raise Invalid(FieldProblem(field="tags", message=message, code="unknown_tag"))
    if wanted.replace_by is None:
        return
    if (problem := find_wrong_tag(wanted.replace_by)) is not None:
        raise Invalid(FieldProblem(field="replace_by", message=problem, code="bad_tag"))
    if set(wanted.tags) == {wanted.replace_by}:
        message = "Give the tag another name."
        raise Invalid(FieldProblem(field="replace_by", message=message, code="same_tag"))
