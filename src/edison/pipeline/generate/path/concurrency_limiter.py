"""Adaptive concurrency limit of one credential (additive increase, multiplicative decrease).

Overload halves the limit; each full round of successes raises it by about one, between 1 and the
allowed maximum. Calls that fail together halve it once: only calls that began after the last
decrease can decrease it again.

The allowed maximum is the credential's limit, or this process's share of it. A smaller share does
not discard the learned limit.
"""

DECREASE = 0.5


class ConcurrencyLimiter:
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
        """Calls beyond a lower maximum finish normally; their slots are not given out again."""
        self.most = most
        self._fit()

    def resize(self, limit: int) -> None:
        """A new limit discards what was learned under the old one."""
        if limit != self.limit:
            self.limit = limit
            self.forget()

    def forget(self) -> None:
        """Resets the learned limit. Overload reported by calls now in progress is ignored."""
        self._round += 1
        self._learned = float(self.limit)
        self._fit()

    def take(self) -> int:
        """Occupies a slot. Returns its round, to be passed to `release`."""
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
