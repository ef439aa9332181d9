"""Errors of human scores and annotation queues."""

from edison.kit.errors import Conflict, FieldProblem, Forbidden, Invalid
from edison.runs.scoring.scales import SCALES, ScoringQuestion


class NothingToScore(Conflict):
    def __init__(self) -> None:
        super().__init__("This cell failed: it has no answer that could be scored.")


class RetryPending(Conflict):
    def __init__(self) -> None:
        super().__init__("This answer is being made again. Score the new one once it is there.")


class AnswerReplaced(Conflict):
    """The answer that the caller looked at has been replaced."""

    def __init__(self) -> None:
        super().__init__("The answer was made again in the meantime. Look at the new one first.")


class OffScale(Invalid):
    def __init__(self, field: str, question: ScoringQuestion) -> None:
        low, high = SCALES[question]
        message = f"Answer with a number from {low} to {high}."
        super().__init__(FieldProblem(field=field, message=message, code="off_scale"))


class NotOpen(Conflict):
    def __init__(self, state: str) -> None:
        super().__init__(f"This queue is {state}: nothing can be scored.", details={"state": state})


class IllegalQueueChange(Conflict):
    def __init__(self, state: str, wanted: str) -> None:
        super().__init__(
            f"A queue that is {state} cannot become {wanted}.", details={"state": state}
        )


class ClaimLost(Conflict):
    def __init__(self) -> None:
        super().__init__(
            "This output is not yours to score any more: your time ran out, or it was made again."
        )


class NothingToUndo(Conflict):
    def __init__(self) -> None:
        super().__init__("You have neither scored nor skipped this output, or others took it over.")


class NotAsked(Forbidden):
    def __init__(self) -> None:
        super().__init__("Others were asked to score in this queue.")


class NothingToSample(Conflict):
    def __init__(self) -> None:
        super().__init__(
            "These runs have no answers to ask about: all failed, or people have scored them all."
        )
