"""Several models that score an answer on the same rubric."""

import asyncio
from functools import partial
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import AfterValidator, Field

from edison.pipeline.score.average import averaged
from edison.pipeline.score.inquiry import Inquiry, JudgeReply, ask_for_verdict, judge_parameters
from edison.pipeline.score.pointwise import RubricScorer
from edison.pipeline.score.scorer import (
    CostClass,
    CriterionScore,
    Flag,
    JudgeScore,
    NotApplicable,
    Scored,
    ScorerGroup,
    Subject,
    Tools,
)
from edison.pipeline.score.seats import take_seats
from edison.pipeline.score.verdict import read_verdict

MOST_JUDGES = 5

Criteria = dict[str, CriterionScore]


def _some_judges(judges: tuple[UUID, ...]) -> tuple[UUID, ...]:
    if not 1 <= len(judges) <= MOST_JUDGES:
        raise ValueError(f"A panel has 1 to {MOST_JUDGES} judges.")
    return judges


class JudgePanel(RubricScorer):
    """One to five models score the answer on each criterion, independently of each other; a judge's
    value is the mean of its scores, each as a share of its scale, weighted by the criteria's
    weights, and the panel's value is the mean of the judges' values.

    All judges get the same instructions and material, at temperature 0.3 with seed 42; a model that
    is on the panel twice uses the next seed the second time. Each judge's verdict is stored. A
    verdict that cannot be read is requested a second time. A judge without a verdict after that, or
    without an answer, counts with the lowest score of every criterion, and its flag is set on the
    score. When no judge answers there is no value.
    """

    title: ClassVar[str] = "Panel of judges"
    description: ClassVar[str] = "Several models score the answer on the criteria of a rubric."
    group: ClassVar[ScorerGroup] = ScorerGroup.JUDGES
    example: ClassVar[str] = (
        "Three models score “accuracy” separately, and results show whether they agree."
    )
    cost_class: ClassVar[CostClass] = CostClass.LLM_CALL

    judges: Annotated[tuple[UUID, ...], AfterValidator(_some_judges)] = Field(
        title="Judges",
        json_schema_extra={
            "items": {"type": "string", "format": "uuid", "title": "Model", "x-choose": "model"},
            "minItems": 1,
            "maxItems": MOST_JUDGES,
        },
    )

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        return self.judges

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        inquiry = self.inquiry(subject)
        seats = take_seats(self.judges)
        asking = (self._ask(inquiry, model_id, turn, tools) for model_id, turn in seats.values())
        # All judges finish even if one exceeds the budget: the others' answers are already paid
        # for.
        ended = await asyncio.gather(*asking, return_exceptions=True)
        verdicts = {}
        for label, verdict in zip(seats, ended, strict=True):
            if isinstance(verdict, BaseException):
                raise verdict
            verdicts[label] = verdict
        if all(verdict.flag is Flag.JUDGE_FAILED for verdict in verdicts.values()):
            problems = dict.fromkeys(verdict.problem for verdict in verdicts.values())
            raise NotApplicable(Flag.JUDGE_FAILED, " ".join(problems))
        judges = {
            label: self._judge_score(seats[label][0], verdict)
            for label, verdict in verdicts.items()
        }
        told = "\n\n".join(self._told(at, each) for at, each in enumerate(judges.values(), 1))
        return averaged(Scored(value=None, rationale=told, judge_text=self.judge_text), judges)

    async def _ask(
        self, inquiry: Inquiry, model_id: UUID, turn: int, tools: Tools
    ) -> JudgeReply[Criteria]:
        return await ask_for_verdict(
            tools,
            model_id,
            inquiry,
            judge_parameters(self.max_tokens, turn=turn),
            partial(read_verdict, criteria=self.criteria),
        )

    def _judge_score(self, model_id: UUID, verdict: JudgeReply[Criteria]) -> JudgeScore:
        criteria = verdict.meaning or self.lowest_criteria()
        return JudgeScore(
            model_id=model_id,
            value=self.composite(criteria),
            criteria=criteria,
            raw=verdict.said,
            flag=verdict.flag,
            problem=verdict.problem or None,
        )

    def _told(self, number: int, judge: JudgeScore) -> str:
        return f"Judge {number}\n{judge.problem or self.told(judge.criteria)}"
