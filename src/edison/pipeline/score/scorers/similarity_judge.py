"""A model that scores how far the answer means the same as the expected answer."""

from functools import partial
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.score import verdict_schema
from edison.pipeline.score.inquiry import Inquiry, ask_for_verdict, judge_parameters
from edison.pipeline.score.quote import quote
from edison.pipeline.score.rubric import inputs_text
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
from edison.pipeline.score.verdict import read_rating

_MAXIMUM = 10
_FORM = '{"rationale": "…", "score": <0 to 10>}'


class SimilarityJudge(Scorer):
    """A model scores from 0 to 10 how far the answer says the same as the expected answer; the
    value is a tenth of that. Wording, order and format do not count.

    The judge sees expected answer, answer and, optionally, inputs, quoted as data. It runs at
    temperature 0.3 with seed 42. Equal texts give 1 without a model call. A verdict that cannot be
    read is requested a second time; after that the score is 0 with the flag `judge_unreadable`. A
    judge that does not answer gives no value.
    """

    title: ClassVar[str] = "Similarity judge"
    description: ClassVar[str] = "A model says how far the answer means the expected one."
    group: ClassVar[ScorerGroup] = ScorerGroup.EXPECTED
    example: ClassVar[str] = (
        "Expected “Within 14 days”: a model finds “for two weeks” to mean the same."
    )
    cost_class: ClassVar[CostClass] = CostClass.LLM_CALL
    needs_expected: ClassVar[bool] = True

    model_id: UUID = Field(title="Model", json_schema_extra={"x-choose": "model"})
    shows_inputs: bool = Field(default=True, title="Show the judge the inputs")
    judge_text: Literal["similarity-1"] = Field(
        default="similarity-1", title="Judge's instructions", json_schema_extra=ADVANCED
    )
    max_tokens: int = Field(
        default=1000,
        ge=100,
        le=100_000,
        title="Max tokens of the verdict",
        json_schema_extra=ADVANCED,
    )

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        return (self.model_id,)

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        expected = subject.need_expected()
        if subject.answer.strip() == expected.strip():
            return Scored(value=1.0, rationale="Equals the expected answer.")
        verdict = await ask_for_verdict(
            tools,
            self.model_id,
            self._inquiry(subject, expected),
            judge_parameters(self.max_tokens),
            partial(read_rating, maximum=_MAXIMUM),
        )
        if verdict.flag is Flag.JUDGE_FAILED:
            raise NotApplicable(verdict.flag, verdict.problem)
        rating = verdict.meaning
        return Scored(
            value=0.0 if rating is None else rating.score / _MAXIMUM,
            rationale=verdict.problem if rating is None else rating.rationale,
            raw=verdict.said,
            flag=verdict.flag,
            judge_text=self.judge_text,
        )

    def _inquiry(self, subject: Subject, expected: str) -> Inquiry:
        text = read_judge_text(self.judge_text)
        inputs = inputs_text(subject.inputs) if self.shows_inputs else ""
        parts = {"input": inputs} if inputs else {}
        quoted = quote(parts | {"expected": expected, "output": subject.answer})
        question = text.question.render({"material": quoted.text, "form": _FORM})
        prompt = RenderedPrompt(
            system=text.system.render({"number": quoted.number}),
            messages=(Message(role="user", text=question),),
            wants_json=True,
            json_schema=verdict_schema.RATING,
        )
        return Inquiry(prompt=prompt, text=text, form=_FORM)
