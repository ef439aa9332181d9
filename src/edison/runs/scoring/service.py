"""What people say about outputs, and what other slices want to know about it."""

from edison.runs.scoring.scores import forget_outdated, give_score, list_scores, remove_score

__all__ = ["forget_outdated", "give_score", "list_scores", "remove_score"]
