"""States of A/B tests and of recorded answers, and the allowed transitions."""

from collections.abc import Mapping
from enum import StrEnum


class AbTestState(StrEnum):
    """Stored; never rename. The states after RUNNING, except FAILED, are those of `AbStop`."""

    DRAFT = "draft"
    RUNNING = "running"
    DECIDED = "decided"
    COMPLETE = "complete"
    FUTILE = "futile"
    OUT_OF_MONEY = "out_of_money"
    STOPPED = "stopped"
    FAILED = "failed"


_S = AbTestState

OVER = (_S.DECIDED, _S.COMPLETE, _S.FUTILE, _S.OUT_OF_MONEY, _S.STOPPED, _S.FAILED)
# States in which a test still needs its prompts, models, dataset and scorers.
IN_USE = (_S.DRAFT, _S.RUNNING)

NEXT: Mapping[AbTestState, frozenset[AbTestState]] = {
    _S.DRAFT: frozenset({_S.RUNNING}),
    _S.RUNNING: frozenset(OVER),
    **{state: frozenset() for state in OVER},
}


class AbMode(StrEnum):
    """Where the answers come from: cases sampled from a dataset, or a program that records its own
    through the API. Stored; never rename.
    """

    SAMPLED = "sampled"
    RECORDED = "recorded"


class AbArmName(StrEnum):
    """`first` is the one in use today, `second` the challenger. Stored; never rename."""

    FIRST = "first"
    SECOND = "second"


class AnswerState(StrEnum):
    """Of a recorded answer. Stored; never rename. UNSCORED: no scorer could score it."""

    PENDING = "pending"
    SCORED = "scored"
    UNSCORED = "unscored"
