"""Cases of a run with the answers of several variants, including other runs."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from uuid import UUID

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.kit.errors import FieldProblem, Invalid
from edison.kit.money import usd_from_nanos
from edison.runs.read.schemas import RunDetail
from edison.runs.results.cache import get_digest
from edison.runs.results.cursors import cursor_of, place_of
from edison.runs.results.digest import Digest
from edison.runs.results.rank import NOWHERE, Place, RankColumn, Ranked, SideBySide, rank
from edison.runs.results.repository import ResultRows
from edison.runs.results.schemas.cases import ResultCaseFilter, SideCase, SideCell
from edison.runs.results.service import get_run, preview_of


async def list_side_by_side(
    database: Database,
    *,
    project_id: UUID,
    run_id: UUID,
    wanted: ResultCaseFilter,
    page: PageRequest,
) -> Slice[SideCase]:
    """Raises Invalid when a column names a variant that its run does not have."""
    run = await get_run(database, project_id, run_id)
    base = await get_digest(database, project_id=project_id, run=run)
    columns = await _columns(database, project_id, run, wanted)
    flagged: frozenset[int] = frozenset()
    if wanted.is_flagged is not None:
        async with database.read() as session:
            flagged = await ResultRows(session).list_flagged(run_id)
    sides, ranked = await asyncio.to_thread(_rank, base, columns, wanted, flagged)
    first = 0 if page.cursor is None else ranked.first_behind(_place(page.cursor))
    shown = [ranked[at] for at in range(first, min(first + page.limit, len(ranked)))]
    return Slice(
        items=await _describe(database, run_id, sides, [position for *_, position in shown]),
        next=cursor_of(*shown[-1]) if len(ranked) > first + page.limit else None,
        total=len(ranked),
    )


def _rank(
    base: Digest, columns: Sequence[RankColumn], wanted: ResultCaseFilter, flagged: frozenset[int]
) -> tuple[SideBySide, Ranked]:
    sides = SideBySide.of(base, columns, wanted.criterion)
    return sides, rank(sides, wanted, flagged)


def _place(cursor: str) -> Place:
    is_missing, figure, position = place_of(cursor, 3)
    return is_missing, figure, int(position)


async def _columns(
    database: Database, project_id: UUID, base: RunDetail, wanted: ResultCaseFilter
) -> list[RankColumn]:
    named = [_named(base.id, each) for each in wanted.column or ()]
    if not named:
        named = [(base.id, variant.position) for variant in base.variants]
    digests: dict[UUID, tuple[Digest, int]] = {}
    for each in dict.fromkeys(id_ for id_, _ in named):
        run = base if each == base.id else await get_run(database, project_id, each)
        digest = await get_digest(database, project_id=project_id, run=run)
        digests[each] = (digest, run.variant_count)
    for id_, variant in named:
        if variant >= digests[id_][1]:
            message = "The run has no such variant."
            raise Invalid(FieldProblem(field="column", message=message, code="unknown_variant"))
    return [
        RankColumn(run_id=id_, variant=variant, digest=digests[id_][0]) for id_, variant in named
    ]


def _named(run_id: UUID, column: str) -> tuple[UUID, int]:
    of, _, variant = column.rpartition(".")
    try:
        return (UUID(of) if of else run_id), int(variant)
    except ValueError as broken:
        message = "Write the id of a run, a dot, and the position of a variant."
        raise Invalid(FieldProblem(field="column", message=message, code="bad_column")) from broken


async def _describe(
    database: Database, run_id: UUID, sides: SideBySide, positions: Sequence[int]
) -> list[SideCase]:
    async with database.read() as session:
        inputs = await ResultRows(session).find_inputs(run_id, positions)
        flagged = await ResultRows(session).list_flagged(run_id, positions)
        outputs = [
            await ResultRows(session).find_outputs(
                column.run_id,
                column.variant,
                [int(each) for each in sides.places[positions, at] if each != NOWHERE],
            )
            for at, column in enumerate(sides.columns)
        ]
    cases = sides.base.cases
    return [
        SideCase(
            position=at,
            inputs_preview=preview_of(inputs.get(at, {})),
            tags=list(cases[at].tags),
            difficulty=cases[at].difficulty,
            score=_or_none(sides.score[at]),
            difference=_or_none(sides.difference[at]),
            disagreement=_or_none(sides.disagreement[at]),
            cost_usd=_usd(sides.nanos[at]),
            latency_seconds=_or_none(sides.seconds[at]),
            is_flagged=at in flagged,
            cells=_cells(sides, at, outputs),
        )
        for at in positions
    ]


def _cells(sides: SideBySide, case: int, outputs: Sequence[Mapping[int, UUID]]) -> list[SideCell]:
    cells = []
    for at, column in enumerate(sides.columns):
        place = int(sides.places[case, at])
        cells.append(
            SideCell(
                run_id=column.run_id,
                variant=column.variant,
                position=None if place == NOWHERE else place,
                output_id=outputs[at].get(place),
                score=_or_none(sides.scores[case, at]),
                disagreement=_or_none(sides.disagreements[case, at]),
            )
        )
    return cells


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _usd(nanos: float) -> Decimal | None:
    return None if math.isnan(nanos) else usd_from_nanos(round(nanos))
