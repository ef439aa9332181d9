"""ROUGE-L, for summaries: the longest common subsequence of words."""

import re
from typing import ClassVar

from edison.pipeline.score.long_text import check_length
from edison.pipeline.score.scorer import Scored, Scorer, ScorerGroup, Subject, Tools

# Chinese and Japanese have no spaces between words: each character counts as a word.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")


class RougeL(Scorer):
    """The F-measure of ROUGE-L (Lin, 2004): 2 P R / (P + R), where the longest common subsequence
    of words is the share P of the answer's and R of the expected answer's words.

    Words are letters and digits in any script, ignoring case, as in the reference implementation
    without stemming. Texts of more than 50,000 characters are not compared.
    """

    title: ClassVar[str] = "ROUGE-L"
    description: ClassVar[str] = "Words shared with the expected answer, in the same order."
    group: ClassVar[ScorerGroup] = ScorerGroup.EXPECTED
    example: ClassVar[str] = "Expected “ten days”: “within ten working days” gives 0.67."
    needs_expected: ClassVar[bool] = True

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        from rapidfuzz.distance import LCSseq

        check_length(subject.answer, subject.need_expected())
        expected = words_of(subject.need_expected())
        answer = words_of(subject.answer)
        common = LCSseq.similarity(answer, expected)
        if not common:
            return Scored(value=0.0, rationale="No word in common.")
        precision, recall = common / len(answer), common / len(expected)
        return Scored(
            value=2 * precision * recall / (precision + recall),
            rationale=f"Precision {precision:.2f}, recall {recall:.2f}.",
        )


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())
