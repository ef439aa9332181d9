"""The life of an annotation queue, and how its outputs are chosen."""

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
    """`disagreement`: first where scorers are furthest apart. `low_confidence`: first what was
    flagged, then what is nearest to passing or failing.
    """

    RANDOM = "random"
    DISAGREEMENT = "disagreement"
    LOW_CONFIDENCE = "low_confidence"
