"""Bodies of the retention endpoints."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import Field

from edison.api.schema import Schema
from edison.runs.retention.types import OldRun


class RetentionPart(Schema):
    runs: int
    cells: int
    names: Annotated[list[str], Field(description="The oldest ones")]

    @classmethod
    def of(cls, runs: Sequence[OldRun]) -> "RetentionPart":
        return cls(
            runs=len(runs),
            cells=sum(run.cell_count for run in runs),
            names=[run.name for run in runs[:5]],
        )


class RetentionRead(Schema):
    """What becomes of the project's old runs the next time: nothing without `confirmed_at`."""

    archive_days: int
    retention_days: int
    confirmed_at: datetime | None
    to_archive: RetentionPart
    to_delete: RetentionPart
    kept_runs: Annotated[int, Field(description="Old runs that a person keeps")]
    evidence_runs: Annotated[int, Field(description="Old runs that are evidence of a result")]
