"""Writes a board's statistics as its response body."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from uuid import UUID

from edison.insights.boards.repository import BoardModel
from edison.insights.boards.schemas import (
    BoardFilter,
    BoardHeadline,
    BoardRatingRead,
    BoardRead,
    BoardRow,
    ScorerSetRead,
)
from edison.insights.boards.statistics import BoardStatistics
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.board import BoardDecision, Headline, Standing
from edison.pipeline.aggregate.results import EloRating, Estimate
from edison.pipeline.generate.families import family_of

_NOT_SCORED = Estimate(value=None, interval=None, cases=0)


def read_board(
    found: BoardStatistics,
    *,
    wanted: BoardFilter,
    models: Mapping[UUID, BoardModel],
    scorer_set: str | None,
    scorer_sets: Sequence[ScorerSetRead],
    runs: tuple[int, int],
) -> BoardRead:
    """`runs` are the number of pooled runs, and of older ones left out."""
    families = {family_of(models[each].provider_model) for each in found.judge_ids & set(models)}
    standings = {UUID(each.key): each for each in found.result.standings}
    ordered = [*standings, *found.pooled.left_out]
    return BoardRead(
        dataset_ids=list(wanted.dataset_id),
        scorer_set=scorer_set,
        scorer_sets=list(scorer_sets),
        runs=runs[0],
        older_runs=runs[1],
        cases=len(found.pooled.table.scores),
        all_cases=found.all_cases,
        tags=list(found.tags),
        difficulties=list(found.difficulties),
        headline=_headline(found.result.headline, has_runs=bool(runs[0])),
        rows=[_row(found, models[each], standings.get(each), families) for each in ordered],
    )


def _row(
    found: BoardStatistics, model: BoardModel, standing: Standing | None, families: set[str]
) -> BoardRow:
    figures = found.pooled.figures[model.id]
    score = _NOT_SCORED if standing is None else standing.score
    rank = None if standing is None else standing.rank
    passed = figures.passed[~np.isnan(figures.passed)]
    family = family_of(model.provider_model)
    return BoardRow(
        model_id=model.id,
        name=model.name,
        family=family,
        is_simulated=model.id in found.simulated,
        is_compared=standing is not None,
        rank_best=None if rank is None else rank.best,
        rank_worst=None if rank is None else rank.worst,
        score=score.value,
        score_low=None if score.interval is None else score.interval.low,
        score_high=None if score.interval is None else score.interval.high,
        people=_rating(found.people.get(str(model.id))),
        judges=_rating(found.judges.get(str(model.id))),
        pass_rate=float(passed.mean()) if passed.size else None,
        answer_usd=None if figures.nanos is None else Decimal(round(figures.nanos)).scaleb(-9),
        p50_seconds=figures.p50_seconds,
        p95_seconds=figures.p95_seconds,
        answers=figures.answers,
        failures=figures.failures,
        cases=figures.cases,
        is_on_front=standing is not None and standing.is_on_front,
        is_own_judge=family in families,
    )


def _rating(rating: EloRating | None) -> BoardRatingRead | None:
    if rating is None:
        return None
    interval = rating.interval
    return BoardRatingRead(
        points=rating.points,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        comparisons=rating.comparisons,
    )


def _headline(headline: Headline, *, has_runs: bool) -> BoardHeadline:
    """The comparison is that of the closest rival with the leading model: its sign is turned."""
    compared, decision = headline.comparison, headline.decision
    if decision is BoardDecision.NO_RUNS and has_runs:
        # The filters leave no case.
        decision = BoardDecision.NO_SCORES
    value = None if compared is None else compared.difference.value
    interval = None if compared is None else compared.difference.interval
    return BoardHeadline(
        decision=decision,
        cases=headline.cases,
        leading_id=_id(headline.leading),
        tied_ids=[UUID(each) for each in headline.tied],
        cheapest_id=_id(headline.cheapest),
        saving=headline.saving,
        rival_id=None if compared is None else _id(compared.other),
        difference=None if value is None else -value,
        low=None if interval is None else -interval.high,
        high=None if interval is None else -interval.low,
        p_value=None if compared is None else compared.adjusted_p_value,
    )


def _id(key: str | None) -> UUID | None:
    return None if key is None else UUID(key)
