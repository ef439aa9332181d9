"""The life of an annotation queue, and how its outputs are chosen."""

from enum import StrEnum
from typing import Final


class QueueState(StrEnum):
    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"


NEXT: Final[dict[QueueState, frozenset[QueueState]]] = {
    QueueState.OPEN: frozenset({QueueState.PAUSED, QueueState.CLOSED}),
    QueueState.PAUSED: frozenset({QueueState.OPEN, QueueState.CLOSED}),
    QueueState.CLOSED: frozenset({QueueState.OPEN}),
}


class Strategy(StrEnum):
    """`disagreement`: first where scorers are furthest apart. `low_confidence`: first what was
    flagged, then what is nearest to passing or failing.
    """

    RANDOM = "random"
    DISAGREEMENT = "disagreement"
    LOW_CONFIDENCE = "low_confidence"
