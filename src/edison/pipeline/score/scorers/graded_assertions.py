"""A list of assertions in the form of promptfoo, some of which a model grades."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar, Self
from uuid import UUID

from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.score.assertions.grading_calls import list_grading_calls
from edison.pipeline.score.assertions.model import Assertion, Services
from edison.pipeline.score.assertions.read import (
    InvalidAssertion,
    parse_assertions,
    read_assertions,
    read_case,
)
from edison.pipeline.score.assertions.score import (
    ToolsGrader,
    provider_key,
    score_by_assertions,
)
from edison.pipeline.score.assertions.trusted import trusted_python
from edison.pipeline.score.scorer import (
    CaseAssertions,
    CostClass,
    Scored,
    Scorer,
    ScorerGroup,
    Subject,
    Tools,
)


class GradedAssertions(Scorer):
    """As the scorer `assertions`, with a model that grades: `llm-rubric`, `factuality`,
    `model-graded-closedqa`, `g-eval`, `answer-relevance` and the `context-` assertions.

    `similar` compares word vectors that are computed on this machine and come with the extra
    `embeddings`. Providers that assertions name are used if `provider_models` has a model for
    them. The question that graders see is the rendered prompt.
    """

    title: ClassVar[str] = "Graded assertions"
    description: ClassVar[str] = "Checks in the form of promptfoo, some graded by a model."
    group: ClassVar[ScorerGroup] = ScorerGroup.OWN
    example: ClassVar[str] = "`is-json` is checked, and a model grades `llm-rubric: is polite`."
    cost_class: ClassVar[CostClass] = CostClass.LLM_CALL
    reads_prompt: ClassVar[bool] = True

    assertions: str = Field(
        min_length=2,
        max_length=100_000,
        title="Assertions",
        description="A list of assertions, written as JSON.",
        examples=['[{"type": "llm-rubric", "value": "Is polite to {{name}}"}]'],
    )
    model_id: UUID = Field(title="Model", json_schema_extra={"x-choose": "model"})
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
    max_tokens: int = Field(
        default=1024,
        ge=16,
        le=100_000,
        title="Max tokens of a verdict",
        json_schema_extra=ADVANCED,
    )
    # Only evaluations from files fill it in, so forms do not show it.
    provider_models: SkipJsonSchema[dict[str, UUID]] = Field(
        default_factory=dict,
        max_length=20,
        title="Models of named providers",
        description="By the provider of an assertion, written as JSON.",
    )

    @model_validator(mode="after")
    def _are_assertions(self) -> Self:
        self.read()
        return self

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        return tuple(dict.fromkeys((self.model_id, *self.provider_models.values())))

    def read(self) -> tuple[Assertion, ...]:
        return parse_assertions(self.assertions)

    def count_calls(
        self, inputs: Mapping[str, Any], assertions: CaseAssertions | None
    ) -> Mapping[UUID, int]:
        found: Counter[UUID] = Counter(dict.fromkeys(self.model_ids, 0))
        for each, calls in list_grading_calls([*self.read(), *self._of_case(inputs, assertions)]):
            named = provider_key(each.settings.get("provider"))
            found[self.provider_models.get(named, self.model_id)] += calls
        return found

    def _of_case(
        self, inputs: Mapping[str, Any], assertions: CaseAssertions | None
    ) -> tuple[Assertion, ...]:
        """Those that cannot be read cost nothing: they are errors of their row."""
        try:
            if assertions is None and self.case_input:
                assertions = read_case(inputs.get(self.case_input))
            return () if assertions is None else read_assertions(assertions.assertions)
        except InvalidAssertion:
            return ()

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        grader = ToolsGrader(tools, self.model_id, self.max_tokens, others=self.provider_models)
        services = Services(grader=grader, python=trusted_python())
        return await score_by_assertions(
            self.read(),
            subject,
            threshold=self.list_threshold,
            case_input=self.case_input,
            services=services,
        )
