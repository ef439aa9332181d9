"""A ledger of waves whose commits are made by the test."""

from dataclasses import dataclass, field
from uuid import UUID

from edison.kit import ids
from edison.pipeline.generate.path.ports import AttemptCost, Intent, OnReserved


@dataclass
class ManualLedger:
    """Commits when the test says so."""

    waiting: dict[UUID, Intent] = field(default_factory=dict)
    charged: dict[UUID, AttemptCost] = field(default_factory=dict)
    released: list[UUID] = field(default_factory=list)
    on_reserved: OnReserved = field(init=False)

    def reserve(self, intent: Intent, on_reserved: OnReserved) -> UUID:
        entry_id = ids.new_id()
        self.waiting[entry_id] = intent
        self.on_reserved = on_reserved
        return entry_id

    def charge(self, entry_id: UUID, cost: AttemptCost) -> None:
        assert entry_id not in self.charged
        self.charged[entry_id] = cost

    def release(self, entry_id: UUID) -> None:
        self.released.append(entry_id)
