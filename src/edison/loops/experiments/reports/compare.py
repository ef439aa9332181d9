"""Two experiments side by side."""

from collections.abc import Sequence
from uuid import UUID

from edison.db.session import Database
from edison.kit.errors import FieldProblem, Invalid
from edison.loops.experiments import view
from edison.loops.experiments.drafts.configure import read_config
from edison.loops.experiments.iterations.measure import metrics_of
from edison.loops.experiments.models import Experiment, Iteration
from edison.loops.experiments.reports.report import Row, trend_of
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.schemas.experiments import ExperimentSummary
from edison.loops.experiments.schemas.reports import ExperimentComparison, ExperimentSide
from edison.runs.results import service as results
from edison.runs.results.schemas.statistics import ComparisonVerdict


async def compare(
    database: Database, *, project_id: UUID, left_id: UUID, right_id: UUID
) -> ExperimentComparison:
    """Raises Invalid for one and the same."""
    if left_id == right_id:
        message = "Choose two different experiments."
        raise Invalid(FieldProblem(field="other", message=message, code="same_experiment"))
    async with database.read() as session:
        experiments = [
            await Experiments(session).get(project_id, each) for each in (left_id, right_id)
        ]
        rows = [await Iterations(session).list_of([each]) for each in (left_id, right_id)]
        summaries = [
            (await view.describe_several(session, [(each, None)]))[0] for each in experiments
        ]
    best = [_best(*pair) for pair in zip(summaries, rows, strict=True)]
    verdict, basis = await _verdict(database, project_id, best[0], best[1])
    return ExperimentComparison(
        left=_side(summaries[0], rows[0], best[0]),
        right=_side(summaries[1], rows[1], best[1]),
        verdict=verdict,
        basis=basis,
        differences=_differences(experiments[0], experiments[1]),
    )


def _best(summary: ExperimentSummary, rows: Sequence[Row]) -> Iteration | None:
    chosen = summary.best
    return next(
        (each for each, _ in rows if chosen is not None and each.number == chosen.iteration), None
    )


def _side(
    summary: ExperimentSummary, rows: Sequence[Row], best: Iteration | None
) -> ExperimentSide:
    metrics = None if best is None else metrics_of(best)
    return ExperimentSide(
        summary=summary,
        criteria=[] if metrics is None else metrics.criteria,
        variants=[] if metrics is None else metrics.variants,
        trend=trend_of(rows),
    )


async def _verdict(
    database: Database, project_id: UUID, left: Iteration | None, right: Iteration | None
) -> tuple[ComparisonVerdict | None, str | None]:
    if left is None or right is None:
        return None, None
    for basis, before, after in (
        ("holdout", left.holdout_run_id, right.holdout_run_id),
        ("train", left.run_id, right.run_id),
    ):
        if before is None or after is None:
            continue
        found = await results.compare_overall(
            database, project_id=project_id, baseline_id=before, other_id=after
        )
        if found is not None and found.difference.cases:
            return found, basis
    return None, None


def _differences(left: Experiment, right: Experiment) -> list[str]:
    if left.config is None or right.config is None:
        return ["One experiment was never confirmed."]
    one, other = read_config(left.config), read_config(right.config)
    said = []
    if one.rubric.criteria != other.rubric.criteria:
        said.append("Different rubrics: the scores are not comparable.")
    if one.judges.judges != other.judges.judges:
        said.append("Different judges.")
    if one.data.dataset_id != other.data.dataset_id:
        said.append("Different datasets: only shared cases are compared.")
    if one.models != other.models:
        said.append("Different models or parameters.")
    if one.prompt.prompt_id != other.prompt.prompt_id:
        said.append("Different prompts.")
    return said
