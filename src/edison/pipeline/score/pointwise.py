"""What judges of single answers have in common: the rubric, what they are shown, and how a verdict
becomes a score.
"""

import json
from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.score.asking import Inquiry
from edison.pipeline.score.fencing import quote
from edison.pipeline.score.rubric import Criteria, Criterion, composite
from edison.pipeline.score.rubrics import read_judge_text
from edison.pipeline.score.scorer import CriterionScore, Flag, Scored, Scorer, Subject


class RubricScorer(Scorer, ABC):
    """Options of every scorer that has models score single answers on a rubric."""

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

    def inquiry(self, subject: Subject) -> Inquiry:
        text = read_judge_text(self.judge_text)
        parts = {
            "goal": self.goal.strip(),
            "rubric": rubric_text(self.criteria),
            "input": inputs_text(subject.inputs),
            "expected": (subject.expected or "") if self.shows_expected else "",
        }
        given = {name: part for name, part in parts.items() if part}
        quoted = quote(given | {"output": subject.answer})
        form = self._form()
        question = text.question.render({"material": quoted.text, "form": form})
        prompt = RenderedPrompt(
            system=text.system.render({"number": quoted.number}),
            messages=(Message(role="user", text=question),),
            wants_json=True,
        )
        return Inquiry(prompt=prompt, text=text, form=form)

    def lowest(self, flag: Flag, rationale: str) -> Scored:
        return Scored(value=0.0, flag=flag, rationale=rationale, criteria=self.lowest_criteria())

    def lowest_criteria(self) -> Mapping[str, CriterionScore]:
        return {criterion.name: CriterionScore(value=0.0, raw=0.0) for criterion in self.criteria}

    def composite(self, criteria: Mapping[str, CriterionScore]) -> float:
        return composite(self.criteria, {name: score.value for name, score in criteria.items()})

    def told(self, criteria: Mapping[str, CriterionScore]) -> str:
        """A judge's verdict, for people."""
        return "\n".join(
            f"{one.name} {criteria[one.name].raw:g}/{one.scale.maximum}: "
            f"{criteria[one.name].rationale or 'no reason given'}"
            for one in self.criteria
        )

    def _form(self) -> str:
        """The object a verdict is, with blanks; no number in it that could be copied."""
        rationales = ", ".join(f'"{criterion.name}": "…"' for criterion in self.criteria)
        scores = ", ".join(
            f'"{criterion.name}": <0 to {criterion.scale.maximum}>' for criterion in self.criteria
        )
        return f'{{"rationales": {{{rationales}}}, "scores": {{{scores}}}}}'


def rubric_text(criteria: Sequence[Criterion]) -> str:
    """Without the weights: they are no business of who scores the criteria one by one."""
    rows = [
        {"name": one.name, "description": one.description, "scale": one.scale.value}
        for one in criteria
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1)


def inputs_text(inputs: Mapping[str, object]) -> str:
    return json.dumps(inputs, ensure_ascii=False, indent=1, sort_keys=True) if inputs else ""
