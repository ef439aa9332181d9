"""Reads runs: lists, details, rows for a grid, outputs. Also renames and deletes them."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice, SortedId, slice_sorted
from edison.db.session import inline
from edison.kit import clock
from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.kit.lru_cache import LruCache
from edison.library.models.names import find_names
from edison.library.prompts.service import template_of_stored
from edison.pipeline.score.scorer import Subject
from edison.runs.fill import service as run_control
from edison.runs.plan.schemas import RunChange, ScorerRequest
from edison.runs.read import view
from edison.runs.read.cells import Cell, Grid, Rows, write_cell, write_row
from edison.runs.read.comparisons import Comparing
from edison.runs.read.schemas import (
    OutputDetail,
    ReplayComparison,
    RunDetail,
    RunRead,
    RunScorerRead,
)
from edison.runs.read.view import judge_models, read_output, read_score
from edison.runs.store.answers import subject_of
from edison.runs.store.comparisons import Comparisons
from edison.runs.store.effective_scores import Effective
from edison.runs.store.errors import IllegalRunChange, NotAReplay, RunNeedsCommand
from edison.runs.store.models import Run, RunCase, RunVariant
from edison.runs.store.outputs import OUTPUT_SORTING, Outputs
from edison.runs.store.repository import Runs
from edison.runs.store.rows import restore_output
from edison.runs.store.schemas import OutputFilter, RowFilter, RowSpan, RunFilter
from edison.runs.store.states import COMMAND_LINE, OVER
from edison.runs.store.transitions import announce
from edison.workspace.audit import service as audit
from edison.workspace.budgets.types import RunFacts

Found = TypeVar("Found")

ALL_ROWS = RowFilter()
# Filtering and sorting scan every cell of a run; cached for the following pages.
_positions: LruCache[Sequence[int]] = LruCache(64)
# Forty thousand ids take about 7 MB.
_sorted: LruCache[Sequence[SortedId]] = LruCache(4)


async def list_rows(
    session: AsyncSession, *, project_id: UUID, run_id: UUID, wanted: RowFilter, span: RowSpan
) -> dict[str, Any]:
    """A page in the JSON shape of `RowPage`."""
    run = await _find(session, project_id, run_id)
    positions: Sequence[int] = range(run.case_count)
    if wanted != ALL_ROWS or span.order is not None:
        positions = await _get_cached(
            _positions,
            run,
            (wanted, span.order),
            lambda: Outputs(session).list_positions(run_id, wanted, span.order),
        )
    first = _place_after(positions, span)
    shown = positions[first : first + span.limit]
    async with inline(session):
        cases = await Outputs(session).list_at(run_id, shown)
        cells = await _write(session, await Grid(session).list_of_cases(run_id, shown))
    by_case: dict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        by_case[cell["case_position"]].append(cell)
    return {
        "items": [write_row(case, by_case[case.position]) for case in cases],
        "next": shown[-1] if len(positions) > first + span.limit else None,
        "total": len(positions),
    }


def _place_after(positions: Sequence[int], span: RowSpan) -> int:
    """Index of the first row of the span. If the sorted list no longer contains the row to continue
    after, the list ends.
    """
    if span.order is None:
        return bisect_right(positions, span.after)
    if span.after < 0:
        return 0
    return positions.index(span.after) + 1 if span.after in positions else len(positions)


async def list_outputs(
    session: AsyncSession,
    *,
    project_id: UUID,
    run_id: UUID,
    wanted: OutputFilter,
    page: PageRequest,
) -> dict[str, Any]:
    """A page of `CellRead` in its JSON shape."""
    run = await _find(session, project_id, run_id)
    reading = Outputs(session)
    if run.state in OVER:
        rows = await _get_cached(
            _sorted,
            run,
            (wanted, page.q, page.sort),
            lambda: reading.list_sorted(run_id, wanted=wanted, page=page),
        )
        found = slice_sorted(rows, page=page, sorting=OUTPUT_SORTING)
    else:
        found = await reading.page_outputs(run_id, wanted=wanted, page=page)
    async with inline(session):
        cells = await _write(session, await Grid(session).list_in_order(found.items))
    return {"items": cells, "next": found.next, "total": found.total}


async def _find(session: AsyncSession, project_id: UUID, run_id: UUID) -> Run:
    async with inline(session):
        return await Runs(session).get(project_id, run_id)


async def _get_cached(
    cache: LruCache[Found], run: Run, asked: Hashable, find: Callable[[], Awaitable[Found]]
) -> Found:
    """Cached result for a finished run; runs in progress are always read."""
    if run.state not in OVER:
        return await find()
    return await cache.get_or_compute((run.id, run.last_number, asked), find)


async def _write(session: AsyncSession, outputs: Rows) -> list[Cell]:
    scores = await Grid(session).find_scores([output_id for output_id, *_ in outputs])
    return [write_cell(output, scores.get(output[0], ())) for output in outputs]


async def get_output(session: AsyncSession, *, project_id: UUID, output_id: UUID) -> OutputDetail:
    reader, runs = Outputs(session), Runs(session)
    output = await reader.get_output(project_id, output_id)
    run = await runs.get(project_id, output.run_id)
    variants = await runs.list_variants(run.id)
    grades = await Effective(session).find_grades([output.id])
    scores = await reader.list_scores([output.id])
    models = await find_names(session, project_id=project_id, model_ids=judge_models(scores))
    return read_output(
        output,
        run=run,
        variant=variants[output.variant_position],
        scores=[read_score(score, models) for score in scores],
        grade=grades.get(output.id),
        sent=await reader.get_sent(project_id, output.prompt_digest),
    )


async def get_case(
    session: AsyncSession, *, project_id: UUID, run_id: UUID, position: int
) -> RunCase:
    """A case as it was when the run was created."""
    await Runs(session).get(project_id, run_id)
    found = await Outputs(session).list_at(run_id, [position])
    if not found:
        raise NotFound("There is no such row.")
    return found[0]


async def read_subject(session: AsyncSession, project_id: UUID, output_id: UUID) -> Subject:
    """Hook of the scorer test bench: an output as scorers see it. Raises Invalid if it failed."""
    reader = Outputs(session)
    output = await reader.get_output(project_id, output_id)
    (case,) = await reader.list_cases(output.run_id, output.case_position, output.case_position + 1)
    variants = await Runs(session).list_variants(output.run_id)
    template = template_of_stored(variants[output.variant_position].template)
    subject = subject_of(restore_output(output), case, template=template)
    if subject is None:
        told = "This output failed, so there is nothing to score."
        raise Invalid(FieldProblem(field="sample.output_id", message=told, code="output_failed"))
    return subject


async def list_runs(
    session: AsyncSession, *, project_id: UUID, wanted: RunFilter, page: PageRequest
) -> Slice[RunRead]:
    runs = Runs(session)
    found = await runs.list_of_project(project_id, wanted=wanted, page=page)
    variants: dict[UUID, list[RunVariant]] = defaultdict(list)
    for variant in await runs.list_variants_of([run.id for run, _, _ in found.items]):
        variants[variant.run_id].append(variant)
    items = [
        view.read_run(
            run,
            author=None if email is None else (email, name),
            variants=variants[run.id],
        )
        for run, email, name in found.items
    ]
    return Slice(items=items, next=found.next, total=found.total)


async def get_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> RunDetail:
    async with inline(session):
        run = await Runs(session).get(project_id, run_id)
    return await describe(session, run)


async def describe(session: AsyncSession, run: Run) -> RunDetail:
    runs = Runs(session)
    async with inline(session):
        return view.read_detail(
            run,
            author=await runs.find_author(run.author_id),
            variants=await runs.list_variants(run.id),
            scorers=await runs.list_scorers(run.id),
            comparers=await Comparisons(session).list_comparers(run.id),
        )


async def find_facts(
    session: AsyncSession, project_id: UUID, run_ids: Collection[UUID]
) -> Mapping[UUID, RunFacts]:
    """Hook of budgets: names and origins of runs for reports."""
    found = await Runs(session).find_facts(project_id, run_ids)
    return {run_id: RunFacts(name=name, origin=origin) for run_id, (name, origin) in found.items()}


def scorer_request_of(scorer: RunScorerRead) -> ScorerRequest:
    """The request that adds the same scorer to another run."""
    if scorer.scorer_version_id is not None:
        return ScorerRequest.model_validate(
            {
                "scorer_version_id": scorer.scorer_version_id,
                "label": scorer.label,
                "weight": scorer.weight,
            }
        )
    return ScorerRequest.model_validate(
        {
            "kind": scorer.kind,
            "label": scorer.label,
            "options": scorer.options,
            "weight": scorer.weight,
            "threshold": scorer.threshold,
            "is_negated": scorer.is_negated,
        }
    )


async def change_run(
    session: AsyncSession, *, project_id: UUID, run_id: UUID, change: RunChange
) -> RunDetail:
    """Renames, keeps, archives or restores a run. Raises IllegalRunChange when an active run would
    be archived.
    """
    runs = Runs(session)
    run = await runs.get(project_id, run_id)
    if change.is_archived and run.state not in OVER:
        raise IllegalRunChange("archived", run.state)
    before = {"name": run.name, "is_kept": run.is_kept, "is_archived": run.archived_at is not None}
    wanted = change.model_dump(exclude_none=True)
    after = {name: value for name, value in wanted.items() if before[name] != value}
    values = {name: value for name, value in after.items() if name != "is_archived"}
    if "is_archived" in after:
        values["archived_at"] = clock.now() if after["is_archived"] else None
    if values:
        await runs.change(run_id, values)
    audit.record(
        session,
        "run.changed",
        entity=("run", run_id),
        project_id=project_id,
        before={name: before[name] for name in after},
        after=after,
    )
    run = await runs.get(project_id, run_id)
    await announce(session, run)
    return await describe(session, run)


async def delete_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> None:
    """Raises IllegalRunChange while the run is active."""
    runs = Runs(session)
    run = await runs.get(project_id, run_id)
    if run.state not in OVER:
        raise IllegalRunChange("deleted", run.state)
    await runs.remove(run_id)
    audit.record(
        session,
        "run.deleted",
        entity=("run", run_id),
        project_id=project_id,
        before={"name": run.name, "cells": run.cell_count},
    )
    await announce(session, run)


async def compare_with_original(
    session: AsyncSession, *, project_id: UUID, run_id: UUID
) -> ReplayComparison:
    """Compares a replay with the original run. Raises NotAReplay."""
    run = await Runs(session).get(project_id, run_id)
    if run.replay_of_id is None:
        raise NotAReplay
    return await Comparing(session).compare(run.id, run.replay_of_id)


async def find_active(session: AsyncSession, *, lock_name: str) -> UUID | None:
    """The active run that holds the lock."""
    return await Runs(session).find_holder(lock_name)


async def count_active(session: AsyncSession, *, project_id: UUID) -> int:
    return await Runs(session).count_active(project_id)


async def pause_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> RunDetail:
    run = await run_control.pause_run(session, project_id=project_id, run_id=run_id)
    return await describe(session, run)


async def resume_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> RunDetail:
    await _check_executable(session, project_id, run_id)
    run = await run_control.resume_run(session, project_id=project_id, run_id=run_id)
    return await describe(session, run)


async def cancel_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> RunDetail:
    run = await run_control.cancel_run(session, project_id=project_id, run_id=run_id)
    return await describe(session, run)


async def retry_run(session: AsyncSession, *, project_id: UUID, run_id: UUID) -> RunDetail:
    await _check_executable(session, project_id, run_id)
    run = await run_control.retry_failed(session, project_id=project_id, run_id=run_id)
    return await describe(session, run)


async def rerun_output(session: AsyncSession, *, project_id: UUID, output_id: UUID) -> RunDetail:
    output = await Outputs(session).get_output(project_id, output_id)
    await _check_executable(session, project_id, output.run_id)
    run = await run_control.rerun_output(session, project_id=project_id, output_id=output_id)
    return await describe(session, run)


async def _check_executable(session: AsyncSession, project_id: UUID, run_id: UUID) -> None:
    """Raises RunNeedsCommand."""
    run = await Runs(session).get(project_id, run_id)
    if run.origin == COMMAND_LINE:
        raise RunNeedsCommand
