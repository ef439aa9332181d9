"""How many calls reserve before they have a slot.

A call is sent when its reservation is committed. If each call reserved only when it had its slot,
slots would be idle while reservations are written: half of the time when answers come quickly and
the database is busy. So calls reserve ahead, as many as will find a free slot by the time their
reservation is written. Their ledger entries say that they are sent, so that they can leave without
a second write; after a crash they are unconfirmed, also those that had not left. Where calls take
seconds, that is one call or none.
"""

# Weight of a new measurement.
WEIGHT = 0.2


class LookAhead:
    def __init__(self) -> None:
        self._reserving_seconds = 0.0
        self._calling_seconds = 0.0
        # Of the calls under way, those that end while a reservation is written.
        self._share = 0.0

    def note_reserving(self, seconds: float) -> None:
        """A reservation was written in this time."""
        self._reserving_seconds += WEIGHT * (seconds - self._reserving_seconds)

    def note_call(self, seconds: float) -> None:
        """A call was under way for this time."""
        if not self._calling_seconds:
            self._calling_seconds = seconds
        self._calling_seconds += WEIGHT * (seconds - self._calling_seconds)
        if self._calling_seconds:
            self._share = min(self._reserving_seconds / self._calling_seconds, 1.0)

    def size(self, under_way: int) -> int:
        """At most as many as are under way: they hold money."""
        return int(under_way * self._share)
