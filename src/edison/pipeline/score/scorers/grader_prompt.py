"""A user's grader prompt, and the model that answers it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.prompt_template import FewShot, PromptTemplate
from edison.pipeline.render.template import Syntax
from edison.pipeline.render.values import value_text
from edison.pipeline.score.grade import GradeForm, read_grade
from edison.pipeline.score.inquiry import Inquiry, ask_for_verdict, judge_parameters
from edison.pipeline.score.quote import quote
from edison.pipeline.score.rubrics import read_judge_text
from edison.pipeline.score.scorer import (
    CostClass,
    Flag,
    NotApplicable,
    Scored,
    Scorer,
    ScorerGroup,
    Subject,
    Tools,
)

OUTPUT = "output"
EXPECTED = "expected"
# All inputs of the case as one text, unless one of them has this name.
INPUT = "input"


class GraderVersion(BaseModel):
    """Snapshot of the grader prompt when the run was created. Set by the run planner."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    version_id: UUID | None = None
    label: str
    syntax: Syntax
    system: str | None = None
    text: str
    few_shots: tuple[FewShot, ...] = ()

    def template(self) -> PromptTemplate:
        return PromptTemplate(
            text=self.text, system=self.system, few_shots=self.few_shots, syntax=self.syntax
        )


class GraderPrompt(Scorer):
    """A grader prompt is filled in with the case's inputs, `input` for all of them, `output` for
    the answer and `expected` for the expected answer, and a model answers it. Its verdict is a
    number from 0 to 1, a grade from 1 to 5 (1 gives 0, 5 gives 1), or pass (1) and fail (0).

    Each value stands between tags, as data. The verdict is the `<response>` section, if the prompt
    asks for one, or else the whole answer: JSON with a `score`, or the verdict on the first line
    and reasons after it. A verdict that cannot be read is requested a second time; after that the
    score is 0 with the flag `judge_unreadable`. A grader that does not answer gives no value, and
    neither does one that needs an expected answer where there is none.
    """

    title: ClassVar[str] = "Grader prompt"
    description: ClassVar[str] = "One of the project's grader prompts grades the answer."
    group: ClassVar[ScorerGroup] = ScorerGroup.JUDGES
    example: ClassVar[str] = "“Does {{output}} answer {{input}}? Reply pass or fail.” Pass gives 1."
    cost_class: ClassVar[CostClass] = CostClass.LLM_CALL

    prompt_id: UUID = Field(title="Grader prompt", json_schema_extra={"x-choose": "grader"})
    version_id: UUID | None = Field(
        default=None,
        title="Version",
        description="Without one, the prompt as it is when the run begins.",
        json_schema_extra={"x-choose": "version"},
    )
    model_id: UUID = Field(title="Model", json_schema_extra={"x-choose": "model"})
    form: GradeForm = Field(default=GradeForm.SHARE, title="Verdict")
    judge_text: Literal["grader-1"] = Field(
        default="grader-1", title="What is added to the prompt", json_schema_extra=ADVANCED
    )
    max_tokens: int = Field(
        default=2000,
        ge=16,
        le=100_000,
        title="Max tokens of the verdict",
        json_schema_extra=ADVANCED,
    )
    # Not entered by users, so not part of the form.
    frozen: SkipJsonSchema[GraderVersion | None] = Field(default=None, title="The prompt's text")

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        return (self.model_id,)

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        if self.frozen is None:
            raise NotApplicable(Flag.NOT_MEASURED, "The grader prompt's text was not looked up.")
        template = self.frozen.template()
        verdict = await ask_for_verdict(
            tools,
            self.model_id,
            self._inquiry(template, subject),
            judge_parameters(self.max_tokens),
            partial(read_grade, form=self.form, wanted=template.expected_output()),
        )
        if verdict.flag is Flag.JUDGE_FAILED:
            raise NotApplicable(verdict.flag, verdict.problem)
        grade = verdict.meaning
        return Scored(
            value=0.0 if grade is None else grade.value,
            rationale=verdict.problem if grade is None else grade.rationale,
            raw=verdict.said,
            flag=verdict.flag,
            judge_text=f"{self.judge_text} + {self.frozen.label}",
        )

    def _inquiry(self, template: PromptTemplate, subject: Subject) -> Inquiry:
        text = read_judge_text(self.judge_text)
        quoted = quote(_values(template, subject))
        try:
            rendered = template.render(quoted.parts, has_plain_values=True)
        except TemplateError as wrong:
            message = f"The grader prompt cannot be rendered: {wrong}"
            raise NotApplicable(Flag.NOT_MEASURED, message) from wrong
        last = rendered.messages[-1]
        question = text.question.render({"material": last.text, "number": quoted.number})
        prompt = replace(rendered, messages=(*rendered.messages[:-1], replace(last, text=question)))
        return Inquiry(prompt=prompt, text=text, form=self.form.wanted)


def _values(template: PromptTemplate, subject: Subject) -> dict[str, str]:
    """Only the variables of the template. Inputs named `output` or `expected` are never used."""
    given: dict[str, Any] = {
        INPUT: _whole_input(subject.inputs),
        **subject.inputs,
        OUTPUT: subject.answer,
    }
    names = template.variables()
    if subject.expected is not None or EXPECTED in template.required_variables():
        given[EXPECTED] = subject.need_expected()
    return {name: value_text(given[name]) for name in names if name in given}


def _whole_input(inputs: Mapping[str, Any]) -> str:
    """The only input, or one line for each."""
    if len(inputs) == 1:
        return value_text(next(iter(inputs.values())))
    return "\n".join(f"{name}: {value_text(value)}" for name, value in inputs.items())
