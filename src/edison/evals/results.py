"""Results of an evaluation, read from its runs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from edison.evals.cells import EvalCell
from edison.evals.plan import EvalColumn, EvalPlan
from edison.evals.start import EvalRun
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.score.scorer import Flag
from edison.runs.store.models import Output, Score
from edison.runs.store.outputs import Outputs

if TYPE_CHECKING:
    from edison.evals.comparison import BaselineReport
    from edison.evals.schemas import EvaluationCell, EvaluationScore

Status = Literal["passed", "failed", "error"]
_NANOS = 1_000_000_000
_ERRORS = {Flag.CODE_FAILED, Flag.UNAVAILABLE, Flag.SCORER_FAILED, Flag.JUDGE_FAILED}
UNANSWERED = "This row was not answered."


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """The verdict of one assertion. `type` is None for a set."""

    type: str | None
    is_passed: bool
    score: float
    reason: str
    metric: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowResult:
    """`output` is the answer after transforms. Costs are in US dollars; None if unknown."""

    cell: EvalCell
    status: Status
    score: float
    reason: str
    output: Any = None
    error: str | None = None
    components: Sequence[Component] = ()
    named_scores: Mapping[str, float] = field(default_factory=dict)
    named_weights: Mapping[str, float] = field(default_factory=dict)
    cost_usd: float | None = None
    grading_cost_usd: float | None = None
    latency_ms: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    finish_reason: str | None = None
    is_cached: bool = False
    output_id: UUID | None = None

    @property
    def order(self) -> tuple[int, int]:
        return self.cell.row.test_index, self.cell.row.column.index


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMetrics:
    """Sums over the rows of a column. Named scores are sums by weight."""

    column: EvalColumn
    score: float
    passed: int
    failed: int
    errors: int
    assertions_passed: int
    assertions_failed: int
    named_scores: Mapping[str, float]
    named_counts: Mapping[str, int]
    named_weights: Mapping[str, float]
    cost_usd: float
    latency_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalResults:
    """Rows in order of test and column. `budget_message` says which budget stopped the evaluation,
    if one did.
    """

    plan: EvalPlan
    rows: Sequence[RowResult]
    run_ids: Sequence[UUID]
    project_slug: str = ""
    seconds: float = 0.0
    evaluation_id: UUID | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    budget_message: str | None = None
    comparison: "BaselineReport | None" = None

    def count(self, status: Status) -> int:
        return sum(row.status == status for row in self.rows)

    @property
    def answered(self) -> int:
        return sum(row.output_id is not None for row in self.rows)

    @property
    def cost_usd(self) -> float:
        return sum((row.cost_usd or 0) + (row.grading_cost_usd or 0) for row in self.rows)

    def metrics(self) -> list[ColumnMetrics]:
        by_column: dict[int, list[RowResult]] = defaultdict(list)
        for row in self.rows:
            by_column[row.cell.row.column.index].append(row)
        return [_metrics(column, by_column[column.index]) for column in self.plan.columns]


def _metrics(column: EvalColumn, rows: Sequence[RowResult]) -> ColumnMetrics:
    named: dict[str, float] = defaultdict(float)
    weights: dict[str, float] = defaultdict(float)
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        for name, mean in row.named_scores.items():
            weight = row.named_weights.get(name, 1.0)
            named[name] += mean * weight
            weights[name] += weight
        for each in row.components:
            if each.metric:
                counts[each.metric] += 1
    parts = [each for row in rows for each in row.components]
    return ColumnMetrics(
        column=column,
        score=sum(row.score for row in rows),
        passed=sum(row.status == "passed" for row in rows),
        failed=sum(row.status == "failed" for row in rows),
        errors=sum(row.status == "error" for row in rows),
        assertions_passed=sum(each.is_passed for each in parts),
        assertions_failed=sum(not each.is_passed for each in parts),
        named_scores=dict(named),
        named_counts=dict(counts),
        named_weights=dict(weights),
        cost_usd=sum(row.cost_usd or 0 for row in rows),
        latency_ms=sum(row.latency_ms or 0 for row in rows),
    )


async def read_rows(session: AsyncSession, runs: Sequence[EvalRun]) -> list[RowResult]:
    """All rows, also those without an answer, which are errors."""
    found: list[RowResult] = []
    for run in runs:
        reading = Outputs(session)
        outputs = await reading.list_outputs(run.run_id, 0, len(run.group.cases))
        scores = await reading.list_scores([each.id for each in outputs])
        by_output = {each.output_id: each for each in scores}
        by_place = {
            (each.case_position, each.variant_position, each.repeat): each for each in outputs
        }
        for place, cell in run.group.cells.items():
            output = by_place.get(place)
            score = None if output is None else by_output.get(output.id)
            found.append(read_row(cell, output, score))
    return sorted(found, key=lambda row: row.order)


def read_status(
    output: "Output | EvaluationCell", score: "Score | EvaluationScore | None"
) -> tuple[bool, float | None]:
    """Whether the row passed, and its score; None for a row without a verdict."""
    if output.status == "error" or score is None or score.flag in _ERRORS or score.raw is None:
        return False, None
    details = orjson.loads(score.raw)
    return bool(details["pass"]), float(details["score"])


def read_row(
    cell: EvalCell,
    output: "Output | EvaluationCell | None",
    score: "Score | EvaluationScore | None",
) -> RowResult:
    if output is None:
        return RowResult(cell=cell, status="error", score=0.0, reason="", error=UNANSWERED)
    known: dict[str, Any] = {
        "cell": cell,
        "output_id": output.id,
        "cost_usd": None if output.cost_nanos is None else output.cost_nanos / _NANOS,
        "latency_ms": None if output.latency_seconds is None else output.latency_seconds * 1000,
        "input_tokens": output.input_tokens,
        "output_tokens": output.output_tokens,
        "finish_reason": output.finish_reason,
        "is_cached": output.is_cached,
    }
    if output.status == "error":
        return RowResult(status="error", score=0.0, reason="", error=output.message, **known)
    if score is None:
        return RowResult(
            status="error", score=0.0, reason="", error="The answer was not scored.", **known
        )
    known["grading_cost_usd"] = None if score.cost_nanos is None else score.cost_nanos / _NANOS
    if score.flag in _ERRORS or score.raw is None:
        return RowResult(status="error", score=0.0, reason="", error=score.rationale, **known)
    return _scored(known, output, score, orjson.loads(score.raw))


def _scored(
    known: Mapping[str, Any],
    output: "Output | EvaluationCell",
    score: "Score | EvaluationScore",
    details: Mapping[str, Any],
) -> RowResult:
    return RowResult(
        status="passed" if details["pass"] else "failed",
        score=details["score"],
        reason=score.rationale or "",
        output=details.get("output", output.text),
        components=[
            Component(
                type=each["type"],
                is_passed=each["pass"],
                score=each["score"],
                reason=each["reason"],
                metric=each["metric"],
            )
            for each in details["components"]
        ],
        named_scores=details["namedScores"],
        named_weights=details.get("namedScoreWeights", {}),
        **known,
    )
