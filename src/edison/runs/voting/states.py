"""States of a voting round, and the choices of a vote."""

from enum import StrEnum


class VotingState(StrEnum):
    """A closed round is final: the models are revealed."""

    OPEN = "open"
    CLOSED = "closed"


class VoteChoice(StrEnum):
    """As stored: `a` is the answer of the variant with the lower position."""

    A = "a"
    B = "b"
    TIE = "tie"
    BOTH_BAD = "both_bad"


class ShownChoice(StrEnum):
    """As given by a person, in terms of the order shown."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"
    BOTH_BAD = "both_bad"
