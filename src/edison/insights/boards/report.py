"""A board as a document, to be written as Markdown or PDF."""

from collections.abc import Callable, Sequence
from uuid import UUID

from edison.api.documents.document import Bullets, Conclusion, Document, Heading, Paragraph, Table
from edison.insights.boards.schemas import BoardHeadline, BoardRatingRead, BoardRead, BoardRow
from edison.pipeline.aggregate.board import BoardDecision

_UNKNOWN = "-"
_NOTES = (
    "A rank is a range: models share it unless a paired test, corrected for all pairs, separates "
    "them.",
    "Scores are from 0 to 10, with 95 % intervals. Models are compared on the cases that all of "
    "them answered.",
)


def compose_board(board: BoardRead, *, project: str, datasets: Sequence[str], day: str) -> Document:
    names = {row.model_id: row.name for row in board.rows}
    chosen = next((each for each in board.scorer_sets if each.key == board.scorer_set), None)
    scorers = ", ".join(each.label for each in chosen.scorers) if chosen else ""
    return Document(
        title=f"Which model? {', '.join(datasets)}",
        subtitle=project,
        facts=[
            ("Date", day),
            ("Runs", str(board.runs)),
            ("Cases", f"{board.cases} of {board.all_cases}"),
            ("Scorers", scorers or "none"),
        ],
        blocks=[
            Conclusion(items=_conclusion(board.headline, names)),
            Heading(text="Models"),
            Table(
                columns=[
                    "Rank",
                    "Model",
                    "Score",
                    "People",
                    "Judges",
                    "Passed",
                    "Cost per answer",
                    "p50 / p95",
                    "Failed",
                ],
                rows=[_row(row) for row in board.rows],
                words=frozenset({0, 1}),
            ),
            Bullets(items=_NOTES),
            *_caveats(board),
        ],
    )


def _conclusion(headline: BoardHeadline, names: dict[UUID, str]) -> list[str]:
    leading = names.get(headline.leading_id, "") if headline.leading_id else ""
    tied = ", ".join(names[each] for each in headline.tied_ids if each in names)
    said: dict[BoardDecision, Callable[[], str]] = {
        BoardDecision.NO_RUNS: lambda: "No completed run matches.",
        BoardDecision.NO_SCORES: lambda: "There are no scores to compare.",
        BoardDecision.ONE_MODEL: lambda: f"Only {leading or 'one model'} has results.",
        BoardDecision.TOO_FEW_CASES: lambda: (
            f"{headline.cases} shared cases are too few to tell the models apart."
        ),
        BoardDecision.SEPARATED: lambda: f"{leading} is the best on {headline.cases} cases.",
        BoardDecision.NOT_SEPARATED: lambda: (
            f"{leading} and {tied} cannot be told apart on {headline.cases} cases."
        ),
    }
    items = [said[headline.decision]()]
    if headline.cheapest_id in names and headline.saving is not None:
        items.append(f"{names[headline.cheapest_id]} costs {headline.saving:.0%} less.")
    if headline.rival_id in names and headline.difference is not None:
        between = (
            ""
            if headline.low is None or headline.high is None
            else f", between {10 * headline.low:+.1f} and {10 * headline.high:+.1f}"
        )
        items.append(
            f"{leading} against {names[headline.rival_id]}: "
            f"{10 * headline.difference:+.1f} points{between}."
        )
    return items


def _row(row: BoardRow) -> list[str]:
    return [
        _rank(row),
        row.name,
        _score(row),
        _rating(row.people),
        _rating(row.judges),
        _UNKNOWN if row.pass_rate is None else f"{row.pass_rate:.0%}",
        _UNKNOWN if row.answer_usd is None else f"${row.answer_usd:f}",
        _UNKNOWN
        if row.p50_seconds is None or row.p95_seconds is None
        else f"{row.p50_seconds:.2f} / {row.p95_seconds:.2f} s",
        f"{row.failures} of {row.answers}",
    ]


def _rank(row: BoardRow) -> str:
    if row.rank_best is None:
        return _UNKNOWN
    is_one = row.rank_best == row.rank_worst
    return str(row.rank_best) if is_one else f"{row.rank_best} to {row.rank_worst}"


def _score(row: BoardRow) -> str:
    if row.score is None:
        return _UNKNOWN
    if row.score_low is None or row.score_high is None:
        return f"{10 * row.score:.1f}"
    return f"{10 * row.score:.1f} ({10 * row.score_low:.1f} to {10 * row.score_high:.1f})"


def _rating(rating: BoardRatingRead | None) -> str:
    return _UNKNOWN if rating is None else f"{rating.points:.0f} ({rating.comparisons})"


def _caveats(board: BoardRead) -> list[Paragraph]:
    said = []
    if own := [row.name for row in board.rows if row.is_own_judge]:
        said.append(f"A judge is of the same family, which it may prefer: {', '.join(own)}.")
    if apart := [row.name for row in board.rows if not row.is_compared]:
        said.append(f"Not compared, because they share too few cases: {', '.join(apart)}.")
    if simulated := [row.name for row in board.rows if row.is_simulated]:
        said.append(f"Simulated, not real models: {', '.join(simulated)}.")
    return [Paragraph(text=each) for each in said]
