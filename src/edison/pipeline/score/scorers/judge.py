"""A model that scores an answer on a rubric."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.score.fencing import neutralise, quote
from edison.pipeline.score.rubric import Criteria, Criterion
from edison.pipeline.score.rubrics import JudgeText, read_judge_text
from edison.pipeline.score.scorer import (
    CostClass,
    CriterionScore,
    Flag,
    NotApplicable,
    Scored,
    Scorer,
    Subject,
    Tools,
)
from edison.pipeline.score.verdict import LONGEST_VERDICT, UnreadableVerdict, read_verdict

TEMPERATURE = 0.3
SEED = 42
# The verdict, and once more if it cannot be read.
_ATTEMPTS = 2
# Of a reply that cannot be used, this much is shown to the judge again.
_SHOWN_REPLY = 4000


class Judge(Scorer):
    """A model scores the answer on each criterion; the value is the mean of the scores, each as a
    share of its scale, weighted by the criteria's weights.

    The judge sees goal, rubric, inputs, expected answer and answer, quoted as data. It runs at
    temperature 0.3 with seed 42. A verdict that cannot be read is asked for once more; after that
    every criterion gets the lowest score, and the flag `judge_unreadable`. A judge that does not
    answer gives no value.
    """

    title: ClassVar[str] = "Judge"
    description: ClassVar[str] = "A model scores the answer on the criteria of a rubric."
    cost_class: ClassVar[CostClass] = CostClass.LLM_CALL

    model_id: UUID = Field(title="Model", json_schema_extra={"x-choose": "model"})
    goal: str = Field(
        default="",
        max_length=2000,
        title="Goal",
        description="What the answers are for, in a sentence or two.",
    )
    criteria: Criteria = Field(title="Criteria")
    shows_expected: bool = Field(default=True, title="Show the judge the expected answer")
    judge_text: Literal["pointwise-1"] = Field(
        default="pointwise-1", title="Judge's instructions", json_schema_extra=ADVANCED
    )
    max_tokens: int = Field(
        default=4000,
        ge=100,
        le=100_000,
        title="Longest verdict, in tokens",
        json_schema_extra=ADVANCED,
    )

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        return (self.model_id,)

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        text = read_judge_text(self.judge_text)
        prompt = self._prompt(subject, text)
        parameters = Parameters(temperature=TEMPERATURE, seed=SEED, max_tokens=self.max_tokens)
        said, problem = "", ""
        for _ in range(_ATTEMPTS):
            answer = await tools.ask(self.model_id, prompt, parameters)
            if isinstance(answer.outcome, CallFailed):
                raise NotApplicable(Flag.JUDGE_FAILED, answer.outcome.message)
            said = answer.outcome.text
            try:
                criteria = read_verdict(said, self.criteria)
            except UnreadableVerdict as unreadable:
                problem = str(unreadable)
                prompt = self._repair(prompt, said, problem, text)
            else:
                return replace(self._composite(criteria), raw=said)
        why = f"The judge's verdict cannot be read. {problem}"
        return replace(self.lowest(Flag.JUDGE_UNREADABLE, why), raw=said[:LONGEST_VERDICT])

    def lowest(self, flag: Flag, rationale: str) -> Scored:
        criteria = {
            criterion.name: CriterionScore(value=0.0, raw=0.0) for criterion in self.criteria
        }
        return Scored(value=0.0, flag=flag, rationale=rationale, criteria=criteria)

    def _prompt(self, subject: Subject, text: JudgeText) -> RenderedPrompt:
        parts = {
            "goal": self.goal.strip(),
            "rubric": _rubric_text(self.criteria),
            "input": _inputs_text(subject.inputs),
            "expected": (subject.expected or "") if self.shows_expected else "",
        }
        given = {name: part for name, part in parts.items() if part}
        quoted = quote(given | {"output": subject.answer})
        question = text.question.render({"material": quoted.text, "form": self._form()})
        return RenderedPrompt(
            system=text.system.render({"number": quoted.number}),
            messages=(Message(role="user", text=question),),
            wants_json=True,
        )

    def _repair(
        self, prompt: RenderedPrompt, said: str, problem: str, text: JudgeText
    ) -> RenderedPrompt:
        # Not every provider takes an empty message.
        shown = neutralise(said[:_SHOWN_REPLY])[:_SHOWN_REPLY].strip() or "(nothing)"
        again = text.repair.render({"problem": problem, "form": self._form()})
        reply = Message(role="assistant", text=shown)
        return replace(prompt, messages=(*prompt.messages, reply, Message(role="user", text=again)))

    def _form(self) -> str:
        """The object a verdict is, with blanks; no number in it that could be copied."""
        rationales = ", ".join(f'"{criterion.name}": "…"' for criterion in self.criteria)
        scores = ", ".join(
            f'"{criterion.name}": <0 to {criterion.scale.maximum}>' for criterion in self.criteria
        )
        return f'{{"rationales": {{{rationales}}}, "scores": {{{scores}}}}}'

    def _composite(self, criteria: Mapping[str, CriterionScore]) -> Scored:
        total = sum(criterion.weight for criterion in self.criteria)
        weighted = sum(
            criterion.weight * criteria[criterion.name].value for criterion in self.criteria
        )
        told = (
            f"{one.name} {criteria[one.name].raw:g}/{one.scale.maximum}: "
            f"{criteria[one.name].rationale or 'no reason given'}"
            for one in self.criteria
        )
        return Scored(
            value=min(1.0, weighted / total), rationale="\n".join(told), criteria=criteria
        )


def _rubric_text(criteria: Sequence[Criterion]) -> str:
    """Without the weights: they are no business of who scores the criteria one by one."""
    rows = [
        {"name": one.name, "description": one.description, "scale": one.scale.value}
        for one in criteria
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1)


def _inputs_text(inputs: Mapping[str, object]) -> str:
    return json.dumps(inputs, ensure_ascii=False, indent=1, sort_keys=True) if inputs else ""
