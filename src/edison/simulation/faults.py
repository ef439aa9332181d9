"""Seeded provider faults, on demand."""

from dataclasses import dataclass
from enum import StrEnum

from edison.simulation import luck


class Fault(StrEnum):
    RATE_LIMIT = "rate_limit"
    TIMEOUT = "timeout"
    SERVER_ERROR = "server_error"
    MALFORMED = "malformed"
    CONTENT_FILTER = "content_filter"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRates:
    """Fault rates as shares of calls. Their sum must not exceed 1."""

    rates: tuple[tuple[Fault, float], ...]
    seed: int = 0

    def drawn(self, *call: object) -> Fault | None:
        """The fault of this call, if any. `call` includes the attempt number, so a retry is drawn
        separately.
        """
        chance = luck.uniform("fault", self.seed, *call)
        for fault, rate in self.rates:
            if chance < rate:
                return fault
            chance -= rate
        return None
