"""How many calls of one credential may be under way at once, learned from how they end.

Halved when the service asks for less, raised by about one for every round of successes, between 1
and the configured most. A hundred calls that fail together are one message, not a hundred: only
calls that began after the last halving can halve again.
"""

DECREASE = 0.5


class Limiter:
    def __init__(self, most: int = 8) -> None:
        if most < 1:
            raise ValueError("At least one call must be allowed.")
        self.most = most
        self._size = float(most)
        self._round = 0
        self.under_way = 0

    @property
    def size(self) -> int:
        return int(self._size)

    @property
    def has_room(self) -> bool:
        return self.under_way < int(self._size)

    def take(self) -> int:
        """Occupy a slot; the round it belongs to is handed back by `give_back`."""
        self.under_way += 1
        return self._round

    def give_back(self, taken: int, *, is_overload: bool, is_success: bool) -> None:
        self.under_way -= 1
        if is_overload and taken == self._round:
            self._round += 1
            self._size = max(1.0, self._size * DECREASE)
        elif is_success and self._size < self.most:
            self._size = min(float(self.most), self._size + 1 / self._size)
