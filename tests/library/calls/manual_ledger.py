"""A ledger of waves whose commits are made by the test, and a look-ahead of its choice."""

from dataclasses import dataclass, field
from uuid import UUID

from edison.kit import ids
from edison.pipeline.generate.path.look_ahead import LookAhead
from edison.pipeline.generate.path.ports import AttemptCost, Intent, OnReserved


@dataclass
class ManualLedger:
    """Commits when the test says so."""

    waiting: dict[UUID, Intent] = field(default_factory=dict)
    charged: dict[UUID, AttemptCost] = field(default_factory=dict)
    released: list[UUID] = field(default_factory=list)
    on_reserved: OnReserved = field(init=False)
    # Why reservations do not hold any more.
    lost: BaseException | None = None

    def reserve(self, intent: Intent, on_reserved: OnReserved) -> UUID:
        entry_id = ids.new_id()
        self.waiting[entry_id] = intent
        self.on_reserved = on_reserved
        return entry_id

    def confirm(self, entry_id: UUID, on_reserved: OnReserved) -> None:
        on_reserved([(entry_id, self.lost)])

    def charge(self, entry_id: UUID, cost: AttemptCost) -> None:
        assert entry_id not in self.charged
        self.charged[entry_id] = cost

    def release(self, entry_id: UUID) -> None:
        self.released.append(entry_id)


class FixedLookAhead(LookAhead):
    """Calls up this many, whatever is measured."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size

    def size(self, under_way: int) -> int:
        return self._size
