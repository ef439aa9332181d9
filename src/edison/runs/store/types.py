"""What filling a run produces: outputs, scores and comparisons. `rows.py` maps them to columns."""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID

from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.score.comparer import Compared
from edison.pipeline.score.parse import Parsed
from edison.pipeline.score.scorer import Scored


class StoredCase(NamedTuple):
    """The columns of a run's case that filling needs. The field order is that of the query."""

    position: int
    expected: str | None
    inputs: dict[str, Any]
    assertions: dict[str, Any] | None
    tags: list[str]


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class CellOutput:
    """The answer of a cell, and the part that was parsed from it. `credential` is the label of the
    credential that was used; None if no model was called.
    """

    id: UUID
    run_id: UUID
    case_position: int
    variant_position: int
    repeat: int
    answer: Answer
    parsed: Parsed
    is_fallback: bool
    prompt_digest: str
    created_at: datetime
    credential: str | None = None

    @property
    def status(self) -> Literal["ok", "error", "malformed"]:
        if isinstance(self.answer.outcome, CallFailed):
            return "error"
        return "ok" if self.parsed.malformed is None else "malformed"


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class NewScore:
    """`answers` are the judges' answers by the digest of the question. `charged_nanos` as for
    outputs.
    """

    id: UUID
    output: CellOutput
    scorer_position: int
    scored: Scored
    answers: Mapping[str, Answer]
    charged_nanos: int | None
    created_at: datetime

    @property
    def run_id(self) -> UUID:
        return self.output.run_id


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class NewOutput:
    """`sent` is the prompt as JSON. `charged_nanos` is what this run paid for the answer, None if
    unknown. `is_again`: it replaces an output marked for retry. `scores` are stored atomically with
    the output.
    """

    output: CellOutput
    project_id: UUID
    sent: str
    charged_nanos: int | None
    is_again: bool
    scores: list[NewScore] = field(default_factory=list)

    @property
    def run_id(self) -> UUID:
        return self.output.run_id


@dataclass(frozen=True, slots=True, kw_only=True)
class NewComparison:
    """`a` and `b` are two outputs of the same case and repeat. `answers` as for scores,
    `charged_nanos` as for outputs.
    """

    id: UUID
    comparer_position: int
    a: CellOutput
    b: CellOutput
    compared: Compared
    answers: Mapping[str, Answer]
    charged_nanos: int | None
    created_at: datetime

    @property
    def run_id(self) -> UUID:
        return self.a.run_id

    @property
    def answered_at(self) -> Mapping[UUID, datetime]:
        """When each output was answered; a retried output has a different time."""
        return {self.a.id: self.a.created_at, self.b.id: self.b.created_at}
