"""Validates the configuration of an optimization, and turns its rounds into run requests."""

import hashlib
from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets.models import Case
from edison.library.models import service as registry
from edison.library.models.service import CallableModel
from edison.library.prompts.models import PromptVersion
from edison.loops.experiments.iterations import gate
from edison.loops.optimizations.errors import invalid
from edison.loops.optimizations.model_choice import check_cheaper_models
from edison.loops.optimizations.models import Optimization
from edison.loops.optimizations.repository import Optimizations
from edison.loops.optimizations.schemas.configs import OptimizationConfig, OptimizationStrategy
from edison.pipeline.aggregate.alpha import can_succeed, fewest_cases
from edison.pipeline.refine.optimizer import TRAIN, Optimizer
from edison.pipeline.refine.registry import load_optimizer, open_optimizer, optimizer_kinds
from edison.pipeline.refine.search import SearchLimits
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import MOST_VARIANTS, RunRequest, ScorerRequest
from edison.runs.plan.types import EditedParts
from edison.runs.results import service as results

HOLDOUT = "holdout"
# With fewer training cases, the choice of the finalist is a lottery.
FEWEST_TRAIN_CASES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchCases:
    """The cases of an optimization in the order of its search. `digest` identifies the held-out
    ones; `looks` counts the tests on them so far.
    """

    train: Sequence[UUID]
    holdout: Sequence[UUID]
    digest: str
    looks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidOptimization:
    """`scorers` are the requests with the weights of saved scorers. `models` are all that are
    called, by field.
    """

    prompt_name: str
    version: PromptVersion
    optimizer: Optimizer
    cases: SearchCases
    scorers: Sequence[ScorerRequest]
    models: Sequence[tuple[str, CallableModel]]
    scorer_version_ids: frozenset[UUID]

    @property
    def is_simulated(self) -> bool:
        return all(model.is_simulated for _, model in self.models)


def read_config(optimization: Optimization) -> OptimizationConfig:
    return OptimizationConfig.model_validate(optimization.config)


def limits_of(config: OptimizationConfig) -> SearchLimits:
    return SearchLimits(
        generations=config.generations,
        patience=config.patience,
        target=config.target_score,
        worthwhile=config.min_gain,
    )


async def validate(
    session: AsyncSession,
    *,
    project_id: UUID,
    wanted: OptimizationConfig,
    author_id: UUID | None,
    seed: int,
    is_started: bool = False,
) -> ValidOptimization:
    """Raises Invalid with the problems of the first part that has any, named by its fields. Once it
    is started, the number of held-out cases is no longer checked: the gate does.
    """
    prompt_name, version = await _find_version(session, project_id, wanted)
    optimizer = open_strategy(wanted.strategy)
    _check_size(wanted, optimizer)
    cases = await find_cases(
        session, project_id=project_id, wanted=wanted, seed=seed, is_started=is_started
    )
    scoring = await run_plans.plan_scoring(
        session,
        project_id=project_id,
        requests=wanted.scorers,
        author_id=author_id,
        is_estimate=True,
    )
    if not any(each.weight for each in scoring.scorers):
        message = "Give at least one scorer a weight: candidates are chosen by their scores."
        raise invalid("scorers", message, "no_weight")
    models = await _find_models(session, project_id, wanted, optimizer, scoring.model_ids)
    _check_prices(models)
    check_cheaper_models(wanted, models, held_out=len(cases.holdout))
    return ValidOptimization(
        prompt_name=prompt_name,
        version=version,
        optimizer=optimizer,
        cases=cases,
        scorers=[
            request.model_copy(update={"weight": planned.weight})
            for request, planned in zip(wanted.scorers, scoring.scorers, strict=True)
        ],
        models=models,
        scorer_version_ids=frozenset(
            each.scorer_version_id for each in scoring.scorers if each.scorer_version_id is not None
        ),
    )


async def _find_version(
    session: AsyncSession, project_id: UUID, wanted: OptimizationConfig
) -> tuple[str, PromptVersion]:
    optimizations = Optimizations(session)
    prompt = await optimizations.find_prompt(wanted.prompt_id)
    if prompt is None or prompt.project_id != project_id:
        raise invalid("prompt_id", "There is no such prompt in this project.", "unknown_prompt")
    if prompt.archived_at is not None:
        message = f"The prompt {prompt.name} is archived. Unarchive it, or choose another one."
        raise invalid("prompt_id", message, "prompt_archived")
    version = await optimizations.find_version(prompt.id, wanted.version_id)
    if version is None and wanted.version_id is None:
        message = f"{prompt.name} has no version yet. Save one first."
        raise invalid("prompt_id", message, "no_version")
    if version is None:
        raise invalid("version_id", f"{prompt.name} has no such version.", "unknown_version")
    return prompt.name, version


