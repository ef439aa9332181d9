"""Contents of suggestions, and response bodies about their trial."""

from uuid import UUID

from pydantic import Field

from edison.api.schema import Schema
from edison.library.prompts.schemas import FewShotRead
from edison.runs.results.schemas.statistics import ComparisonVerdict


class SuggestedParts(Schema):
    """The parts that a suggestion changes, as stored. Parts left out stay as they are."""

    text: str = ""
    system: str | None = None
    few_shots: list[FewShotRead] = Field(default_factory=list)


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
