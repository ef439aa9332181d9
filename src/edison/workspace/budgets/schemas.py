"""What the ledger shows."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema, Usd
from edison.kit.money import usd_from_nanos
from edison.workspace.budgets.models import EntryState, LedgerEntry


class LedgerEntryRead(Schema):
    """One attempt to call a model. Amounts are null while no price is known."""

    id: UUID
    purpose: Annotated[str, Field(examples=["try"])]
    provider: str
    model: str
    attempt: int
    state: EntryState
    reserved_usd: Usd | None
    cost_usd: Usd | None
    input_tokens: int | None
    output_tokens: int | None
    cached_input_tokens: int | None
    reasoning_tokens: int | None
    is_estimated: bool
    price_version: str | None
    failure: str | None
    created_at: datetime
    settled_at: datetime | None

    @classmethod
    def of(cls, entry: LedgerEntry) -> "LedgerEntryRead":
        names = set(cls.model_fields) - {"reserved_usd", "cost_usd"}
        reserved, cost = (
            None if nanos is None else usd_from_nanos(nanos)
            for nanos in (entry.reserved_nanos, entry.cost_nanos)
        )
        return cls(
            **{name: getattr(entry, name) for name in names}, reserved_usd=reserved, cost_usd=cost
        )
