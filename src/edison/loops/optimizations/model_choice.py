"""Cheaper models: which of them, with the finalist's prompt, is as good as the incumbent, the base
on its own model. Tested on the held-out cases, in the run that tests the finalist.

Models are tested from the most expensive to the cheapest, each only if the one before it was shown
to be as good. So the probability of recommending one that is not stays at 5 %, however many there
are.
"""

from collections.abc import Sequence
from uuid import UUID

from edison.db.session import Database
from edison.kit.money import usd_from_nanos
from edison.library.models.service import CallableModel
from edison.loops.optimizations.errors import invalid
from edison.loops.optimizations.models import Optimization, OptimizationRound
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.schemas.configs import OptimizationConfig
from edison.loops.optimizations.schemas.verdicts import CheaperModelRead, CheaperModelsRead
from edison.pipeline.aggregate.equivalence import FEWEST_CASES, MARGIN
from edison.runs.results import service as results

_FIELD = "cheaper_models"
# A typical call, to compare the prices of models.
_TOKENS = 1_000
_NOT_TESTED = "Not tested, because a more expensive model is not shown to be as good."
_NOT_CHEAPER = "Its answers cost as much as those of the incumbent."
_MISSING = "Too many of its answers have no score."


def check_cheaper_models(
    wanted: OptimizationConfig, models: Sequence[tuple[str, CallableModel]], *, held_out: int
) -> None:
    """`models` are those of the configuration, by field. Raises Invalid."""
    if not wanted.cheaper_models:
        return
    if len(wanted.models) > 1:
        message = "Cheaper models are compared with one model. Choose a single model to improve on."
        raise invalid("models", message, "several_incumbents")
    if held_out < FEWEST_CASES:
        message = (
            f"It takes {FEWEST_CASES} held-out cases to show that a cheaper model is as good; "
            f"there are {held_out}."
        )
        raise invalid(_FIELD, message, "too_few_holdout_cases")
    incumbent = next(model for field, model in models if field.startswith("models."))
    seen: set[UUID] = set()
    for field, model in models:
        if not field.startswith(f"{_FIELD}."):
            continue
        if model.id in seen:
            raise invalid(field, f"{model.display_name} is listed twice.", "model_repeated")
        seen.add(model.id)
        if _price(model) >= _price(incumbent):
            message = f"{model.display_name} is not cheaper than {incumbent.display_name}."
            raise invalid(field, message, "not_cheaper")


def _price(model: CallableModel) -> int:
    if model.prices is None:
        return 0
    return model.prices.worst_case_nanos(input_tokens=_TOKENS, max_tokens=_TOKENS)


async def choose_model(
    database: Database, row: Optimization, config: OptimizationConfig, ended: OptimizationRound
) -> CheaperModelsRead | None:
    """From the completed test on held-out cases. None without cheaper models."""
    if not config.cheaper_models or ended.run_id is None:
        return None
    async with database.read() as session:
        steps = OptimizationSteps(Optimizations(session))
        found = await steps.mean_costs([ended.run_id])
        costs = {position: nanos for (_, position), nanos in found.items()}
        names = await steps.list_model_names(ended.run_id)
    first = len(ended.candidates)
    ordered = sorted(
        range(first, first + len(config.cheaper_models)),
        key=lambda place: (-costs.get(place, 0), place),
    )
    chosen: int | None = None
    is_open = True
    trials = []
    for place in ordered:
        trial = await _try(database, row, ended.run_id, place, is_open=is_open)
        is_cheaper = costs.get(place, 0) < costs.get(0, 0)
        if is_open and not is_cheaper:
            trial |= {"is_as_good": False, "reason": _NOT_CHEAPER}
        elif is_open:
            is_open = bool(trial["is_as_good"])
            chosen = place if is_open else chosen
        model_id = config.cheaper_models[place - first].model_id
        told = {
            "model_id": model_id,
            "name": names[place],
            "cost_usd": usd_from_nanos(costs.get(place, 0)),
        }
        trials.append(CheaperModelRead.model_validate(told | trial))
    return CheaperModelsRead(
        incumbent=names[0],
        cost_usd=usd_from_nanos(costs.get(0, 0)),
        candidate=ended.candidates[-1],
        margin=MARGIN,
        trials=trials,
        chosen=None if chosen is None else config.cheaper_models[chosen - first].model_id,
        saving=None if chosen is None else 1 - costs[chosen] / costs[0],
    )


async def _try(
    database: Database, row: Optimization, run_id: UUID, place: int, *, is_open: bool
) -> dict[str, object]:
    """The figures of a trial."""
    found = await results.compare_overall(
        database,
        project_id=row.project_id,
        baseline_id=run_id,
        other_id=run_id,
        pairs=[(0, place)],
    )
    equal = None if found is None else found.equivalence
    interval = None if equal is None else equal.interval
    is_as_good = equal is not None and equal.other_is_as_good
    return {
        "difference": None if found is None else found.difference.value,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "is_as_good": is_as_good if is_open else None,
        "reason": _NOT_TESTED if not is_open else _MISSING if equal is None else equal.reason,
    }
