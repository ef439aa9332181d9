"""Computes the statistics of a board from the figures of its runs."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from edison.db.session import Database
from edison.insights.boards.pool import BoardPool, PooledBoard, VariantCells, pair_table
from edison.insights.boards.repository import BoardModel, BoardRun
from edison.insights.boards.schemas import BoardFilter
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.board import BoardResult, rank_models
from edison.pipeline.aggregate.gaps import Gap
from edison.pipeline.aggregate.ratings import rate
from edison.pipeline.aggregate.results import EloRating
from edison.pipeline.aggregate.table import Bools, PairTable, TableCase
from edison.runs.plan.types import AS_IS
from edison.runs.read.schemas import RunDetail, RunVariantRead
from edison.runs.results import service as results
from edison.runs.voting import service as voting
from edison.runs.voting.service import ModelVote


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStatistics:
    """`judge_ids` are the models that scored; `simulated` answer without a provider."""

    pooled: PooledBoard
    result: BoardResult
    people: Mapping[str, EloRating]
    judges: Mapping[str, EloRating]
    judge_ids: frozenset[UUID]
    simulated: frozenset[UUID]
    all_cases: int
    tags: Sequence[str]
    difficulties: Sequence[int]


async def compute_statistics(
    database: Database,
    project_id: UUID,
    chosen: Sequence[BoardRun],
    wanted: BoardFilter,
    models: Mapping[UUID, BoardModel],
) -> BoardStatistics:
    """Slow for large runs, so no transaction is open meanwhile."""
    pool, simulated, judge_ids = BoardPool(), set[UUID](), set[UUID]()
    cases: dict[str, TableCase] = {}
    run_ids = [each.id for each in chosen]
    async for run, figures in results.read_runs(database, project_id=project_id, run_ids=run_ids):
        kept = _matching(figures.cases, wanted)
        cases |= {case.key: case for case in figures.cases}
        keys = [key for key, is_kept in zip(figures.case_keys, kept, strict=True) if is_kept]
        counted = _counted_models(run, models)
        for at, model_id in enumerate(counted):
            if model_id is None:
                continue
            variant = run.variants[at]
            if variant.is_simulated:
                simulated.add(model_id)
            gaps = figures.gaps[kept, at]
            cells = VariantCells(
                scores=np.where(gaps == Gap.NONE, figures.composites[kept, at], np.nan),
                gaps=gaps,
                passed=figures.passed[kept, at],
                nanos=figures.cells.nanos[kept, at],
                seconds=figures.cells.seconds[kept, at],
                failed=figures.cells.failed[kept, at],
            )
            pool.add(model_id, _work_of(variant) or "", keys, cells)
        judge_ids |= _judges_of(run)
        if figures.pairs is not None:
            pool.add_pairs(figures.pairs, counted, kept)
    async with database.read() as session:
        votes = await voting.list_model_votes(
            session,
            run_ids=run_ids,
            tag=wanted.tag,
            difficulty=wanted.difficulty,
        )
    pairs = _vote_table([each for each in votes if {each.first_id, each.second_id} <= set(models)])
    return await asyncio.to_thread(_rank, pool, pairs, cases, judge_ids, simulated)


def _vote_table(votes: Sequence[ModelVote]) -> PairTable | None:
    if not votes:
        return None
    models = sorted({model_id for each in votes for model_id in (each.first_id, each.second_id)})
    place = {model_id: at for at, model_id in enumerate(models)}
    cases: dict[object, int] = {}
    return pair_table(
        models,
        case=np.array([cases.setdefault(each.case, len(cases)) for each in votes], dtype=np.int64),
        first=np.array([place[each.first_id] for each in votes], dtype=np.int64),
        second=np.array([place[each.second_id] for each in votes], dtype=np.int64),
        outcome=np.array([each.outcome for each in votes], dtype=np.int64),
    )


def _rank(
    pool: BoardPool,
    votes: PairTable | None,
    cases: Mapping[str, TableCase],
    judge_ids: set[UUID],
    simulated: set[UUID],
) -> BoardStatistics:
    pooled = pool.pool()
    return BoardStatistics(
        pooled=pooled,
        result=rank_models(pooled.table),
        people=_rate(votes),
        judges=_rate(pooled.pairs),
        judge_ids=frozenset(judge_ids),
        simulated=frozenset(simulated),
        all_cases=len(cases),
        tags=sorted({tag for case in cases.values() for tag in case.tags}),
        difficulties=sorted({case.difficulty for case in cases.values() if case.difficulty}),
    )


def _rate(pairs: PairTable | None) -> Mapping[str, EloRating]:
    """By model, without models that were not compared."""
    if pairs is None:
        return {}
    return {each.variant: each for each in rate(pairs).ratings if each.comparisons}


def _matching(cases: Sequence[TableCase], wanted: BoardFilter) -> Bools:
    return np.array(
        [
            (wanted.tag is None or wanted.tag in case.tags)
            and (wanted.difficulty is None or case.difficulty == wanted.difficulty)
            for case in cases
        ],
        dtype=bool,
    )


def _counted_models(run: RunDetail, models: Mapping[UUID, BoardModel]) -> list[UUID | None]:
    """The model of each variant; None if it was removed, or the prompt version was."""
    return [
        each.model_id if each.model_id in models and _work_of(each) is not None else None
        for each in run.variants
    ]


def _work_of(variant: RunVariantRead) -> str | None:
    """Equal for variants that were asked the same: the prompt version, or the template of a
    question that is asked as it is. None for a version that was deleted.
    """
    if variant.version_id is not None:
        return str(variant.version_id)
    return variant.prompt_name if variant.version_label == AS_IS else None


def _judges_of(run: RunDetail) -> set[UUID]:
    """The models that the run's scorers and comparers call."""
    options = [each.options for each in run.scorers]
    options += [each.options for each in run.comparers]
    return {
        UUID(str(model_id))
        for each in options
        for model_id in (each.get("model_id"), *(each.get("judges") or ()))
        if model_id is not None
    }
