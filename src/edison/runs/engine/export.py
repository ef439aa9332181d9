"""What came of a run, as a file, written while it is read so that its length does not matter.

Each piece is a transaction of its own, so that a slow download holds none open. Cells that are not
finished when their piece is read are left out.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.runs.engine.files.records import list_records
from edison.runs.engine.files.writing import Csv, ExportFormat, JsonArray, JsonLines, Writer
from edison.runs.engine.models import Run, RunCase, RunScorer, RunVariant, Score
from edison.runs.engine.repository.effective import Effective
from edison.runs.engine.repository.reading import Reading
from edison.runs.engine.repository.runs import Runs
from edison.runs.engine.schemas.requests import RowFilter
from edison.workspace.audit import service as audit

ROWS_AT_ONCE = 100


async def begin_export(
    database: Database,
    *,
    project_id: UUID,
    run_id: UUID,
    wanted: RowFilter,
    file_format: ExportFormat,
) -> Run:
    """Note that somebody takes the results away. Raises NotFound."""
    filters = {name: value for name, value in asdict(wanted).items() if value is not None}
    async with database.write() as session:
        run = await Runs(session).get(project_id, run_id)
        audit.record(
            session,
            "run.exported",
            entity=("run", run_id),
            project_id=project_id,
            after={"format": file_format, "cells": run.done_count, **filters},
        )
    return run


async def stream_cells(
    database: Database, *, run_id: UUID, wanted: RowFilter, file_format: ExportFormat
) -> AsyncIterator[bytes]:
    """The cells of the rows that match, in the order of the cases."""
    async with database.read() as session:
        variants = await Runs(session).list_variants(run_id)
        scorers = await Runs(session).list_scorers(run_id)
    writer = await _open_writer(database, run_id, wanted, file_format, scorers)
    yield writer.begin()
    after = -1
    while True:
        async with database.read() as session:
            cases = await Reading(session).list_next(run_id, wanted, after, ROWS_AT_ONCE)
            if not cases:
                break
            piece = await _read_piece(session, run_id, cases, variants, scorers)
        yield await asyncio.to_thread(writer.write, piece)
        after = cases[-1].position
    yield writer.end()


async def _open_writer(
    database: Database,
    run_id: UUID,
    wanted: RowFilter,
    file_format: ExportFormat,
    scorers: Sequence[RunScorer],
) -> Writer:
    if file_format == "jsonl":
        return JsonLines()
    if file_format == "json":
        return JsonArray()
    # A header comes first, and has a column for every variable of any case.
    variables: dict[str, None] = {}
    after = -1
    while True:
        async with database.read() as session:
            cases = await Reading(session).list_next(run_id, wanted, after, ROWS_AT_ONCE)
        if not cases:
            return Csv(list(variables), [scorer.label for scorer in scorers])
        for case in cases:
            variables.update(dict.fromkeys(case.inputs))
        after = cases[-1].position


async def _read_piece(
    session: AsyncSession,
    run_id: UUID,
    cases: Sequence[RunCase],
    variants: Sequence[RunVariant],
    scorers: Sequence[RunScorer],
) -> list[dict[str, object]]:
    reading = Reading(session)
    outputs = await reading.list_whole(run_id, [case.position for case in cases])
    output_ids = [output.id for output in outputs]
    scores: dict[UUID, list[Score]] = defaultdict(list)
    for score in await reading.list_scores(output_ids):
        scores[score.output_id].append(score)
    grades = await Effective(session).find_grades(output_ids)
    return list(
        list_records(
            cases, outputs, variants=variants, scorers=scorers, scores=scores, grades=grades
        )
    )
