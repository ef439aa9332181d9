"""Validates the configuration of an A/B test, and turns its batches into run requests."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.models import service as registry
from edison.library.models.service import CallableModel
from edison.library.prompts.models import Prompt, PromptVersion
from edison.loops.abtests.models import AbArm, AbTest
from edison.loops.abtests.repository import AbTests
from edison.loops.abtests.schemas import AbArmChoice, AbTestConfig
from edison.loops.abtests.states import AbArmName
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import RunRequest, ScorerRequest
from edison.runs.plan.service import EstimateInput

# A look costs nothing, but a batch waits for its slowest answer.
_SMALLEST_BATCH = 10
_LARGEST_BATCH = 50
_BATCHES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidTest:
    """`arms` are rows of `AbArm` without the test's id. `survey` is the whole test as one run; None
    when answers are recorded. `scorers` are the requests with the weights of saved scorers.
    """

    arms: Sequence[dict[str, Any]]
    survey: EstimateInput | None
    scorers: Sequence[ScorerRequest]
    judge_ids: frozenset[UUID]
    scorer_version_ids: frozenset[UUID]
    is_simulated: bool


def batch_size(pairs: int) -> int:
    return min(_LARGEST_BATCH, max(_SMALLEST_BATCH, pairs // _BATCHES))


def read_scorers(test: AbTest) -> list[ScorerRequest]:
    return [ScorerRequest.model_validate(each) for each in test.config["scorers"]]


async def validate(
    session: AsyncSession, *, project_id: UUID, wanted: AbTestConfig, author_id: UUID | None
) -> ValidTest:
    """Raises Invalid with all problems, named by the test's fields."""
    if _is_same(wanted.first, wanted.second):
        message = "Choose another version, another model or other parameters than for the first."
        raise _invalid("second", message, "same_arms")
    arms, models = await _find_arms(session, project_id, wanted)
    scoring = await run_plans.plan_scoring(
        session,
        project_id=project_id,
        requests=wanted.scorers,
        author_id=author_id,
        is_estimate=True,
    )
    called = [
        (
            "scorers",
            await registry.get_callable(session, project_id=project_id, model_id=model_id),
        )
        for model_id in sorted(scoring.model_ids, key=str)
    ]
    survey = None
    if wanted.dataset_id is not None:
        survey = await _survey(session, project_id, wanted, author_id)
        called += [(f"{arm}.model_id", model) for arm, model in models.items()]
    if wanted.budget_usd is not None:
        _check_prices(called)
    return ValidTest(
        arms=arms,
        survey=survey,
        scorers=[
            request.model_copy(update={"weight": planned.weight})
            for request, planned in zip(wanted.scorers, scoring.scorers, strict=True)
        ],
        judge_ids=scoring.model_ids,
        scorer_version_ids=frozenset(
            each.scorer_version_id for each in scoring.scorers if each.scorer_version_id is not None
        ),
        is_simulated=bool(called) and all(model.is_simulated for _, model in called),
    )


def _is_same(first: AbArmChoice, second: AbArmChoice) -> bool:
    def key(arm: AbArmChoice) -> tuple[Any, ...]:
        parameters = {} if arm.parameters is None else arm.parameters.model_dump(exclude_none=True)
        return arm.version_id, arm.model_id, parameters

    return key(first) == key(second)


async def _find_arms(
    session: AsyncSession, project_id: UUID, wanted: AbTestConfig
) -> tuple[list[dict[str, Any]], dict[AbArmName, CallableModel]]:
    tests = AbTests(session)
    choices = {AbArmName.FIRST: wanted.first, AbArmName.SECOND: wanted.second}
    prompts = await tests.find_prompts({each.prompt_id for each in choices.values()})
    versions = await tests.find_versions({each.version_id for each in choices.values()})
    problems: list[FieldProblem] = []
    models: dict[AbArmName, CallableModel] = {}
    for arm, choice in choices.items():
        problems += _version_problems(arm, choice, project_id, prompts, versions)
        try:
            models[arm] = await registry.get_callable(
                session, project_id=project_id, model_id=choice.model_id
            )
        except NotFound:
            message = "There is no such model in this project."
            problem = FieldProblem(field=f"{arm}.model_id", message=message, code="unknown_model")
            problems.append(problem)
    if problems:
        raise Invalid(*problems)
    rows = [
        {
            "arm": arm.value,
            "prompt_id": choice.prompt_id,
            "version_id": choice.version_id,
            "model_id": choice.model_id,
            "parameters": None
            if choice.parameters is None
            else choice.parameters.model_dump(mode="json", exclude_unset=True),
            "prompt_name": prompts[choice.prompt_id].name,
            "version_label": versions[choice.version_id].label,
            "model_name": models[arm].display_name,
        }
        for arm, choice in choices.items()
    ]
    return rows, models