def open_strategy(wanted: OptimizationStrategy) -> Optimizer:
    """Raises Invalid. Null is an emptied field of the form."""
    given = {name: value for name, value in wanted.options.items() if value is not None}
    try:
        return open_optimizer(wanted.kind, given)
    except Invalid as found:
        raise Invalid(
            *(
                FieldProblem(field=f"strategy.{each.field}", message=each.message, code=each.code)
                for each in found.problems
            )
        ) from found


def title_of(kind: str) -> str:
    """The strategy's title; its key if this version of Edison does not have it."""
    return load_optimizer(kind).title if kind in optimizer_kinds() else kind


def _check_size(wanted: OptimizationConfig, optimizer: Optimizer) -> None:
    # The stated rubric may take part besides the strategy's own candidates.
    most = MOST_VARIANTS // len(wanted.models) - 1
    if optimizer.most_proposals > most:
        message = (
            f"With {len(wanted.models)} models, a generation can have {most} candidates, because a "
            f"run has {MOST_VARIANTS} variants at most."
        )
        raise invalid("strategy.options.candidates", message, "too_many_candidates")


async def find_cases(
    session: AsyncSession,
    *,
    project_id: UUID,
    wanted: OptimizationConfig,
    seed: int,
    is_started: bool = False,
) -> SearchCases:
    """Raises Invalid when there are too few cases, or none held out."""
    optimizations = Optimizations(session)
    dataset = (await optimizations.find_datasets([wanted.dataset_id])).get(wanted.dataset_id)
    if dataset is None or dataset.project_id != project_id:
        raise invalid("dataset_id", "There is no such dataset in this project.", "unknown_dataset")
    if dataset.archived_at is not None:
        message = f"The dataset {dataset.name} is archived. Unarchive it, or choose another one."
        raise invalid("dataset_id", message, "dataset_archived")
    found = await optimizations.list_cases(dataset.id)
    train = order_cases(
        [each for each in found if each.split == TRAIN], seed=seed, most=wanted.max_train_cases
    )
    # The order of held-out cases has no effect; the same cases count as the same set.
    holdout = sorted((each for each in found if each.split == HOLDOUT), key=lambda each: each.id)
    holdout = holdout[: wanted.max_holdout_cases]
    if not holdout:
        message = (
            f"{dataset.name} has no held-out cases, so no gain could be proven. Move some of its "
            "cases to the holdout split."
        )
        raise invalid("dataset_id", message, "no_holdout")
    if len(train) < FEWEST_TRAIN_CASES:
        message = (
            f"{dataset.name} has {len(train)} training cases; an optimization needs at least "
            f"{FEWEST_TRAIN_CASES}."
        )
        raise invalid("dataset_id", message, "too_few_train_cases")
    keys = results.keys_of_cases([(each.inputs, each.expected) for each in holdout])
    digest = gate.digest_of(keys)
    looks = await gate.count_looks(session, project_id=project_id, digest=digest)
    if not is_started and not can_succeed(len(holdout), look=looks + 1):
        raise _too_few(dataset.name, len(holdout), looks)
    return SearchCases(
        train=[each.id for each in train],
        holdout=[each.id for each in holdout],
        digest=digest,
        looks=looks,
    )


async def digest_holdout(session: AsyncSession, row: Optimization) -> tuple[str, int]:
    """Digest and number of the held-out cases of a started optimization that still exist."""
    if row.dataset_id is None:
        raise NotFound("The dataset of this optimization was deleted.")
    chosen = set(row.holdout_ids or [])
    found = [
        each
        for each in await Optimizations(session).list_cases(row.dataset_id)
        if str(each.id) in chosen
    ]
    keys = results.keys_of_cases([(each.inputs, each.expected) for each in found])
    return gate.digest_of(keys), len(keys)


