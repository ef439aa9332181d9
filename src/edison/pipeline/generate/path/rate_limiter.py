"""How many calls of one credential may be under way at once, learned from how they end.

Halved when the service asks for less, raised by about one for every round of successes, between 1
and the most that is allowed. A hundred calls that fail together are one message, not a hundred:
only calls that began after the last halving can halve again.

The most that is allowed is the credential's limit, or this process's share of it. What was learned
outlasts a smaller share.
"""

DECREASE = 0.5


class RateLimiter:
    def __init__(self, limit: int = 8) -> None:
        if limit < 1:
            raise ValueError("At least one call must be allowed.")
        self.limit = limit
        self.most = limit
        self.size = limit
        self.under_way = 0
        self._learned = float(limit)
        self._round = 0

    @property
    def has_room(self) -> bool:
        return self.under_way < self.size

    def allow(self, most: int) -> None:
        """Calls beyond a smaller number are not broken off; their slots are just not given anew."""
        self.most = most
        self._fit()

    def forget(self) -> None:
        """Begin anew; how calls end that are under way teaches nothing."""
        self._round += 1
        self._learned = float(self.limit)
        self._fit()

    def take(self) -> int:
        """Occupy a slot; the round it belongs to is handed back by `release`."""
        self.under_way += 1
        return self._round

    def release(self, taken: int, *, is_overload: bool, is_success: bool) -> None:
        in_use = max(self.most, self.under_way)
        self.under_way -= 1
        if is_overload and taken == self._round:
            self._round += 1
            self._learned = max(1.0, min(self._learned, in_use) * DECREASE)
            self._fit()
        elif is_success and self._learned < self.most:
            self._learned = min(float(self.most), self._learned + 1 / self._learned)
            self._fit()

    def _fit(self) -> None:
        self.size = min(int(self._learned), self.most)
