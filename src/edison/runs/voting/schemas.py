"""Request and response bodies of blind voting. Before a round is closed, no body names a model, a
run or an output.
"""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from edison.api.schema import CleanText, Line, Schema
from edison.runs.voting.states import ShownChoice, VotingState

MOST_MATCHES = 5_000
MOST_PEOPLE = 20


class VotingRoundRequest(Schema):
    """A round of votes on the answers of a completed run. `people_per_match` people vote on each
    pair; at most `matches` pairs are drawn, evenly over models.
    """

    run_id: UUID
    name: Annotated[Line, Field(min_length=1, max_length=200)]
    instructions: Annotated[CleanText, Field(max_length=2000)] | None = None
    people_per_match: Annotated[int, Field(ge=1, le=MOST_PEOPLE)] = 1
    matches: Annotated[int, Field(ge=1, le=MOST_MATCHES)] = 200


class VotingRoundChange(Schema):
    name: Annotated[Line, Field(min_length=1, max_length=200)]


class VotingRoundRead(Schema):
    """A round with its progress. `named_count` and `identical_count` are pairs left out because an
    answer names a model, or both answers are the same. `my_votes` are
    yours among `vote_count`: pairs that come back reversed do not count.
    """

    id: UUID
    name: str
    instructions: str | None
    state: VotingState
    people_per_match: int
    match_count: int
    seat_count: int
    vote_count: int
    my_votes: int
    named_count: int
    identical_count: int
    created_at: datetime
    closed_at: datetime | None


class VotingMatchRead(Schema):
    """Two answers to the same inputs, in the order to show them. Send `turn` back with the vote."""

    id: UUID
    turn: Literal[1, 2]
    inputs: dict[str, Any]
    first: str
    second: str
    lease_until: datetime | None


class VotingStep(Schema):
    """The round and the next pair; null when there is none for you."""

    round: VotingRoundRead
    match: VotingMatchRead | None


class VoteRequest(Schema):
    choice: ShownChoice
    turn: Literal[1, 2] = 1


class VotedModelRead(Schema):
    """A variant's rating: 1000 is the average, 400 more mean ten wins per loss. `low` and `high`
    are the 95 % interval. `ties` include pairs of which both are bad.
    """

    variant: int
    label: str
    model_id: UUID | None
    model_name: str
    points: float
    low: float | None
    high: float | None
    wins: int
    losses: int
    ties: int


class VoterRead(Schema):
    """A person's votes. `consistency` is the share of pairs judged the same when they came back
    reversed; null without any. `user_id` is null for deleted accounts.
    """

    user_id: UUID | None
    name: str | None
    votes: int
    repeats: int
    consistency: float | None


class VotingResults(Schema):
    """The results of a closed round, models revealed. `judge_agreement` is the share of pairs, out
    of `judged_count`, on which people and the run's pairwise judges have the same preference.
    """

    round: VotingRoundRead
    run_id: UUID
    models: list[VotedModelRead]
    voters: list[VoterRead]
    first_advantage: float | None
    tie_share: float | None
    consistency: float | None
    judge_agreement: float | None
    judged_count: int
