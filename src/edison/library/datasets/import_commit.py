"""Commits an import. All rows are validated and prepared first, with progress events; then all are
written in one short transaction, because other writers of the dataset wait for it.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets import bulk
from edison.library.datasets.cases import check_room, new_row
from edison.library.datasets.contents import find_wrong_tag
from edison.library.datasets.errors import ImportEnded
from edison.library.datasets.files.mapping import ColumnMapping, check_mapping
from edison.library.datasets.files.problems import Row
from edison.library.datasets.files.rows import RowReader
from edison.library.datasets.files.survey import Survey
from edison.library.datasets.import_rows import PreparedRow, PreparedRows, prepared_rows
from edison.library.datasets.imports import ImportRef, fetch_inline, get_import, read_rows
from edison.library.datasets.models import Dataset
from edison.library.datasets.repository.cases import Cases
from edison.library.datasets.repository.datasets import Datasets
from edison.library.datasets.repository.imports import CaseImports
from edison.library.datasets.schemas.imports import (
    ImportCommit,
    ImportPreview,
    ImportRead,
    ImportResult,
)
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events
from edison.workspace.resources.service import publish

PROBLEMS_NAMED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    place: ImportRef
    import_id: UUID
    preview: ImportPreview
    decision: ImportCommit
    mapping: list[ColumnMapping]


async def commit_import(
    database: Database, *, place: ImportRef, import_id: UUID, decision: ImportCommit
) -> ImportRead:
    """Add the file's cases to the dataset: all of them, in one transaction, or none.

    Raises Invalid with the lines at fault when rows are bad and the decision is to stop, and
    ImportEnded when the file was committed before.
    """
    pending = await get_import(database, place=place, import_id=import_id)
    if pending.preview is None or pending.state == "committed":
        raise ImportEnded
    mapping = pending.preview.mapping if decision.mapping is None else decision.mapping
    plan = _Plan(
        place=place,
        import_id=import_id,
        preview=pending.preview,
        decision=decision,
        mapping=[each.mapping() for each in mapping],
    )
    _check_decision(plan)
    with prepared_rows() as prepared:
        survey = await _prepare_rows(database, plan, prepared)
        if survey.bad and decision.on_bad_rows == "stop":
            raise Invalid(*_problems(survey))
        await _publish_progress(database, plan, "writing", plan.preview.row_count)
        async with database.write() as session:
            return await _write(session, plan, prepared, bad_rows=survey.bad)


def _check_decision(plan: _Plan) -> None:
    check_mapping(
        plan.mapping, columns=plan.preview.columns, required=plan.decision.required_variables
    )
    wrong = [message for tag in plan.decision.tags if (message := find_wrong_tag(tag))]
    if wrong:
        raise Invalid(*(FieldProblem(field="tags", message=each, code="bad_tag") for each in wrong))


async def _prepare_rows(database: Database, plan: _Plan, prepared: PreparedRows) -> Survey:
    """Read and prepare all rows, publishing progress."""
    survey = Survey()
    reader = RowReader(plan.preview.layout(), most_rows=plan.preview.row_count)
    told = 0
    async for rows in read_rows(fetch_inline(database, plan.import_id), reader):
        await asyncio.to_thread(_examine, plan, survey, prepared, rows)
        # About ten times per file.
        if (reader.rows_read - told) * 10 >= plan.preview.row_count:
            told = reader.rows_read
            await _publish_progress(database, plan, "checking", told)
    prepared.rewind()
    return survey


def _examine(plan: _Plan, survey: Survey, prepared: PreparedRows, rows: Sequence[Row]) -> None:
    found = survey.examine(rows, plan.mapping, more_tags=plan.decision.tags)
    prepared.add(found)


async def _publish_progress(
    database: Database, plan: _Plan, phase: Literal["checking", "writing"], done: int
) -> None:
    async with database.write() as session:
        await events.publish(
            session,
            stream=events.project_stream(plan.place.project_id),
            kind="import.progress",
            data={
                "entity_id": str(plan.import_id),
                "dataset_id": str(plan.place.dataset_id),
                "phase": phase,
                "rows_checked": done,
                "row_count": plan.preview.row_count,
            },
        )


async def _write(
    session: AsyncSession, plan: _Plan, prepared: PreparedRows, *, bad_rows: int
) -> ImportRead:
    place = plan.place
    dataset = await Datasets(session).touch(place.project_id, place.dataset_id)
    imports = CaseImports(session)
    # A concurrent commit waits here and then finds the import committed.
    if await imports.change(plan.import_id, was="pending", state="committed") is None:
        raise ImportEnded
    added = copies = 0
    while rows := await asyncio.to_thread(prepared.read_next):
        wanted = await _without_copies(session, plan, rows)
        copies += len(rows) - len(wanted)
        added += len(wanted)
        check_room(dataset, added)
        await _add(session, plan, dataset, wanted)
    await Datasets(session).count_cases(dataset)
    result = ImportResult(added=added, bad_rows=bad_rows, copies=copies)
    return await _conclude(session, plan, dataset, result)


async def _without_copies(
    session: AsyncSession, plan: _Plan, rows: Sequence[PreparedRow]
) -> list[dict[str, Any]]:
    if not plan.decision.skip_copies:
        return [row.columns for row in rows]
    hashes = [row.columns["input_hash"] for row in rows]
    known = await Cases(session).find_hashes(plan.place.dataset_id, hashes)
    return [
        row.columns for row in rows if not row.is_copy and row.columns["input_hash"] not in known
    ]


async def _add(
    session: AsyncSession, plan: _Plan, dataset: Dataset, wanted: Sequence[dict[str, Any]]
) -> None:
    first = await Datasets(session).take_positions(dataset, len(wanted))
    rows = await asyncio.to_thread(_rows, plan, dataset, wanted, first)
    await Cases(session).add(rows)


def _rows(
    plan: _Plan, dataset: Dataset, wanted: Sequence[dict[str, Any]], first: int
) -> list[dict[str, Any]]:
    decision = plan.decision
    rows = []
    for position, columns in enumerate(wanted, start=first):
        decided = {
            "split": columns["split"] or decision.split,
            "origin": columns["origin"] or decision.origin,
        }
        row = new_row(columns | decided, dataset=dataset, author_id=plan.place.author_id)
        rows.append(row | {"position": position, "import_id": plan.import_id})
    return rows


async def _conclude(
    session: AsyncSession, plan: _Plan, dataset: Dataset, result: ImportResult
) -> ImportRead:
    imports = CaseImports(session)
    kept = await imports.get(dataset.id, plan.import_id)
    kept.result = result.model_dump(mode="json")
    await imports.remove_blocks(plan.import_id)
    if result.added:
        await bulk.remember_addition(
            session,
            dataset,
            action="import",
            import_id=plan.import_id,
            count=result.added,
            author_id=plan.place.author_id,
        )
    audit.record(
        session,
        "import.committed",
        entity=("import", plan.import_id),
        project_id=plan.place.project_id,
        after={"dataset_id": str(dataset.id), **plan.decision.described(), **kept.result},
    )
    await session.flush()
    await publish(session, dataset)
    return ImportRead.of(kept)


def _problems(survey: Survey) -> list[FieldProblem]:
    problems = [
        FieldProblem(
            field="file",
            message=f"Line {each.line:,}"
            + (f", {each.column}" if each.column else "")
            + f": {each.message}",
            code=each.code,
        )
        for each in survey.problems[:PROBLEMS_NAMED]
    ]
    if survey.bad > 1:
        summary = f"{survey.bad:,} rows are invalid. Correct or skip them."
        problems.append(FieldProblem(field="on_bad_rows", message=summary, code="bad_rows"))
    return problems
