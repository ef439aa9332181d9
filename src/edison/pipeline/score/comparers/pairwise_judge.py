"""A model that decides which of two answers is better."""

import asyncio
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.score import verdict_schema
from edison.pipeline.score.comparer import Compared, Comparer, OrderVerdict, Winner
from edison.pipeline.score.inquiry import Inquiry, ask_for_verdict, judge_parameters
from edison.pipeline.score.quote import quote
from edison.pipeline.score.rubric import RubricOptions, weighed_text
from edison.pipeline.score.rubrics import read_judge_text
from edison.pipeline.score.scorer import CostClass, Flag, Subject, Tools
from edison.pipeline.score.verdict import Choice, read_choice

_FORM = '{"reasons": ["…"], "winner": "…"}'


class PairwiseJudge(RubricOptions, Comparer):
    """A model decides which answer is better by the rubric as a whole, or that they tie.

    The judge sees goal, rubric with weights, inputs, expected answer and both answers, quoted as
    data and named A and B. It is asked twice, the second time with the answers in the other order;
    an answer wins when both verdicts agree on it. Verdicts that disagree are a tie with the flag
    `orders_disagree`; both are stored. It runs at temperature 0.3 with seed 42. A verdict that
    cannot be read is requested a second time; when one of the two is still missing there is no
    preference, and the flag says why.
    """

    title: ClassVar[str] = "Pairwise judge"
    description: ClassVar[str] = "A model says which of two answers is better, in both orders."
    cost_class: ClassVar[CostClass] = CostClass.LLM_CALL
    calls_per_pair: ClassVar[int] = 2

    model_id: UUID = Field(title="Model", json_schema_extra={"x-choose": "model"})
    judge_text: Literal["pairwise-1"] = Field(
        default="pairwise-1", title="Judge's instructions", json_schema_extra=ADVANCED
    )

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        return (self.model_id,)

    async def compare(self, a: Subject, b: Subject, tools: Tools) -> Compared:
        # Both orders finish even if one exceeds the budget: the other's answer is already paid for.
        ended = await asyncio.gather(
            self._in_order(a, b, Winner.A, tools),
            self._in_order(b, a, Winner.B, tools),
            return_exceptions=True,
        )
        orders = []
        for order in ended:
            if isinstance(order, BaseException):
                raise order
            orders.append(order)
        preference, flag = _together(orders[0], orders[1])
        return Compared(
            preference=preference,
            flag=flag,
            rationale="\n\n".join(_told(order) for order in orders),
            orders=tuple(orders),
            judge_text=self.judge_text,
        )

    async def _in_order(
        self, first: Subject, second: Subject, shown_first: Winner, tools: Tools
    ) -> OrderVerdict:
        verdict = await ask_for_verdict(
            tools,
            self.model_id,
            self._inquiry(first, second),
            judge_parameters(self.max_tokens),
            read_choice,
        )
        choice = verdict.meaning
        return OrderVerdict(
            shown_first=shown_first,
            winner=None if choice is None else _winner(choice, shown_first),
            reasons=() if choice is None else choice.reasons,
            raw=verdict.said,
            flag=verdict.flag,
            problem=verdict.problem or None,
        )

    def _inquiry(self, first: Subject, second: Subject) -> Inquiry:
        text = read_judge_text(self.judge_text)
        parts = self.shown(first, rubric=weighed_text(self.criteria))
        quoted = quote(parts | {"output_a": first.answer, "output_b": second.answer})
        question = text.question.render({"material": quoted.text, "form": _FORM})
        prompt = RenderedPrompt(
            system=text.system.render({"number": quoted.number}),
            messages=(Message(role="user", text=question),),
            wants_json=True,
            json_schema=verdict_schema.CHOICE,
        )
        return Inquiry(prompt=prompt, text=text, form=_FORM)


def _winner(choice: Choice, shown_first: Winner) -> Winner:
    """Maps the judge's A or B back to the answer shown in that position."""
    if choice.winner == "tie":
        return Winner.TIE
    is_first = choice.winner == "A"
    return Winner.A if is_first == (shown_first is Winner.A) else Winner.B


def _together(first: OrderVerdict, second: OrderVerdict) -> tuple[Winner | None, Flag | None]:
    if first.winner is None or second.winner is None:
        return None, first.flag or second.flag
    if first.winner is not second.winner:
        return Winner.TIE, Flag.ORDERS_DISAGREE
    return first.winner, None


def _told(order: OrderVerdict) -> str:
    # Reasons refer to A and B as they were shown.
    shown = "Shown as A and B" if order.shown_first is Winner.A else "Shown as B and A"
    if order.winner is None:
        return f"{shown}: {order.problem}"
    said = "a tie" if order.winner is Winner.TIE else f"{order.winner} is better"
    return "\n".join((f"{shown}: {said}.", *order.reasons))
