"""A model that scores an answer on a rubric."""

from functools import partial
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from edison.pipeline.score.inquiry import ask_for_verdict, judge_parameters
from edison.pipeline.score.pointwise import RubricScorer
from edison.pipeline.score.scorer import (
    CostClass,
    Flag,
    NotApplicable,
    Scored,
    ScorerGroup,
    Subject,
    Tools,
)
from edison.pipeline.score.verdict import read_verdict


class Judge(RubricScorer):
    """A model scores the answer on each criterion; the value is the mean of the scores, each as a
    share of its scale, weighted by the criteria's weights.

    The judge sees goal, rubric, inputs, expected answer and answer, quoted as data. It runs at
    temperature 0.3 with seed 42. A verdict that cannot be read is requested a second time; after
    that every criterion gets the lowest score, with the flag `judge_unreadable`. A judge that does
    not answer gives no value.
    """

    title: ClassVar[str] = "Judge"
    description: ClassVar[str] = "A model scores the answer on the criteria of a rubric."
    group: ClassVar[ScorerGroup] = ScorerGroup.JUDGES
    example: ClassVar[str] = "Criteria “empathy” and “accuracy”: a model scores each and says why."
    cost_class: ClassVar[CostClass] = CostClass.LLM_CALL

    model_id: UUID = Field(title="Model", json_schema_extra={"x-choose": "model"})

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        return (self.model_id,)

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        verdict = await ask_for_verdict(
            tools,
            self.model_id,
            self.inquiry(subject),
            judge_parameters(self.max_tokens),
            partial(read_verdict, criteria=self.criteria),
        )
        if verdict.flag is Flag.JUDGE_FAILED:
            raise NotApplicable(verdict.flag, verdict.problem)
        criteria = verdict.meaning or self.lowest_criteria()
        return Scored(
            value=self.composite(criteria),
            criteria=criteria,
            rationale=verdict.problem or self.told(criteria),
            raw=verdict.said,
            flag=verdict.flag,
            judge_text=self.judge_text,
        )
