"""What may be wrong with scores that people give."""

from edison.kit.errors import Conflict, FieldProblem, Invalid
from edison.runs.scoring.scales import SCALES, Question


class NothingToScore(Conflict):
    def __init__(self) -> None:
        super().__init__("This cell failed: it has no answer that could be scored.")


class BeingMadeAgain(Conflict):
    def __init__(self) -> None:
        super().__init__("This answer is being made again. Score the new one once it is there.")


class AnotherAnswer(Conflict):
    """The caller looked at an answer that is there no more."""

    def __init__(self) -> None:
        super().__init__("The answer was made again in the meantime. Look at the new one first.")


class OffScale(Invalid):
    def __init__(self, field: str, question: Question) -> None:
        low, high = SCALES[question]
        message = f"Answer with a number from {low} to {high}."
        super().__init__(FieldProblem(field=field, message=message, code="off_scale"))
