"""Whether the answer is JSON of a certain shape."""

from functools import lru_cache
from itertools import islice
from typing import ClassVar, Self

import jsonschema_rs
from pydantic import Field, model_validator

from edison.pipeline.score.json_text import NotJson, read_json
from edison.pipeline.score.scorer import Scored, Scorer, Subject, Tools

_MOST_PROBLEMS = 3
_LONGEST_REASON = 200


class JsonSchema(Scorer):
    """1 when the answer is JSON that a JSON Schema (draft 2020-12) accepts, else 0.

    `format` is checked. Nothing is fetched: a `$ref` leads to a place inside of the schema.
    Patterns take linear time, so they have no look-arounds and no backreferences.
    """

    title: ClassVar[str] = "JSON Schema"
    description: ClassVar[str] = "The answer is JSON that fits a schema."
    is_pass_or_fail: ClassVar[bool] = True

    definition: str = Field(
        max_length=100_000,
        title="Schema",
        description="A JSON Schema, written as JSON.",
        examples=['{"type": "object", "required": ["total"]}'],
    )

    @model_validator(mode="after")
    def _is_a_schema(self) -> Self:
        _validator(self.definition)
        return self

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        try:
            value = read_json(subject.answer)
        except NotJson as wrong:
            return Scored(value=0.0, rationale=f"Not JSON: {wrong}.")
        try:
            problems = islice(_validator(self.definition).iter_errors(value), _MOST_PROBLEMS)
            told = " ".join(_told(problem) for problem in problems)
        except ValueError:
            return Scored(value=0.0, rationale="Nested too deeply, or not made of characters.")
        return Scored(value=float(not told), rationale=told or "Fits the schema.")


def _told(problem: jsonschema_rs.ValidationError) -> str:
    place = ".".join(map(str, problem.instance_path)) or "the top"
    return f"At {place}: {problem.message[:_LONGEST_REASON]}."


@lru_cache(maxsize=64)
def _validator(definition: str) -> jsonschema_rs.Draft202012Validator:
    """Raises ValueError with a sentence for whoever wrote the schema."""
    try:
        schema = read_json(definition)
    except NotJson as wrong:
        raise ValueError(f"The schema is not JSON: {wrong}.") from wrong
    if not isinstance(schema, dict | bool):
        raise ValueError("A schema is a JSON object.")  # noqa: TRY004 - Pydantic's way to refuse
    try:
        return jsonschema_rs.Draft202012Validator(
            schema,
            offline=True,
            validate_formats=True,
            pattern_options=jsonschema_rs.RegexOptions(),
        )
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as wrong:
        reason = str(wrong).partition("\n")[0][:_LONGEST_REASON]
        raise ValueError(f"This is not a valid JSON Schema: {reason}.") from wrong
