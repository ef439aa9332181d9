"""Whether the answer is neither too short nor too long."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from edison.pipeline.score.scorer import (
    Flag,
    NotApplicable,
    Scored,
    Scorer,
    ScorerGroup,
    Subject,
    Tools,
)


class Length(Scorer):
    """1 when the answer's length is within the limits, both included, else 0.

    Words are separated by white space. Characters are counted without white space around the
    answer. Tokens are those the provider counted, for the model's complete output.
    """

    title: ClassVar[str] = "Length"
    description: ClassVar[str] = "The answer is neither too short nor too long."
    group: ClassVar[ScorerGroup] = ScorerGroup.LIMITS
    example: ClassVar[str] = "At most 60 words: an answer of 75 words gives 0."
    is_pass_or_fail: ClassVar[bool] = True

    unit: Literal["words", "characters", "tokens"] = Field(default="words", title="Counted in")
    minimum: int | None = Field(default=None, ge=0, le=10_000_000, title="At least")
    maximum: int | None = Field(default=None, ge=0, le=10_000_000, title="At most")

    @model_validator(mode="after")
    def _has_limits_that_meet(self) -> Self:
        if self.minimum is None and self.maximum is None:
            raise ValueError("Set a lower limit, an upper limit, or both.")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ValueError("The lower limit is above the upper one.")
        return self

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        length = self._measure(subject)
        is_long_enough = self.minimum is None or length >= self.minimum
        is_short_enough = self.maximum is None or length <= self.maximum
        return Scored(
            value=float(is_long_enough and is_short_enough),
            raw=str(length),
            rationale=f"{length} {self.unit}.",
        )

    def _measure(self, subject: Subject) -> int:
        match self.unit:
            case "words":
                return len(subject.answer.split())
            case "characters":
                return len(subject.answer.strip())
            case "tokens":
                if subject.output_tokens is None:
                    raise NotApplicable(Flag.NOT_MEASURED, "The token count is unknown.")
                return subject.output_tokens
