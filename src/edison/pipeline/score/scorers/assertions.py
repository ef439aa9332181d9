"""A list of assertions in the form of promptfoo."""

from typing import ClassVar, Self

from pydantic import Field, model_validator

from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.score.assertions.model import Assertion, Services
from edison.pipeline.score.assertions.read import parse_assertions
from edison.pipeline.score.assertions.score import score_by_assertions
from edison.pipeline.score.assertions.trusted import trusted_python
from edison.pipeline.score.scorer import Scored, Scorer, ScorerGroup, Subject, Tools


class Assertions(Scorer):
    """The mean score of a list of assertions by their weights, as promptfoo calculates it.

    Assertions of the case itself, from the run or in its input `case_input`, follow those of the
    list; a threshold of the case replaces that of the list. Without a pass threshold an answer
    passes when all assertions do or, with a threshold of the list, when its score is at least that.
    `{{name}}` in a value is an input of the case. An assertion that cannot be evaluated gives no
    value and the flag `code_failed`; one of a type that Edison does not evaluate, `unavailable`.
    Code runs in a sandbox.
    """

    title: ClassVar[str] = "Assertions"
    description: ClassVar[str] = "A list of checks in the form of promptfoo."
    group: ClassVar[ScorerGroup] = ScorerGroup.OWN
    example: ClassVar[str] = (
        "`contains: refund` and `not-contains: sorry`: both hold, which gives 1."
    )
    is_instant: ClassVar[bool] = False
    reads_prompt: ClassVar[bool] = True

    assertions: str = Field(
        min_length=2,
        max_length=100_000,
        title="Assertions",
        description="A list of assertions, written as JSON.",
        examples=['[{"type": "contains", "value": "{{city}}"}, {"type": "is-json"}]'],
    )
    list_threshold: float | None = Field(
        default=None,
        title="Threshold of the list",
        description="With one, only the score counts, not the single assertions.",
    )
    case_input: str = Field(
        default="",
        max_length=100,
        title="Input with assertions",
        description="An input of the cases that holds further assertions, as a list.",
        json_schema_extra=ADVANCED,
    )

    @model_validator(mode="after")
    def _are_assertions(self) -> Self:
        self.read()
        return self

    def read(self) -> tuple[Assertion, ...]:
        return parse_assertions(self.assertions)

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        services = Services(python=trusted_python())
        return await score_by_assertions(
            self.read(),
            subject,
            threshold=self.list_threshold,
            case_input=self.case_input,
            services=services,
        )
