"""Whether given phrases occur in the answer."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from edison.pipeline.score.scorer import Scored, Scorer, ScorerGroup, Subject, Tools
from edison.pipeline.score.wording import folded, quoted

Phrase = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"\S")]


class Contains(Scorer):
    """1 when the answer contains any (or all) of the phrases, else 0. A phrase may be part of a
    longer word; white space around it is ignored. Without phrases, the answer must contain the
    expected answer.
    """

    title: ClassVar[str] = "Contains"
    description: ClassVar[str] = "Certain words, or the expected answer, occur in the answer."
    group: ClassVar[ScorerGroup] = ScorerGroup.TEXT
    example: ClassVar[str] = "Phrase “refund”: “You will get a refund.” gives 1."
    is_pass_or_fail: ClassVar[bool] = True

    phrases: tuple[Phrase, ...] = Field(
        default=(),
        max_length=50,
        title="Phrases",
        description="Leave empty to look for the expected answer of the case.",
    )
    needs: Literal["any", "all"] = Field(default="any", title="How many must occur")
    is_case_sensitive: bool = Field(default=True, title="Case sensitive")

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        answer = folded(subject.answer, is_case_sensitive=self.is_case_sensitive)
        phrases = self.phrases or (subject.need_expected(),)
        missing = [
            phrase
            for phrase in phrases
            if folded(phrase, is_case_sensitive=self.is_case_sensitive) not in answer
        ]
        found = len(phrases) - len(missing)
        is_found = not missing if self.needs == "all" else found > 0
        rationale = f"{found} of {len(phrases)} found."
        if missing:
            rationale += f" Missing: {', '.join(map(quoted, missing))}."
        return Scored(value=float(is_found), rationale=rationale)
