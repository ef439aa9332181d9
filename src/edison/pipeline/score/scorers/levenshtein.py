"""Edit distance between the answer and the expected answer."""

from typing import ClassVar

from pydantic import Field

from edison.pipeline.score.long_text import check_length
from edison.pipeline.score.scorer import Scored, Scorer, ScorerGroup, Subject, Tools
from edison.pipeline.score.wording import folded


class Levenshtein(Scorer):
    """1 - distance / length of the longer text, where the distance is the number of characters to
    insert, delete or replace to turn the answer into the expected answer. White space around either
    is ignored. Texts of more than 50,000 characters are not compared.
    """

    title: ClassVar[str] = "Levenshtein"
    description: ClassVar[str] = "How few characters differ from the expected answer."
    group: ClassVar[ScorerGroup] = ScorerGroup.EXPECTED
    example: ClassVar[str] = "Expected “color”: “colour” gives 0.83."
    needs_expected: ClassVar[bool] = True

    is_case_sensitive: bool = Field(default=True, title="Case sensitive")

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        from rapidfuzz.distance.Levenshtein import distance

        answer = folded(subject.answer, is_case_sensitive=self.is_case_sensitive)
        expected = folded(subject.need_expected(), is_case_sensitive=self.is_case_sensitive)
        check_length(answer, expected)
        longer = max(len(answer), len(expected))
        edits = distance(answer, expected)
        return Scored(
            value=1 - edits / longer if longer else 1.0,
            raw=str(edits),
            rationale=f"{edits} of {longer} characters differ.",
        )
