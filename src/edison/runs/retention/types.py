"""Old runs, and what becomes of them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OldRun:
    id: UUID
    name: str
    cell_count: int
    ended_at: datetime
    archived_at: datetime | None
    is_kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DueRuns:
    """`kept` and `evidence` are the numbers of old runs that stay, and why."""

    to_archive: Sequence[OldRun] = ()
    to_delete: Sequence[OldRun] = ()
    kept: int = 0
    evidence: int = 0


def sort_old_runs(
    old: Sequence[OldRun],
    *,
    evidence: Collection[UUID],
    deleted_until: datetime,
    archived_until: datetime,
) -> DueRuns:
    """A run is deleted if it ended before `deleted_until` and was archived before
    `archived_until`.
    """
    free = [run for run in old if not run.is_kept]
    due = [run for run in free if run.id not in evidence]
    return DueRuns(
        to_archive=[run for run in due if run.archived_at is None],
        to_delete=[
            run
            for run in due
            if run.archived_at is not None
            and run.archived_at <= archived_until
            and run.ended_at <= deleted_until
        ],
        kept=len(old) - len(free),
        evidence=len(free) - len(due),
    )
