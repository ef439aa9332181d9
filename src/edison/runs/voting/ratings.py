"""Ratings from votes. Pure."""

from collections import defaultdict
from collections.abc import Sequence

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.ratings import rate
from edison.pipeline.aggregate.results import Ratings
from edison.pipeline.aggregate.table import PairTable, TableCase, TableScorer, TableVariant
from edison.runs.voting.repository.cast_votes import CastVote
from edison.runs.voting.states import VoteChoice


def outcome_of(vote: CastVote) -> int:
    """1 for the answer shown first, -1 for the second; 0 for a tie, also if both are bad."""
    if vote.choice not in (VoteChoice.A, VoteChoice.B):
        return 0
    return 1 if vote.choice == vote.shown_first else -1


def rate_votes(votes: Sequence[CastVote], variants: Sequence[int]) -> Ratings | None:
    """Rates variants by position. Pairs that came back do not count. None without votes."""
    counted = [vote for vote in votes if vote.turn == 1]
    if not counted:
        return None
    place = {variant: at for at, variant in enumerate(variants)}
    cases: dict[int, int] = {}
    shown = [
        (vote.variant_a, vote.variant_b)
        if vote.shown_first == "a"
        else (vote.variant_b, vote.variant_a)
        for vote in counted
    ]
    rows = [cases.setdefault(vote.case_position, len(cases)) for vote in counted]
    return rate(
        PairTable(
            cases=tuple(TableCase(key=str(case)) for case in cases),
            variants=tuple(TableVariant(key=str(variant)) for variant in variants),
            judges=(TableScorer(key="people", is_human=True),),
            case=np.array(rows, dtype=np.int64),
            judge=np.zeros(len(counted), dtype=np.int64),
            first=np.array([place[first] for first, _ in shown], dtype=np.int64),
            second=np.array([place[second] for _, second in shown], dtype=np.int64),
            outcome=np.array([outcome_of(vote) for vote in counted], dtype=np.int64),
        )
    )


def consistency_of(votes: Sequence[CastVote]) -> tuple[int, float | None]:
    """The number of pairs that came back, and the share with the same choice in both turns."""
    choices: defaultdict[tuple[object, object], dict[int, str]] = defaultdict(dict)
    for vote in votes:
        choices[(vote.match_id, vote.user_id)][vote.turn] = vote.choice
    both = [each for each in choices.values() if len(each) == 2]
    if not both:
        return 0, None
    return len(both), sum(each[1] == each[2] for each in both) / len(both)