def _version_problems(
    arm: AbArmName,
    choice: AbArmChoice,
    project_id: UUID,
    prompts: Mapping[UUID, Prompt],
    versions: Mapping[UUID, PromptVersion],
) -> list[FieldProblem]:
    prompt, version = prompts.get(choice.prompt_id), versions.get(choice.version_id)
    if prompt is None or prompt.project_id != project_id:
        wrong = ("prompt_id", "There is no such prompt in this project.", "unknown_prompt")
    elif prompt.archived_at is not None:
        message = f"The prompt {prompt.name} is archived. Unarchive it, or choose another one."
        wrong = ("prompt_id", message, "prompt_archived")
    elif version is None or version.prompt_id != prompt.id:
        wrong = ("version_id", f"{prompt.name} has no such version.", "unknown_version")
    else:
        return []
    field, message, code = wrong
    return [FieldProblem(field=f"{arm}.{field}", message=message, code=code)]


async def _survey(
    session: AsyncSession, project_id: UUID, wanted: AbTestConfig, author_id: UUID | None
) -> EstimateInput:
    assert wanted.dataset_id is not None  # noqa: S101 - asked for sampled tests only
    tests = AbTests(session)
    dataset = (await tests.find_datasets([wanted.dataset_id])).get(wanted.dataset_id)
    if dataset is None or dataset.project_id != project_id:
        message = "There is no such dataset in this project."
        raise _invalid("dataset_id", message, "unknown_dataset")
    if dataset.archived_at is not None:
        message = f"The dataset {dataset.name} is archived. Unarchive it, or choose another one."
        raise _invalid("dataset_id", message, "dataset_archived")
    count = len(await tests.list_case_ids(dataset.id))
    if count and count < wanted.pairs:
        message = (
            f"{dataset.name} has {count:,} cases, and each is used once. Plan at most so many "
            "pairs, or add cases."
        )
        raise _invalid("pairs", message, "too_few_cases")
    request = run_request(
        arms=[wanted.first, wanted.second],
        dataset_id=dataset.id,
        scorers=wanted.scorers,
        cases={"limit": wanted.pairs},
    )
    try:
        return await run_plans.read_estimate_input(
            session, project_id=project_id, wanted=request, author_id=author_id
        )
    except Invalid as invalid:
        raise rename_problems(invalid) from invalid


def run_request(
    *,
    arms: Sequence[AbArmChoice],
    dataset_id: UUID,
    scorers: Sequence[ScorerRequest],
    cases: Mapping[str, Any],
    name: str | None = None,
) -> RunRequest:
    """Answers are always new: those in the cache may be the reason for the test."""
    return RunRequest.model_validate(
        {
            "name": None if name is None else name[:200],
            "variants": [each.model_dump(exclude_unset=True) for each in arms],
            "dataset_id": dataset_id,
            "cases": dict(cases),
            "scorers": [each.model_dump(exclude_unset=True) for each in scorers],
            "is_cache_bypassed": True,
        }
    )


def arm_choice(arm: AbArm) -> AbArmChoice:
    """Raises Invalid when the prompt version or the model was deleted."""
    problems = [
        FieldProblem(field=f"{arm.arm}.{field}", message=f"{name} was deleted.", code="deleted")
        for field, value, name in (
            ("version_id", arm.version_id, f"{arm.prompt_name} {arm.version_label}"),
            ("model_id", arm.model_id, arm.model_name),
        )
        if value is None
    ]
    if problems:
        raise Invalid(*problems)
    return AbArmChoice.model_validate(
        {
            "prompt_id": arm.prompt_id,
            "version_id": arm.version_id,
            "model_id": arm.model_id,
            "parameters": arm.parameters,
        }
    )


def draw_cases(
    case_ids: Collection[UUID], *, seed: int, used: Collection[UUID], count: int
) -> list[UUID]:
    """The next cases of a sample without replacement. The order depends on the seed and on each
    case alone, so cases that are added or deleted do not change the order of the others.
    """
    left = set(case_ids).difference(used)

    def place(case_id: UUID) -> bytes:
        return hashlib.sha256(f"{seed}:{case_id}".encode()).digest()

    return sorted(left, key=place)[:count]


def _check_prices(called: Sequence[tuple[str, CallableModel]]) -> None:
    """A budget cannot limit calls without a price."""
    problems = [
        FieldProblem(
            field=field,
            message=f"The price of {model.display_name} is unknown, so it cannot be kept within a "
            "budget. Enter the price under Models, or remove the budget.",
            code="price_unknown",
        )
        for field, model in called
        if model.prices is None
    ]
    if problems:
        raise Invalid(*problems)


def rename_problems(invalid: Invalid) -> Invalid:
    """Names the fields of an A/B test instead of those of a run request."""
    return Invalid(
        *(
            FieldProblem(field=_rename(each.field), message=each.message, code=each.code)
            for each in invalid.problems
        )
    )


def _rename(field: str) -> str:
    first, *rest = field.split(".")
    if first != "variants" or not rest:
        return field
    arm = AbArmName.FIRST if rest[0] == "0" else AbArmName.SECOND
    return ".".join([arm, *rest[1:]])


def _invalid(field: str, message: str, code: str) -> Invalid:
    return Invalid(FieldProblem(field=field, message=message, code=code))
