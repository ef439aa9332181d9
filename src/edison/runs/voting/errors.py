"""Errors of blind voting."""

from edison.kit.errors import Conflict


class VotingClosed(Conflict):
    code = "VOTING_CLOSED"

    def __init__(self) -> None:
        super().__init__("This round is closed: no votes can be given or taken back.")


class VotingOpen(Conflict):
    code = "VOTING_OPEN"

    def __init__(self) -> None:
        super().__init__("The models are revealed after the round. Close it first.")


class MatchNotClaimed(Conflict):
    def __init__(self) -> None:
        super().__init__(
            "This pair is not yours to vote on any more: your time ran out, or you have voted."
        )


class NoVoteToUndo(Conflict):
    def __init__(self) -> None:
        super().__init__("You have no vote or skip in this round that could be taken back.")


class NothingToVoteOn(Conflict):
    """`named` and `identical` say why pairs were left out."""

    code = "NOTHING_TO_VOTE_ON"

    def __init__(self, *, named: int, identical: int) -> None:
        super().__init__(
            "This run has no pairs to vote on: two models must have answered the same case with "
            "different texts that do not name a model.",
            details={"named": named, "identical": identical},
        )
