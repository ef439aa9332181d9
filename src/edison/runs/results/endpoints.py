"""Endpoints of run results."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Response

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentDatabase
from edison.runs.results import service, side_by_side
from edison.runs.results.schemas.cases import ResultCaseFilter, SideCase
from edison.runs.results.schemas.results import RunComparisonRead, RunResults
from edison.runs.results.schemas.statistics import CaseDelta
from edison.workspace.projects.access import ViewerWithoutTransaction

router = api_router("/projects/{project}/runs/{run_id}", tag="runs")

Position = Annotated[int | None, Query(ge=0, le=10_000)]


async def _pair(
    baseline_variant: Position = None, variant: Position = None
) -> tuple[int, int] | None:
    """Positions of the two variants to compare; None to match variants automatically."""
    if baseline_variant is None or variant is None:
        return None
    return baseline_variant, variant


VariantPair = Annotated[tuple[int, int] | None, Depends(_pair)]


@router.get("/summary", response_model=RunResults)
async def get_run_results(
    run_id: UUID, member: ViewerWithoutTransaction, database: CurrentDatabase
) -> Response:
    """Returns the results of a run with intervals and verdicts; while it is in progress, those so
    far.
    """
    written = await service.write_results(database, project_id=member.project_id, run_id=run_id)
    return Response(written, media_type="application/json")


@router.get("/compare/{other_run_id}")
async def compare_runs(
    run_id: UUID,
    other_run_id: UUID,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    pair: VariantPair,
) -> RunComparisonRead:
    """Compares another run with this one as the baseline, on the cases that both have."""
    return await service.compare_runs(
        database,
        project_id=member.project_id,
        baseline_id=run_id,
        other_id=other_run_id,
        pair=pair,
    )


@router.get("/compare/{other_run_id}/cases", response_model=Page[CaseDelta])
async def list_case_deltas(
    run_id: UUID,
    other_run_id: UUID,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    pair: VariantPair,
    page: PageParams,
) -> Slice[CaseDelta]:
    """Returns the cases of two runs with both scores, largest loss first."""
    return await service.list_case_deltas(
        database,
        project_id=member.project_id,
        baseline_id=run_id,
        other_id=other_run_id,
        pair=pair,
        page=page,
    )


@router.get("/cases", response_model=Page[SideCase])
async def list_cases_side_by_side(
    run_id: UUID,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
    wanted: Annotated[ResultCaseFilter, read_into(ResultCaseFilter)],
    page: PageParams,
) -> Slice[SideCase]:
    """Returns cases with the answers of several variants, including other runs, filtered and
    sorted.
    """
    return await side_by_side.list_side_by_side(
        database, project_id=member.project_id, run_id=run_id, wanted=wanted, page=page
    )
