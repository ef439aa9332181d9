"""Base class of judges of single answers: the rubric, the inquiry, and the conversion of a verdict
to a score.
"""

from abc import ABC
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from pydantic import Field

from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.score.inquiry import Inquiry
from edison.pipeline.score.quote import quote
from edison.pipeline.score.rubric import RubricOptions, composite, rubric_text
from edison.pipeline.score.rubrics import read_judge_text
from edison.pipeline.score.scorer import CriterionScore, Flag, Scored, Scorer, Subject
from edison.pipeline.score.verdict_schema import rubric_schema

# The judge prompt for questions, in place of answers.
QUESTION_TEXT = "question-1"


class RubricScorer(RubricOptions, Scorer, ABC):
    """A scorer whose models score single answers on a rubric."""

    judge_text: Literal["pointwise-1", "question-1"] = Field(
        default="pointwise-1",
        title="Judge's instructions",
        description="pointwise-1 for answers, question-1 for the questions of a dataset.",
        json_schema_extra=ADVANCED,
    )

    def inquiry(self, subject: Subject) -> Inquiry:
        text = read_judge_text(self.judge_text)
        if self.judge_text == QUESTION_TEXT:
            subject = _without_question(subject)
        parts = self.shown(subject, rubric=self._rubric)
        quoted = quote(parts | {"output": subject.answer})
        form = self._form
        question = text.question.render({"material": quoted.text, "form": form})
        prompt = RenderedPrompt(
            system=text.system.render({"number": quoted.number}),
            messages=(Message(role="user", text=question),),
            wants_json=True,
            json_schema=self._schema,
        )
        return Inquiry(prompt=prompt, text=text, form=form)

    def lowest(self, flag: Flag, rationale: str) -> Scored:
        return Scored(value=0.0, flag=flag, rationale=rationale, criteria=self.lowest_criteria())

    def lowest_criteria(self) -> Mapping[str, CriterionScore]:
        return {criterion.name: CriterionScore(value=0.0, raw=0.0) for criterion in self.criteria}

    def composite(self, criteria: Mapping[str, CriterionScore]) -> float:
        return composite(self.criteria, {name: score.value for name, score in criteria.items()})

    def told(self, criteria: Mapping[str, CriterionScore]) -> str:
        """A judge's verdict as text for users."""
        return "\n".join(
            f"{one.name} {criteria[one.name].raw:g}/{one.scale.maximum}: "
            f"{criteria[one.name].rationale or 'no reason given'}"
            for one in self.criteria
        )

    # The same for every answer.

    @cached_property
    def _rubric(self) -> str:
        return rubric_text(self.criteria)

    @cached_property
    def _schema(self) -> dict[str, Any]:
        return rubric_schema(self.criteria)

    @cached_property
    def _form(self) -> str:
        """The JSON form of a verdict, with placeholders; it contains no number that a judge could
        copy.
        """
        rationales = ", ".join(f'"{criterion.name}": "…"' for criterion in self.criteria)
        scores = ", ".join(
            f'"{criterion.name}": <0 to {criterion.scale.maximum}>' for criterion in self.criteria
        )
        return f'{{"rationales": {{{rationales}}}, "scores": {{{scores}}}}}'


def _without_question(subject: Subject) -> Subject:
    """The inputs besides the question, which is the text to score."""
    others = {name: value for name, value in subject.inputs.items() if value != subject.answer}
    return replace(subject, inputs=others)
