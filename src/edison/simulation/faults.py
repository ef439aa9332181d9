"""Seeded provider faults, on demand."""

from enum import StrEnum

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation import seeded


class SimulatedFault(StrEnum):
    RATE_LIMIT = "rate_limit"
    TIMEOUT = "timeout"
    SERVER_ERROR = "server_error"
    MALFORMED = "malformed"
    CONTENT_FILTER = "content_filter"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRates:
    """Fault rates as shares of calls. Their sum must not exceed 1."""

    rates: tuple[tuple[SimulatedFault, float], ...]
    seed: int = 0

    def drawn(self, *call: object) -> SimulatedFault | None:
        """The fault of this call, if any. `call` includes the attempt number, so a retry is drawn
        separately.
        """
        chance = seeded.uniform("fault", self.seed, *call)
        for fault, rate in self.rates:
            if chance < rate:
                return fault
            chance -= rate
        return None
