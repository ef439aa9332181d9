"""Rounds and generations of a search."""

from datetime import datetime
from uuid import UUID

from edison.api.schema import Schema, Usd
from edison.loops.optimizations.states import RoundKind


class RoundRead(Schema):
    """Candidates measured together. `done_count` of `cell_count` answers of its run exist."""

    number: int
    kind: RoundKind
    generation: int
    stage: int
    candidates: list[int]
    cases: int
    run_id: UUID | None
    run_state: str | None
    done_count: int
    cell_count: int
    cost_usd: Usd
    created_at: datetime
    ended_at: datetime | None


class SearchGenerationRead(Schema):
    """The best candidate so far after a generation; `low` and `high` are the 95 % interval of its
    mean.
    """

    generation: int
    best: int
    mean: float | None
    low: float | None
    high: float | None
    candidates: int
    dropped: int
