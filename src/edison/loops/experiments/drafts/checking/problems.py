"""All problems of a draft, each with its step."""

from collections.abc import Iterable, Sequence

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.experiments.schemas.drafts import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class StepProblem:
    """`field` is a dotted path that begins with the step."""

    step: Step
    field: str
    message: str
    code: str


class Problems:
    """Collects the problems of all steps."""

    def __init__(self) -> None:
        self.found: list[StepProblem] = []

    def add(self, step: Step, field: str, message: str, code: str) -> None:
        path = f"{step}.{field}" if field else step.value
        self.found.append(StepProblem(step=step, field=path, message=message, code=code))

    def take(self, step: Step, problems: Iterable[FieldProblem], *, below: str = "") -> None:
        for each in problems:
            field = ".".join(part for part in (below, each.field) if part)
            self.add(step, field, each.message, each.code)


def raise_problems(problems: Sequence[StepProblem]) -> None:
    """Raises Invalid with all problems."""
    if problems:
        raise Invalid(
            *(
                FieldProblem(field=each.field, message=each.message, code=each.code)
                for each in problems
            )
        )
