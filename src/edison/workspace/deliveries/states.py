"""States of a delivery, and why a destination is off. Stored; never rename."""

from enum import StrEnum


class DeliveryState(StrEnum):
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
    CANCELLED = "cancelled"


class DisabledReason(StrEnum):
    """`gone`: the receiver answered 410. `failing`: no delivery succeeded for days."""

    MEMBER = "member"
    GONE = "gone"
    FAILING = "failing"
