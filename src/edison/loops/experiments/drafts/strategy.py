"""The strategy of an experiment: its kinds, and the optimizer of a draft."""

from typing import Any
from uuid import UUID

from edison.loops.experiments.schemas.drafts import LimitsStep, StrategyKindRead
from edison.pipeline.refine.optimizer import Optimizer
from edison.pipeline.refine.registry import (
    form_of,
    load_optimizer,
    open_optimizer,
    optimizer_kinds,
)

# Options that an experiment has in fields of their own.
REFINER, CANDIDATES = "model_id", "candidates"


def list_strategy_kinds() -> list[StrategyKindRead]:
    return [_kind(kind) for kind in optimizer_kinds()]


def _kind(kind: str) -> StrategyKindRead:
    optimizer = load_optimizer(kind)
    form = form_of(kind)
    shown = {
        name: field
        for name, field in form.get("properties", {}).items()
        if name not in (REFINER, CANDIDATES)
    }
    return StrategyKindRead(
        kind=kind,
        title=optimizer.title,
        description=optimizer.description,
        uses_refiner=REFINER in optimizer.model_fields,
        options_schema=form
        | {
            "properties": shown,
            "required": [name for name in form.get("required", []) if name in shown],
        },
        search_schema=form,
    )


def open_strategy(limits: LimitsStep, *, refiner_id: UUID) -> Optimizer:
    """Raises Invalid."""
    kind = limits.strategy.kind
    fields = load_optimizer(kind).model_fields if kind in optimizer_kinds() else {}
    shared: dict[str, Any] = {REFINER: str(refiner_id), CANDIDATES: limits.candidates}
    # Null is an emptied field of the form.
    own = {
        name: value
        for name, value in limits.strategy.options.items()
        if name not in shared and value is not None
    }
    return open_optimizer(
        kind, own | {name: value for name, value in shared.items() if name in fields}
    )


def uses_refiner(limits: LimitsStep) -> bool:
    """Whether suggestions cost calls of the refiner."""
    kind = limits.strategy.kind
    return kind not in optimizer_kinds() or REFINER in load_optimizer(kind).model_fields
