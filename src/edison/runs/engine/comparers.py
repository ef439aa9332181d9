"""The comparers of a run: checked when it is planned, made ready when it is worked on."""

from collections.abc import Callable, Sequence
from uuid import UUID

from edison.kit.errors import Invalid
from edison.pipeline.score.comparer import Comparer
from edison.pipeline.score.registry import comparer_kinds, load_comparer, open_comparer
from edison.runs.engine.models import RunComparer
from edison.runs.engine.planning import PlannedComparer
from edison.runs.engine.schemas.comparisons import ComparerKindRead
from edison.runs.engine.schemas.requests import ComparerRequest


def list_kinds() -> list[ComparerKindRead]:
    return [
        ComparerKindRead(
            kind=kind,
            title=comparer.title,
            description=comparer.description,
            cost_class=comparer.cost_class,
            options_schema=comparer.model_json_schema(),
        )
        for kind in comparer_kinds()
        for comparer in (load_comparer(kind),)
    ]


def plan(
    index: int,
    request: ComparerRequest,
    *,
    variant_count: int,
    on_problem: Callable[[str, str, str], None],
) -> PlannedComparer | None:
    """None when it does not fit, which is told to `on_problem`."""
    place = f"comparers.{index}"
    if variant_count < 2:
        on_problem(place, "Comparing takes at least two variants.", "too_few_variants")
    if request.baseline is not None and request.baseline >= variant_count:
        on_problem(f"{place}.baseline", "There is no such variant.", "unknown_variant")
    try:
        comparer = open_comparer(request.kind, request.options)
    except Invalid as invalid:
        for problem in invalid.problems:
            on_problem(f"{place}.{problem.field}", problem.message, problem.code)
        return None
    return PlannedComparer(
        kind=request.kind,
        label=request.label or comparer.title,
        # As the comparer reads them, with its defaults of today.
        options=comparer.model_dump(mode="json"),
        baseline=request.baseline,
    )


def open_comparers(stored: Sequence[RunComparer]) -> list[Comparer]:
    return [open_comparer(each.kind, each.options) for each in stored]


def model_ids_of(planned: PlannedComparer) -> Sequence[UUID]:
    """The models that it asks."""
    return open_comparer(planned.kind, planned.options).model_ids
