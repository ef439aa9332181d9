"""Whether the answer equals the expected answer."""

from typing import ClassVar

from pydantic import Field

from edison.pipeline.score.scorer import Scored, Scorer, ScorerGroup, Subject, Tools
from edison.pipeline.score.wording import folded


class Exact(Scorer):
    """1 when the answer equals the expected answer, else 0. White space around either is ignored;
    white space inside is not.
    """

    title: ClassVar[str] = "Exact match"
    description: ClassVar[str] = "The answer equals the expected one."
    group: ClassVar[ScorerGroup] = ScorerGroup.EXPECTED
    example: ClassVar[str] = "Expected “Paris”: “Paris” gives 1, “Paris, France” gives 0."
    needs_expected: ClassVar[bool] = True
    is_pass_or_fail: ClassVar[bool] = True

    is_case_sensitive: bool = Field(default=True, title="Case sensitive")

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        answer = folded(subject.answer, is_case_sensitive=self.is_case_sensitive)
        expected = folded(subject.need_expected(), is_case_sensitive=self.is_case_sensitive)
        if answer == expected:
            return Scored(value=1.0, rationale="Equals the expected answer.")
        return Scored(value=0.0, rationale="Differs from the expected answer.")