def _too_few(name: str, count: int, looks: int) -> Invalid:
    needed = fewest_cases(look=looks + 1)
    tests = "one earlier test" if looks == 1 else f"{looks} earlier tests"
    tested = "" if not looks else f" after {tests} on them"
    more = "fresh ones" if needed is None else f"at least {needed}"
    message = f"The {count} held-out cases of {name} cannot show any gain{tested}. It takes {more}."
    code = "too_few_holdout_cases" if not looks else "holdout_worn_out"
    return invalid("dataset_id", message, code)


def order_cases(cases: Collection[Case], *, seed: int, most: int) -> list[Case]:
    """A random order that depends on the seed and on the contents of the cases alone, so that a
    search on the same contents repeats in any project.
    """
    keys = results.keys_of_cases([(each.inputs, each.expected) for each in cases])
    places = [hashlib.sha256(f"{seed}:{key}".encode()).digest() for key in keys]
    ordered = sorted(zip(places, cases, strict=True), key=lambda each: each[0])
    return [case for _, case in ordered[:most]]


async def _find_models(
    session: AsyncSession,
    project_id: UUID,
    wanted: OptimizationConfig,
    optimizer: Optimizer,
    judge_ids: Collection[UUID],
) -> list[tuple[str, CallableModel]]:
    asked = [
        *((f"models.{at}.model_id", each.model_id) for at, each in enumerate(wanted.models)),
        *(
            (f"cheaper_models.{at}.model_id", each.model_id)
            for at, each in enumerate(wanted.cheaper_models)
        ),
        *(("strategy.options.model_id", each) for each in optimizer.model_ids),
        *(("scorers", each) for each in sorted(judge_ids, key=str)),
    ]
    found, problems = [], []
    for field, model_id in asked:
        try:
            model = await registry.get_callable(session, project_id=project_id, model_id=model_id)
        except NotFound:
            message = "There is no such model in this project."
            problems.append(FieldProblem(field=field, message=message, code="unknown_model"))
            continue
        found.append((field, model))
        if not model.is_enabled:
            message = f"{model.display_name} is disabled."
            problems.append(FieldProblem(field=field, message=message, code="model_disabled"))
    if problems:
        raise Invalid(*problems)
    return found


def _check_prices(models: Sequence[tuple[str, CallableModel]]) -> None:
    """A budget cannot limit calls without a price."""
    problems = [
        FieldProblem(
            field=field,
            message=f"The price of {model.display_name} is unknown, so it cannot be kept within a "
            "budget. Enter the price under Models.",
            code="price_unknown",
        )
        for field, model in models
        if model.prices is None
    ]
    if problems:
        raise Invalid(*problems)


def round_request(
    config: OptimizationConfig,
    *,
    version_id: UUID | None,
    case_ids: Sequence[UUID],
    candidates: int,
    is_cache_bypassed: bool = False,
    is_gate: bool = False,
) -> RunRequest:
    """The variants of the first candidate, one per model, then those of the second, and so on. In
    the test on held-out cases, the cheaper models come last.
    """
    own, cheaper = (
        [
            {
                "prompt_id": config.prompt_id,
                "version_id": version_id,
                **each.model_dump(exclude_unset=True),
            }
            for each in models
        ]
        for models in (config.models, config.cheaper_models if is_gate else ())
    )
    return RunRequest.model_validate(
        {
            "variants": own * candidates + cheaper,
            "dataset_id": config.dataset_id,
            "cases": {"case_ids": list(case_ids)},
            "scorers": [each.model_dump(exclude_unset=True) for each in config.scorers],
            "is_cache_bypassed": is_cache_bypassed,
        }
    )


def edits_of(
    config: OptimizationConfig,
    candidates: Sequence[tuple[str, dict[str, Any]]],
    *,
    is_gate: bool = False,
) -> list[EditedParts]:
    """Labels and parts of candidates, for each of their variants. Cheaper models get the last one,
    which is the finalist.
    """
    found = [
        EditedParts(label=label, parts=parts) for label, parts in candidates for _ in config.models
    ]
    return found + [found[-1] for _ in config.cheaper_models if is_gate]


def rename_problems(found: Invalid) -> Invalid:
    """Names the fields of an optimization instead of those of a run request."""
    return Invalid(
        *(
            FieldProblem(field=_rename(each.field), message=each.message, code=each.code)
            for each in found.problems
        )
    )


def _rename(field: str) -> str:
    first, *rest = field.split(".")
    return ".".join(["models", *rest]) if first == "variants" else field
