"""Question types of human scores, and the conversion of answers to 0..1."""

from enum import StrEnum
from typing import Final


class ScoringQuestion(StrEnum):
    """`thumbs`: down 0, up 1. `pass_fail`: fail 0, pass 1. `rating`: 1 to 5."""

    THUMBS = "thumbs"
    VERDICT = "pass_fail"
    RATING = "rating"


# Lowest and highest answer.
SCALES: Final[dict[ScoringQuestion, tuple[int, int]]] = {
    ScoringQuestion.THUMBS: (0, 1),
    ScoringQuestion.VERDICT: (0, 1),
    ScoringQuestion.RATING: (1, 5),
}


def is_on_scale(question: ScoringQuestion, answer: int) -> bool:
    low, high = SCALES[question]
    return low <= answer <= high


def value_of(question: ScoringQuestion, answer: int) -> float:
    """0 for the lowest answer, 1 for the highest, evenly spaced between."""
    low, high = SCALES[question]
    return (answer - low) / (high - low)
