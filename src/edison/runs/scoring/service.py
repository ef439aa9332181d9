"""What people say about outputs, and what other slices want to know about it."""

from edison.runs.scoring.scales import Question, value_of
from edison.runs.scoring.scores import forget_outdated, give_score, list_scores, remove_score
from edison.runs.scoring.states import SampleStrategy

__all__ = [
    "Question",
    "SampleStrategy",
    "forget_outdated",
    "give_score",
    "list_scores",
    "remove_score",
    "value_of",
]
