"""Datasets of a project, and the functions other slices use."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Select
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock
from edison.kit.errors import FieldProblem, Invalid
from edison.kit.hook import Hook
from edison.library.datasets import additions, cases, contents, duplicates, fingerprints
from edison.library.datasets.files import mapping
from edison.library.datasets.models import Case, Dataset
from edison.library.datasets.repository.bulk import BulkChanges
from edison.library.datasets.repository.cases import Cases
from edison.library.datasets.repository.datasets import Datasets
from edison.library.datasets.repository.filters import has_tag
from edison.library.datasets.schemas.datasets import (
    BulkChangeRead,
    CaseChange,
    CaseChoice,
    CaseRequest,
    DatasetChange,
    DatasetDetail,
    DatasetRead,
    DatasetRequest,
    FacetRead,
    FacetsRead,
    VariableRead,
)
from edison.workspace.projects.models import Project
from edison.workspace.resources import service as resources
from edison.workspace.resources.schemas import Status

# A listener returns a sentence about what still uses the dataset, or None.
find_use: Hook[[AsyncSession, UUID], str | None] = Hook(
    "Before a dataset is deleted, in that transaction. A use refuses it."
)

CASES_AT_ONCE = 500
# Minimum similarity of near-identical cases.
NEAR_THRESHOLD = duplicates.DEFAULT_THRESHOLD
MOST_TAGS = contents.MOST_TAGS
LONGEST_TAG = contents.LONGEST_TAG
LONGEST_NOTES = contents.LONGEST_NOTES


async def add_golden_dataset(session: AsyncSession, project: Project) -> None:
    """Create the dataset that every project starts with."""
    wanted = DatasetRequest.model_validate({"name": "Golden", "kind": "golden"})
    await _add(session, project.id, wanted)


async def list_datasets(
    session: AsyncSession,
    *,
    project_id: UUID,
    is_archived: bool | None,
    tag: str | None = None,
    page: PageRequest,
) -> Slice[Dataset]:
    status: Status = "all" if is_archived is None else "archived" if is_archived else "active"
    conditions = [] if tag is None else [has_tag(tag, Dataset.tags)]
    return await Datasets(session).page(project_id, status=status, page=page, conditions=conditions)


async def get_dataset(
    session: AsyncSession, *, project_id: UUID, dataset_id: UUID
) -> DatasetDetail:
    return await _detail(session, await Datasets(session).get(project_id, dataset_id))


async def create_dataset(
    session: AsyncSession, *, project_id: UUID, wanted: DatasetRequest
) -> DatasetDetail:
    check_tags(wanted.tags)
    await resources.check_name(Datasets(session), project_id, wanted.name)
    dataset = await _add(session, project_id, wanted)
    await resources.publish(session, dataset)
    return await _detail(session, dataset)


async def change_dataset(
    session: AsyncSession, *, project_id: UUID, dataset_id: UUID, change: DatasetChange
) -> DatasetDetail:
    """Rename, describe, tag, archive or unarchive. Existing cases keep their split."""
    datasets = Datasets(session)
    dataset = await datasets.get(project_id, dataset_id, to_change=True)
    fields = change.model_dump(exclude_unset=True, exclude={"is_archived"})
    wanted = {
        field: value
        for field, value in fields.items()
        if value is not None or field == "description"
    }
    if change.tags is not None:
        check_tags(change.tags)
        wanted["tags"] = _distinct(change.tags)
    if change.is_archived is not None:
        now = dataset.archived_at or clock.now()
        wanted["archived_at"] = now if change.is_archived else None
    before = _described(dataset)
    await resources.change_fields(datasets, dataset, wanted)
    after = _described(dataset)
    differing = [name for name in after if after[name] != before[name]]
    await resources.note(
        session,
        dataset,
        "changed",
        before={name: before[name] for name in differing},
        after={name: after[name] for name in differing},
    )
    return await _detail(session, dataset)


async def delete_dataset(session: AsyncSession, *, project_id: UUID, dataset_id: UUID) -> None:
    """Delete a dataset that is not in use, with all its cases."""
    datasets = Datasets(session)
    dataset = await datasets.get(project_id, dataset_id, to_change=True)
    use = await find_use.first(session, dataset_id)
    before = _described(dataset) | {"case_count": dataset.case_count}
    await resources.delete_unused(datasets, dataset, use=use, before=before)


async def list_variables(
    session: AsyncSession, *, project_id: UUID, dataset_id: UUID
) -> list[VariableRead]:
    """Variables in order of first use, with the number of cases that have each."""
    await Datasets(session).get(project_id, dataset_id)
    counts: Counter[str] = Counter()
    after = 0
    while rows := await Cases(session).list_inputs(dataset_id, after=after, limit=CASES_AT_ONCE):
        for _, inputs in rows:
            counts.update(inputs.keys())
        after = rows[-1][0]
    return [VariableRead(name=name, cases=cases) for name, cases in counts.items()]


async def count_facets(session: AsyncSession, *, project_id: UUID, dataset_id: UUID) -> FacetsRead:
    """Number of cases per tag, split, origin and difficulty."""
    await Datasets(session).get(project_id, dataset_id)
    cases = Cases(session)
    splits, origins, difficulties, tags = (Counter[str]() for _ in range(4))
    total = with_expected = 0
    for split, origin, difficulty, count, answered in await cases.count_by_property(dataset_id):
        splits[split] += count
        origins[origin] += count
        if difficulty is not None:
            difficulties[str(difficulty)] += count
        total += count
        with_expected += answered
    for combination, count in await cases.count_by_tags(dataset_id):
        tags.update(dict.fromkeys(combination, count))
    return FacetsRead(
        total=total,
        with_expected=with_expected,
        tags=_facets(tags),
        splits=_facets(splits),
        origins=_facets(origins),
        difficulties=_facets(difficulties),
    )


async def add_cases(
    session: AsyncSession,
    *,
    project_id: UUID,
    dataset_id: UUID,
    wanted: Sequence[CaseRequest],
    author_id: UUID | None,
) -> list[UUID | None]:
    """Add cases as one change that can be undone. None stands for cases whose inputs the dataset
    already has.
    """
    return await additions.add_cases(
        session,
        project_id=project_id,
        dataset_id=dataset_id,
        wanted=wanted,
        author_id=author_id,
    )


async def get_case(
    session: AsyncSession, *, project_id: UUID, dataset_id: UUID, case_id: UUID
) -> Case:
    return await cases.get_case(
        session, project_id=project_id, dataset_id=dataset_id, case_id=case_id
    )


async def save_expected(
    session: AsyncSession, *, project_id: UUID, case: Case, expected: str, author_id: UUID
) -> Case:
    """Raises Stale when the case was changed since it was read."""
    return await cases.change_case(
        session,
        case=(project_id, case.dataset_id, case.id),
        change=CaseChange(version=case.version, expected=expected),
        author_id=author_id,
    )


async def get_for_run(
    session: AsyncSession, *, project_id: UUID, dataset_id: UUID, keeps_cases: bool = False
) -> Dataset:
    """The dataset whose cases a run will read. `updated_at` changes with every change of a case.
    `keeps_cases`: they stay as they are until the transaction ends.
    """
    return await Datasets(session).get(project_id, dataset_id, to_change=keeps_cases)


async def list_inputs_for_run(
    session: AsyncSession, *, dataset_id: UUID, chosen: CaseChoice | None
) -> Sequence[dict[str, Any]]:
    """The inputs of the chosen cases, or of all, in order."""
    return await Cases(session).list_chosen_inputs(dataset_id, chosen)


def select_for_run(
    session: AsyncSession, *, dataset_id: UUID, chosen: CaseChoice | None
) -> Select[Case]:
    """A statement that selects the same cases in the same order."""
    return Cases(session).choose(dataset_id, chosen)


async def list_cases(session: AsyncSession, *, dataset: Dataset) -> list[Case]:
    """All cases in order, whole."""
    chunks = Cases(session).stream(dataset.id, at_once=CASES_AT_ONCE)
    return [case async for chunk in chunks for case in chunk]


async def note_use(session: AsyncSession, *, dataset_id: UUID) -> None:
    """Record that cases of the dataset are about to be sent to a model."""
    await Datasets(session).note_use(dataset_id)


def find_problems(wanted: CaseRequest) -> list[FieldProblem]:
    """All problems of the case; empty when it is valid."""
    return contents.check(wanted.contents())


def restore_columns(wanted: CaseRequest) -> dict[str, Any]:
    """Columns of a case from a file, including derived ones. Raises Invalid."""
    if problems := find_problems(wanted):
        raise Invalid(*problems)
    content = wanted.contents()
    return cases.columns_of(content, input_hash=fingerprints.hash_inputs(content.inputs))


async def note_restored(
    session: AsyncSession, *, dataset_id: UUID, case_count: int, next_position: int
) -> None:
    """Set the counts of a dataset whose cases came from a file. Raises DatasetFull."""
    dataset = await session.get_one(Dataset, dataset_id, populate_existing=True)
    cases.check_room(dataset, case_count)
    dataset.case_count, dataset.next_position = case_count, next_position
    await session.flush()


def is_variable_name(name: str) -> bool:
    return contents.is_variable_name(name)


def variable_name(text: str) -> str:
    """A variable name that templates can reference, as close to the text as possible."""
    return mapping.variable_name(text)


def check_tags(tags: Sequence[str]) -> None:
    """Raises Invalid for tags that a dataset cannot have."""
    if problems := list(contents.check_tags(tags, noun="dataset")):
        raise Invalid(*problems)


def is_tag(tag: str) -> bool:
    return contents.find_wrong_tag(tag) is None


def hash_inputs(inputs: Mapping[str, Any]) -> str:
    """Equal for inputs that differ only in letter case, character width and white space."""
    return fingerprints.hash_inputs(inputs)


def words_of_inputs(inputs: Mapping[str, Any]) -> frozenset[str]:
    """The words by which the similarity of cases is measured (Jaccard)."""
    texts = fingerprints.texts_in(dict(inputs))
    return duplicates.words_of("\n".join(fingerprints.normalise(text) for text in texts))


def _distinct(tags: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(tags))


def _facets(counts: Counter[str]) -> list[FacetRead]:
    return [FacetRead(value=value, cases=counts[value]) for value in sorted(counts)]


async def _add(session: AsyncSession, project_id: UUID, wanted: DatasetRequest) -> Dataset:
    fields = wanted.model_dump() | {"tags": _distinct(wanted.tags)}
    dataset = await Datasets(session).add(Dataset(project_id=project_id, **fields))
    resources.record(session, dataset, "created", after=_described(dataset))
    return dataset


async def _detail(session: AsyncSession, dataset: Dataset) -> DatasetDetail:
    last = await BulkChanges(session, dataset.id).find_last()
    shown = DatasetRead.model_validate(dataset).model_dump()
    change = None if last is None else BulkChangeRead.model_validate(last)
    return DatasetDetail(**shown, last_change=change)


def _described(dataset: Dataset) -> dict[str, Any]:
    return {
        "name": dataset.name,
        "kind": dataset.kind,
        "description": dataset.description,
        "tags": dataset.tags,
        "holdout_percent": dataset.holdout_percent,
        "is_archived": dataset.archived_at is not None,
    }
