"""Boards: models ranked on datasets, over completed runs. Read-only."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.documents.markdown import write_markdown
from edison.api.documents.pdf import write_pdf
from edison.db.session import Database
from edison.insights.boards.export import encode_board
from edison.insights.boards.report import compose_board
from edison.insights.boards.repository import BoardRows, BoardRun
from edison.insights.boards.schemas import (
    BoardDatasetRead,
    BoardFilter,
    BoardFormat,
    BoardRead,
    ScorerSetRead,
)
from edison.insights.boards.scorer_sets import NO_SCORERS, ScorerSet, list_sets
from edison.insights.boards.statistics import BoardStatistics, compute_statistics
from edison.insights.boards.view import read_board
from edison.kit import clock
from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lru_cache import LruCache
from edison.runs.voting import service as voting
from edison.workspace.projects.models import Project

# More would take longer than a page can wait.
MOST_RUNS = 100
MOST_CELLS = 200_000


# The key holds the runs with their numbers and the number of votes, so that any change makes a new
# entry.
_statistics: LruCache[BoardStatistics] = LruCache(32)


async def list_datasets(session: AsyncSession, *, project_id: UUID) -> list[BoardDatasetRead]:
    return [
        BoardDatasetRead(
            dataset_id=each.id,
            name=each.name,
            cases=each.cases,
            runs=each.runs,
            models=each.models,
            last_run_at=each.last_run_at,
        )
        for each in await BoardRows(session).list_datasets(project_id)
    ]


async def get_board(database: Database, *, project_id: UUID, wanted: BoardFilter) -> BoardRead:
    """Raises Invalid for an unknown dataset or scorer set. Cached until one of its runs changes."""
    async with database.read() as session:
        rows = BoardRows(session)
        known = await rows.find_datasets(project_id, wanted.dataset_id)
        _check_datasets(wanted, known)
        found = await rows.list_runs(
            project_id, wanted.dataset_id, since=wanted.since, until=wanted.until
        )
        scorers = await rows.list_scorers([run.id for run in found])
        models = await rows.list_models(project_id)
    sets = list_sets(found, scorers)
    key = _choose_set(sets, wanted)
    of_set = [run for run in found if run.id in sets[key].run_ids] if key is not None else []
    chosen = _choose_runs(of_set)
    async with database.read() as session:
        votes = await voting.count_model_votes(session, run_ids=[run.id for run in chosen])
    statistics = await _statistics.get_or_compute(
        (
            votes,
            tuple((run.id, run.number) for run in chosen),
            wanted.tag,
            wanted.difficulty,
            frozenset(models),
        ),
        lambda: compute_statistics(database, project_id, chosen, wanted, models),
    )
    return read_board(
        statistics,
        wanted=wanted,
        models=models,
        scorer_set=key,
        scorer_sets=[
            ScorerSetRead(key=each, scorers=list(found.scorers), runs=len(found.run_ids))
            for each, found in sets.items()
        ],
        runs=(len(chosen), len(of_set) - len(chosen)),
    )


async def write_board(
    database: Database, *, project: Project, wanted: BoardFilter, file_format: BoardFormat
) -> bytes:
    """The board as a file. Raises Invalid as `get_board` does."""
    board = await get_board(database, project_id=project.id, wanted=wanted)
    if file_format == "csv":
        return encode_board(board)
    async with database.read() as session:
        known = await BoardRows(session).find_datasets(project.id, wanted.dataset_id)
    now = clock.now()
    document = compose_board(
        board, project=project.name, datasets=sorted(known.values()), day=f"{now:%Y-%m-%d}"
    )
    if file_format == "md":
        return write_markdown(document).encode()
    return await asyncio.to_thread(write_pdf, document, at=now)


def _check_datasets(wanted: BoardFilter, known: Mapping[UUID, str]) -> None:
    if set(wanted.dataset_id) - set(known):
        message = "There is no such dataset in this project."
        raise Invalid(FieldProblem(field="dataset_id", message=message, code="unknown_dataset"))


def _choose_set(sets: Mapping[str, ScorerSet], wanted: BoardFilter) -> str | None:
    """A set with scorers is preferred to none."""
    if wanted.scorer_set is None:
        return next((key for key in sets if key != NO_SCORERS), next(iter(sets), None))
    if wanted.scorer_set not in sets:
        message = "No completed run of these datasets has this scorer set."
        raise Invalid(FieldProblem(field="scorer_set", message=message, code="unknown_scorer_set"))
    return wanted.scorer_set


def _choose_runs(found: Sequence[BoardRun]) -> list[BoardRun]:
    """The newest runs within the limits, at least one."""
    chosen: list[BoardRun] = []
    total = 0
    for run in found[:MOST_RUNS]:
        total += run.cell_count
        if chosen and total > MOST_CELLS:
            break
        chosen.append(run)
    return chosen
