"""Response bodies about the trial of suggestions."""

from uuid import UUID

from edison.api.schema import Schema
from edison.runs.results.schemas.statistics import ComparisonVerdict


class TrialCriterion(Schema):
    """A criterion's means before and after the change, 0 to 1."""

    name: str
    before: float | None
    after: float | None


class TrialRead(Schema):
    """A suggestion tried on the training cases, before a decision. `comparison` is with the version
    that it changes, corrected for the number of suggestions tried together.
    """

    run_id: UUID
    version_label: str
    comparison: ComparisonVerdict
    criteria: list[TrialCriterion]
