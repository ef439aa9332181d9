"""Whether the answer starts with a given text."""

from typing import ClassVar

from pydantic import Field

from edison.pipeline.score.scorer import Scored, Scorer, ScorerGroup, Subject, Tools
from edison.pipeline.score.wording import folded, quoted


class StartsWith(Scorer):
    """1 when the answer starts with the text, else 0. White space around either is ignored. Without
    a text, the answer must start with the expected answer.
    """

    title: ClassVar[str] = "Starts with"
    description: ClassVar[str] = "The answer begins with a text, or with the expected answer."
    group: ClassVar[ScorerGroup] = ScorerGroup.TEXT
    example: ClassVar[str] = "Text “Dear”: “Dear Ada, thank you.” gives 1."
    is_pass_or_fail: ClassVar[bool] = True

    text: str = Field(
        default="",
        max_length=2000,
        title="Text",
        description="Leave empty to look for the expected answer of the case.",
    )
    is_case_sensitive: bool = Field(default=True, title="Case sensitive")

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        wanted = self.text.strip() or subject.need_expected()
        answer = folded(subject.answer, is_case_sensitive=self.is_case_sensitive)
        is_so = answer.startswith(folded(wanted, is_case_sensitive=self.is_case_sensitive))
        verb = "Begins" if is_so else "Does not begin"
        return Scored(value=float(is_so), rationale=f"{verb} with {quoted(wanted)}.")
