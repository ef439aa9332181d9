"""Adds cases created by other slices, in bulk."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import ids
from edison.library.datasets import bulk
from edison.library.datasets.cases import check_room, row_of
from edison.library.datasets.fingerprints import hash_inputs
from edison.library.datasets.repository.cases import Cases
from edison.library.datasets.repository.datasets import Datasets
from edison.library.datasets.schemas.datasets import CaseRequest
from edison.workspace.audit import service as audit
from edison.workspace.resources.service import publish


async def add_cases(
    session: AsyncSession,
    *,
    project_id: UUID,
    dataset_id: UUID,
    wanted: Sequence[CaseRequest],
    author_id: UUID | None,
) -> list[UUID | None]:
    """Add the cases in order, as one change that `undo` reverts. Cases whose inputs the dataset
    already has are skipped; their place in the returned list is None.
    """
    dataset = await Datasets(session).touch(project_id, dataset_id)
    hashes = [hash_inputs(each.inputs) for each in wanted]
    known = await Cases(session).find_hashes(dataset_id, hashes)
    change_id = ids.new_id()
    rows = []
    case_ids: list[UUID | None] = []
    for each, input_hash in zip(wanted, hashes, strict=True):
        is_new = input_hash not in known
        known.add(input_hash)
        if is_new:
            row = row_of(each.contents(), dataset=dataset, author_id=author_id)
            rows.append(row | {"import_id": change_id})
        case_ids.append(rows[-1]["id"] if is_new else None)
    check_room(dataset, len(rows))
    first = await Datasets(session).take_positions(dataset, len(rows))
    positioned = [row | {"position": first + number} for number, row in enumerate(rows)]
    await Cases(session).add(positioned)
    await Datasets(session).count_cases(dataset)
    if rows:
        await bulk.remember_addition(
            session,
            dataset,
            action="add",
            import_id=change_id,
            count=len(rows),
            author_id=author_id,
        )
    audit.record(
        session,
        "cases.added",
        entity=("dataset", dataset_id),
        project_id=project_id,
        after={"added": len(rows), "copies": len(wanted) - len(rows)},
    )
    await publish(session, dataset)
    return case_ids
