"""Turns a pending file into cases: every row is checked first, then all are written at once."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import FieldProblem, Invalid
from edison.library.datasets import bulk
from edison.library.datasets.cases import check_room, row_of
from edison.library.datasets.contents import find_wrong_tag
from edison.library.datasets.errors import ImportEnded
from edison.library.datasets.files.mapping import ColumnMapping, check_mapping
from edison.library.datasets.files.reading import Layout, RowReader
from edison.library.datasets.files.survey import Candidate, Survey
from edison.library.datasets.import_schemas import (
    ImportCommit,
    ImportPreview,
    ImportRead,
    ImportResult,
)
from edison.library.datasets.imports import (
    FetchBlock,
    Place,
    fetch_briefly,
    get_import,
    read_rows,
)
from edison.library.datasets.models import Dataset
from edison.library.datasets.notes import announce
from edison.library.datasets.repository.cases import Cases
from edison.library.datasets.repository.datasets import Datasets
from edison.library.datasets.repository.imports import CaseImports
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events

PROBLEMS_NAMED = 20
_Checked = tuple[list[tuple[Candidate, bool]], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    place: Place
    import_id: UUID
    preview: ImportPreview
    decision: ImportCommit
    mapping: list[ColumnMapping]

    @property
    def layout(self) -> Layout:
        return Layout(
            format=self.preview.format,
            encoding=self.preview.encoding,
            delimiter=self.preview.delimiter,
        )

    async def candidates(self, fetch: FetchBlock, survey: Survey) -> AsyncIterator[_Checked]:
        """Rows that can become cases, with how many rows were read so far."""
        reader = RowReader(self.layout, most_rows=self.preview.row_count)
        async for rows in read_rows(fetch, reader):
            found = await asyncio.to_thread(
                survey.examine, rows, self.mapping, more_tags=self.decision.tags
            )
            yield found, reader.rows_read


async def commit_import(
    database: Database, *, place: Place, import_id: UUID, decision: ImportCommit
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
    survey = await _check_rows(database, plan)
    if survey.bad and decision.on_bad_rows == "stop":
        raise Invalid(*_problems(survey))
    async with database.write() as session:
        return await _write(session, plan)


def _check_decision(plan: _Plan) -> None:
    check_mapping(
        plan.mapping, columns=plan.preview.columns, required=plan.decision.required_variables
    )
    wrong = [message for tag in plan.decision.tags if (message := find_wrong_tag(tag))]
    if wrong:
        raise Invalid(*(FieldProblem(field="tags", message=each, code="bad_tag") for each in wrong))


async def _check_rows(database: Database, plan: _Plan) -> Survey:
    """Read all rows, telling open pages how far it is."""
    survey = Survey()
    told = 0
    async for _, done in plan.candidates(fetch_briefly(database, plan.import_id), survey):
        # About ten times in a whole file.
        if (done - told) * 10 >= plan.preview.row_count:
            told = done
            async with database.write() as session:
                await _tell_progress(session, plan, done)
    return survey


async def _tell_progress(session: AsyncSession, plan: _Plan, done: int) -> None:
    await events.publish(
        session,
        stream=events.project_stream(plan.place.project_id),
        kind="import.progress",
        data={
            "entity_id": str(plan.import_id),
            "dataset_id": str(plan.place.dataset_id),
            "rows_checked": done,
            "row_count": plan.preview.row_count,
        },
    )


async def _write(session: AsyncSession, plan: _Plan) -> ImportRead:
    place = plan.place
    dataset = await Datasets(session).touch(place.project_id, place.dataset_id)
    imports = CaseImports(session)
    # Whoever comes second waits here, and then finds it done.
    if await imports.change(plan.import_id, was="pending", state="committed") is None:
        raise ImportEnded
    survey = Survey()
    added = copies = 0

    async def fetch(number: int) -> bytes | None:
        return await imports.find_block(plan.import_id, number)

    async for found, _ in plan.candidates(fetch, survey):
        wanted = await _without_copies(session, plan, found)
        copies += len(found) - len(wanted)
        added += len(wanted)
        check_room(dataset, added)
        await _add(session, plan, dataset, wanted)
    await Datasets(session).count_cases(dataset)
    result = ImportResult(added=added, bad_rows=survey.bad, copies=copies)
    return await _conclude(session, plan, dataset, result)


async def _without_copies(
    session: AsyncSession, plan: _Plan, found: Sequence[tuple[Candidate, bool]]
) -> list[Candidate]:
    if not plan.decision.skip_copies:
        return [candidate for candidate, _ in found]
    hashes = [candidate.input_hash for candidate, _ in found]
    known = await Cases(session).find_hashes(plan.place.dataset_id, hashes)
    return [
        candidate
        for candidate, is_copy in found
        if not is_copy and candidate.input_hash not in known
    ]


async def _add(
    session: AsyncSession, plan: _Plan, dataset: Dataset, wanted: Sequence[Candidate]
) -> None:
    first = await Datasets(session).take_positions(dataset, len(wanted))
    rows = await asyncio.to_thread(_rows, plan, dataset, wanted, first)
    await Cases(session).add(rows)


def _rows(
    plan: _Plan, dataset: Dataset, wanted: Sequence[Candidate], first: int
) -> list[dict[str, Any]]:
    decision = plan.decision
    rows = []
    for position, candidate in enumerate(wanted, start=first):
        contents = replace(
            candidate.contents,
            split=candidate.contents.split or decision.split,
            origin=candidate.contents.origin or decision.origin,
        )
        row = row_of(contents, dataset=dataset, author_id=plan.place.author_id)
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
        await bulk.remember_import(
            session,
            dataset,
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
    await announce(session, dataset)
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
        summary = f"{survey.bad:,} rows cannot become cases. Mend them, or leave them out."
        problems.append(FieldProblem(field="on_bad_rows", message=summary, code="bad_rows"))
    return problems
