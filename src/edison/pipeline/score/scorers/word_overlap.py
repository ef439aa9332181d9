"""Words that the answer shares with the expected answer."""

from typing import ClassVar

from edison.pipeline.score.long_text import search
from edison.pipeline.score.scorer import Scored, Scorer, ScorerGroup, Subject, Tools

_SUBSTRING = 0.95
_JACCARD_WEIGHT = 0.3
_RECALL_WEIGHT = 0.7


class WordOverlap(Scorer):
    """1 when the answer equals the expected answer, 0.95 when it contains it, else 0.3 x (shared
    words / all words) + 0.7 x (shared words / expected words).

    Case, and white space around the texts, are ignored. Words are separated by white space, include
    punctuation, and count once. An empty answer, or an empty expected answer, gives 0.
    """

    title: ClassVar[str] = "Word overlap"
    description: ClassVar[str] = "The share of the expected answer's words that the answer has."
    group: ClassVar[ScorerGroup] = ScorerGroup.EXPECTED
    example: ClassVar[str] = "Expected “ten days”: “within ten working days” gives 0.85."
    needs_expected: ClassVar[bool] = True

    async def score(self, subject: Subject, tools: Tools) -> Scored:
        answer, expected = subject.answer, subject.need_expected()
        return await search(len(answer) + len(expected), _compare, answer, expected)


def _compare(answer: str, expected: str) -> Scored:
    answer, expected = answer.lower().strip(), expected.lower().strip()
    if not answer or not expected:
        return Scored(value=0.0, rationale="One of the texts is empty.")
    if answer == expected:
        return Scored(value=1.0, rationale="Equals the expected answer.")
    if expected in answer:
        return Scored(value=_SUBSTRING, rationale="Contains the expected answer.")
    return _overlap(set(answer.split()), set(expected.split()))


def _overlap(answer: set[str], expected: set[str]) -> Scored:
    shared = len(answer & expected)
    jaccard = shared / len(answer | expected)
    recall = shared / len(expected)
    return Scored(
        value=_JACCARD_WEIGHT * jaccard + _RECALL_WEIGHT * recall,
        rationale=f"{shared} of {len(expected)} expected words.",
    )
