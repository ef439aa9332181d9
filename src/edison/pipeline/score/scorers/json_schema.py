"""Whether the answer is JSON that fits a schema."""

from typing import ClassVar, Self

from pydantic import Field, model_validator

from edison.pipeline.score.json_text import NotJson
from edison.pipeline.score.sandbox.limited import LimitExceeded
from edison.pipeline.score.schema_checks import check_definition, find_misfit
from edison.pipeline.score.scorer import (
    Flag,
    NotApplicable,
    Scored,
    Scorer,
    ScorerGroup,
    Subject,
    Tools,
)


class JsonSchema(Scorer):
    """1 when the answer is JSON that a JSON Schema (draft 2020-12) accepts, else 0.

    `format` is checked. Nothing is fetched: a `$ref` must point inside the schema. Patterns run in
    linear time, so look-arounds and backreferences are not supported. A check that takes too much
    time or memory is stopped, and gives no value and the flag `scorer_failed`.
    """

    title: ClassVar[str] = "JSON Schema"
    description: ClassVar[str] = "The answer is JSON that fits a schema."
    group: ClassVar[ScorerGroup] = ScorerGroup.FORMAT
    example: ClassVar[str] = 'A schema that requires “city”: “{"name": "Ada"}” gives 0.'
    is_pass_or_fail: ClassVar[bool] = True

    definition: str = Field(
        max_length=100_000,
        title="Schema",
        description="A JSON Schema, written as JSON.",
        examples=['{"type": "object", "required": ["total"]}'],
    )

    @model_validator(mode="after")
    def _is_a_schema(self) -> Self:
        check_definition(self.definition)
        return self

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        try:
            misfit = await find_misfit(self.definition, subject.answer)
        except NotJson as wrong:
            return Scored(value=0.0, rationale=f"Not JSON: {wrong}.")
        except LimitExceeded as stopped:
            reason = f"The answer could not be checked against the schema. {stopped}"
            raise NotApplicable(Flag.SCORER_FAILED, reason) from stopped
        return Scored(value=float(misfit is None), rationale=misfit or "Fits the schema.")
