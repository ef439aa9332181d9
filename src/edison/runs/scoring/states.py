"""States of an annotation queue, and sampling strategies."""

from enum import StrEnum
from typing import Final


class AnnotationQueueState(StrEnum):
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"


NEXT: Final[dict[AnnotationQueueState, frozenset[AnnotationQueueState]]] = {
    AnnotationQueueState.OPEN: frozenset(
        {AnnotationQueueState.PAUSED, AnnotationQueueState.CLOSED}
    ),
    AnnotationQueueState.PAUSED: frozenset(
        {AnnotationQueueState.OPEN, AnnotationQueueState.CLOSED}
    ),
    AnnotationQueueState.CLOSED: frozenset({AnnotationQueueState.OPEN}),
}


class SampleStrategy(StrEnum):
    """`disagreement`: largest spread between scorers first. `low_confidence`: flagged outputs
    first, then those closest to their threshold.
    """

    RANDOM = "random"
    DISAGREEMENT = "disagreement"
    LOW_CONFIDENCE = "low_confidence"
