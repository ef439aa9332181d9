"""A user's Python function, run in a sandbox."""

from typing import ClassVar

from pydantic import Field

from edison.kit.errors import FieldProblem
from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.score.sandbox.program import (
    LONGEST_CODE,
    LONGEST_TIME_LIMIT_SECONDS,
    TIME_LIMIT_SECONDS,
    ProblemKind,
)
from edison.pipeline.score.sandbox.score import ScorerArguments, check, try_out
from edison.pipeline.score.sandbox.workers import find_obstacle
from edison.pipeline.score.scorer import (
    Flag,
    NotApplicable,
    Scored,
    Scorer,
    ScorerGroup,
    Subject,
    Tools,
)

_EXAMPLE = """def score(output, expected, inputs):
    words = len(output.split())
    return {"score": words <= 120, "reason": f"{words} words"}
"""
# Code with one of these can never score.
_MISTAKES = frozenset({ProblemKind.SYNTAX, ProblemKind.NO_SCORE, ProblemKind.SIGNATURE})


class CustomCode(Scorer):
    """The return value of `def score(output, expected, inputs)`: a number from 0 to 1, True or
    False, or a dict with “score”, optionally “reason”, and any other names as criteria, each from 0
    to 1.

    The code runs in a sandbox without files and network, and may call `similarity(a, b)`,
    `count_tokens(text)` and `parse_json(text)`. Code that raises, takes too long, needs too much
    memory or returns anything else gives no value and the flag `code_failed`.
    """

    title: ClassVar[str] = "Custom code"
    description: ClassVar[str] = "A Python function of your own scores the answer."
    group: ClassVar[ScorerGroup] = ScorerGroup.OWN
    example: ClassVar[str] = "A function that counts bullet points: 2 of 4 gives 0.5."
    is_instant: ClassVar[bool] = False

    code: str = Field(
        min_length=1,
        max_length=LONGEST_CODE,
        title="Code",
        description="Define score(output, expected, inputs); expected is None without one.",
        examples=[_EXAMPLE],
        json_schema_extra={"x-editor": "python"},
    )
    time_limit_seconds: float = Field(
        default=TIME_LIMIT_SECONDS,
        ge=0.05,
        le=LONGEST_TIME_LIMIT_SECONDS,
        title="Time limit, in seconds",
        json_schema_extra=ADVANCED,
    )

    @classmethod
    def find_obstacle(cls) -> str | None:
        return find_obstacle()

    async def find_mistake(self) -> FieldProblem | None:
        problem = await check(self.code)
        if problem is None or problem.kind not in _MISTAKES:
            return None
        return FieldProblem(field="options.code", message=str(problem), code="code_mistake")

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        sample = ScorerArguments(
            output=subject.answer, expected=subject.expected, inputs=subject.inputs
        )
        trial = await try_out(self.code, sample, time_limit_seconds=self.time_limit_seconds)
        if isinstance(trial.outcome, Scored):
            return trial.outcome
        is_off = trial.outcome.kind is ProblemKind.UNAVAILABLE
        raise NotApplicable(Flag.UNAVAILABLE if is_off else Flag.CODE_FAILED, str(trial.outcome))
