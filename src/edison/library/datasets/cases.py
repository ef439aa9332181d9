"""Create and change single cases. Earlier versions are kept in the history."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.kit.errors import Invalid
from edison.library.datasets.contents import CaseContents, Origin, Split, check
from edison.library.datasets.errors import DatasetFull
from edison.library.datasets.fingerprints import assign_split, hash_inputs, searchable_text
from edison.library.datasets.models import Case, Dataset
from edison.library.datasets.repository.cases import CaseRow, Cases
from edison.library.datasets.repository.datasets import Datasets
from edison.library.datasets.schemas.datasets import (
    CaseChange,
    CaseFilter,
    CaseRead,
    CaseRequest,
    CaseVersionRead,
)
from edison.workspace.audit import service as audit
from edison.workspace.resources.errors import Stale
from edison.workspace.resources.service import publish

MOST_CASES = 100_000


async def list_cases(
    session: AsyncSession,
    *,
    project_id: UUID,
    dataset_id: UUID,
    wanted: CaseFilter,
    page: PageRequest,
) -> Slice[CaseRow]:
    dataset = await Datasets(session).get(project_id, dataset_id)
    return await Cases(session).list_of_dataset(dataset, wanted=wanted, page=page)


async def get_case(
    session: AsyncSession, *, project_id: UUID, dataset_id: UUID, case_id: UUID
) -> Case:
    await Datasets(session).get(project_id, dataset_id)
    return await Cases(session).get(dataset_id, case_id)


async def list_versions(
    session: AsyncSession, *, project_id: UUID, dataset_id: UUID, case_id: UUID, page: PageRequest
) -> Slice[CaseVersionRead]:
    """Earlier versions of the case, latest first."""
    await get_case(session, project_id=project_id, dataset_id=dataset_id, case_id=case_id)
    found = await Cases(session).list_versions(dataset_id, case_id, page=page)
    fields = [name for name in CaseVersionRead.model_fields if name != "author"]
    items = [
        CaseVersionRead(author=author, **{name: getattr(version, name) for name in fields})
        for version, author in found.items
    ]
    return found.with_items(items)


async def create_case(
    session: AsyncSession,
    *,
    project_id: UUID,
    dataset_id: UUID,
    wanted: CaseRequest,
    author_id: UUID,
) -> Case:
    """Append a case to the dataset."""
    contents = wanted.contents()
    _validate(contents)
    dataset = await Datasets(session).touch(project_id, dataset_id)
    check_room(dataset, 1)
    row = row_of(contents, dataset=dataset, author_id=author_id)
    row["position"] = await Datasets(session).take_positions(dataset, 1)
    await Cases(session).add([row])
    await Datasets(session).count_cases(dataset)
    audit.record(
        session,
        "case.created",
        entity=("case", row["id"]),
        project_id=project_id,
        after={"dataset_id": str(dataset_id), "variables": list(contents.inputs)},
    )
    case = await Cases(session).get(dataset_id, row["id"])
    await publish(session, dataset)
    return case


async def change_case(
    session: AsyncSession,
    *,
    case: tuple[UUID, UUID, UUID],
    change: CaseChange,
    author_id: UUID,
) -> Case:
    """Change a case if it still has the expected version. `case` is (project, dataset, case id).

    Raises Stale with the current case when it was changed since.
    """
    project_id, dataset_id, case_id = case
    dataset = await Datasets(session).touch(project_id, dataset_id)
    cases = Cases(session)
    current = await cases.get(dataset_id, case_id)
    if current.version != change.version:
        shown = CaseRead.model_validate(current).model_dump(mode="json")
        raise Stale("this case", current=shown)
    before = contents_of(current)
    given = change.given()
    if "tags" in given:
        given["tags"] = tuple(dict.fromkeys(given["tags"]))
    contents = replace(before, **given)
    _validate(contents)
    await cases.keep_versions([Case.id == case_id], change_id=None)
    saved = await cases.change(
        case_id,
        version=change.version,
        values=columns_of(contents, input_hash=hash_inputs(contents.inputs))
        | {"author_id": author_id, "updated_at": clock.now()},
    )
    audit.record(
        session,
        "case.changed",
        entity=("case", case_id),
        project_id=project_id,
        before={"version": change.version},
        after={"version": saved.version, "fields": sorted(given), "dataset_id": str(dataset_id)},
    )
    await publish(session, dataset)
    return saved


def check_room(dataset: Dataset, count: int) -> None:
    if dataset.case_count + count > MOST_CASES:
        raise DatasetFull(
            f"A dataset may have {MOST_CASES:,} cases; this one has {dataset.case_count:,}."
        )


def row_of(contents: CaseContents, *, dataset: Dataset, author_id: UUID | None) -> dict[str, Any]:
    """A new case as a row, without its position."""
    columns = columns_of(contents, input_hash=hash_inputs(contents.inputs))
    return new_row(columns, dataset=dataset, author_id=author_id)


def new_row(
    columns: Mapping[str, Any], *, dataset: Dataset, author_id: UUID | None
) -> dict[str, Any]:
    """A row for a new case with these contents; assigns the split and origin if left open."""
    now = clock.now()
    return {
        **columns,
        "split": columns["split"]
        or assign_split(dataset.id, columns["input_hash"], holdout_percent=dataset.holdout_percent),
        "origin": columns["origin"] or dataset.kind,
        "id": ids.new_id(),
        "dataset_id": dataset.id,
        "version": 1,
        "author_id": author_id,
        "import_id": None,
        "created_at": now,
        "updated_at": now,
    }


def contents_of(case: Case) -> CaseContents:
    return CaseContents(
        inputs=case.inputs,
        expected=case.expected,
        tags=tuple(case.tags),
        difficulty=case.difficulty,
        split=Split(case.split),
        origin=Origin(case.origin),
        notes=case.notes,
    )


def columns_of(contents: CaseContents, *, input_hash: str) -> dict[str, Any]:
    """Columns for the contents, including derived ones."""
    return {
        "inputs": dict(contents.inputs),
        "expected": contents.expected,
        "tags": list(contents.tags),
        "difficulty": contents.difficulty,
        "split": contents.split,
        "origin": contents.origin,
        "notes": contents.notes,
        "input_hash": input_hash,
        "text": searchable_text(contents),
    }


def _validate(contents: CaseContents) -> None:
    if problems := check(contents):
        raise Invalid(*problems)
