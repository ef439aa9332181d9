"""A board as CSV, one row per model."""

from collections.abc import Iterable

from edison.insights.boards.schemas import BoardRatingRead, BoardRead, BoardRow
from edison.kit.csv_text import encode_rows, guard

HEADER = (
    "model",
    "family",
    "simulated",
    "compared",
    "rank_best",
    "rank_worst",
    "score",
    "score_low",
    "score_high",
    "people_rating",
    "people_votes",
    "judges_rating",
    "judges_comparisons",
    "pass_rate",
    "answer_usd",
    "p50_seconds",
    "p95_seconds",
    "answers",
    "failures",
    "cases",
    "pareto_front",
    "judge_of_same_family",
)


def encode_board(board: BoardRead) -> bytes:
    """Empty cells are unknown values."""
    return encode_rows([HEADER, *map(_cells, board.rows)])


def _cells(row: BoardRow) -> Iterable[object]:
    return (
        guard(row.name),
        guard(row.family),
        row.is_simulated,
        row.is_compared,
        row.rank_best,
        row.rank_worst,
        row.score,
        row.score_low,
        row.score_high,
        *_rating(row.people),
        *_rating(row.judges),
        row.pass_rate,
        row.answer_usd,
        row.p50_seconds,
        row.p95_seconds,
        row.answers,
        row.failures,
        row.cases,
        row.is_on_front,
        row.is_own_judge,
    )


def _rating(rating: BoardRatingRead | None) -> tuple[float | None, int]:
    return (None, 0) if rating is None else (rating.points, rating.comparisons)
