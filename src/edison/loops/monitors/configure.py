"""Turns a monitor into run requests, and validates its configuration."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.loops.monitors.models import Monitor
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.schemas.monitors import MonitorConfig, MonitorPlan
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import RunRequest
from edison.runs.plan.service import EstimateInput

# Repeats of a confirmation.
CONFIRM_REPEATS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedPrompt:
    """The prompt version and dataset of one check."""

    prompt_id: UUID
    prompt_name: str
    version_id: UUID
    version_label: str
    dataset_id: UUID


def read_config(monitor: Monitor) -> MonitorConfig:
    return MonitorConfig.model_validate(monitor.config)


async def find_target(
    session: AsyncSession,
    *,
    project_id: UUID,
    prompt_id: UUID | None,
    version_id: UUID | None,
    dataset_id: UUID | None,
    is_production: bool,
) -> WatchedPrompt:
    """The version to check now. Raises Invalid when the prompt, its version or the dataset is
    missing or archived.
    """
    monitors = Monitors(session)
    prompt = None
    if prompt_id is not None:
        prompt = (await monitors.find_prompts([prompt_id])).get(prompt_id)
    if prompt is None or prompt.project_id != project_id:
        raise _invalid("prompt_id", "There is no such prompt in this project.", "unknown_prompt")
    if prompt.archived_at is not None:
        message = f"The prompt {prompt.name} is archived. Unarchive it, or choose another one."
        raise _invalid("prompt_id", message, "prompt_archived")
    production, named = await monitors.find_versions(
        [prompt.id], [] if version_id is None else [version_id]
    )
    if is_production:
        version = production.get(prompt.id)
        if version is None:
            message = (
                f"{prompt.name} has no production version. Mark one, or choose a fixed version."
            )
            raise _invalid("version_id", message, "no_production_version")
    else:
        version = None if version_id is None else named.get(version_id)
        if version is None or version.prompt_id != prompt.id:
            message = f"{prompt.name} has no such version."
            raise _invalid("version_id", message, "unknown_version")
    dataset = None
    if dataset_id is not None:
        dataset = (await monitors.find_datasets([dataset_id])).get(dataset_id)
    if dataset is None or dataset.project_id != project_id:
        message = "There is no such dataset in this project."
        raise _invalid("dataset_id", message, "unknown_dataset")
    if dataset.archived_at is not None:
        message = f"The dataset {dataset.name} is archived. Unarchive it, or choose another one."
        raise _invalid("dataset_id", message, "dataset_archived")
    return WatchedPrompt(
        prompt_id=prompt.id,
        prompt_name=prompt.name,
        version_id=version.id,
        version_label=version.label,
        dataset_id=dataset.id,
    )


async def find_monitor_target(session: AsyncSession, monitor: Monitor) -> WatchedPrompt:
    return await find_target(
        session,
        project_id=monitor.project_id,
        prompt_id=monitor.prompt_id,
        version_id=monitor.version_id,
        dataset_id=monitor.dataset_id,
        is_production=monitor.is_production,
    )


def run_request(
    config: MonitorConfig,
    target: WatchedPrompt,
    *,
    name: str | None = None,
    repeats: int | None = None,
    case_ids: Collection[UUID] | None = None,
) -> RunRequest:
    """Answers are always new: a cached answer cannot show a change. Judgements of identical answers
    are kept: a judge that changes its mind would look like a change of the prompt.
    """
    cases = None if config.cases is None else config.cases.model_dump()
    return RunRequest.model_validate(
        {
            "name": None if name is None else name[:200],
            "variants": [
                {
                    "prompt_id": target.prompt_id,
                    "version_id": target.version_id,
                    "model_id": each.model_id,
                    "parameters": each.parameters,
                }
                for each in config.models
            ],
            "dataset_id": target.dataset_id,
            "cases": {"case_ids": list(case_ids)} if case_ids else cases,
            "repeats": repeats or config.repeats,
            "scorers": [each.model_dump(exclude_unset=True) for each in config.scorers],
            "is_cache_bypassed": True,
        }
    )


async def validate(
    session: AsyncSession, *, project_id: UUID, wanted: MonitorPlan, author_id: UUID
) -> EstimateInput:
    """What a check would run. Raises Invalid with all problems, named by the monitor's fields."""
    if len({each.model_dump_json() for each in wanted.models}) < len(wanted.models):
        raise _invalid("models", "Choose each model with the same settings once.", "duplicate")
    target = await find_target(
        session,
        project_id=project_id,
        prompt_id=wanted.prompt_id,
        version_id=wanted.version_id,
        dataset_id=wanted.dataset_id,
        is_production=wanted.version_id is None,
    )
    try:
        survey = await run_plans.read_estimate_input(
            session,
            project_id=project_id,
            wanted=run_request(wanted, target),
            author_id=author_id,
        )
    except Invalid as invalid:
        raise rename_problems(invalid) from invalid
    if wanted.daily_budget_usd is not None:
        _check_prices(survey)
    return survey


def _check_prices(survey: EstimateInput) -> None:
    """A budget cannot limit calls without a price."""
    asked = [
        (f"models.{at}.model_id", variant.model) for at, variant in enumerate(survey.plan.variants)
    ]
    asked += [("scorers", judge.model) for judge in survey.judges]
    problems = [
        FieldProblem(
            field=field,
            message=f"The price of {model.display_name} is unknown, so it cannot be kept within a "
            "daily budget. Enter the price under Models, or remove the budget.",
            code="price_unknown",
        )
        for field, model in asked
        if model.prices is None
    ]
    if problems:
        raise Invalid(*problems)


def rename_problems(invalid: Invalid) -> Invalid:
    """Names the fields of a monitor instead of those of a run request. What all variants share is
    one field of a monitor, so its problem is reported once.
    """
    return Invalid(
        *dict.fromkeys(
            FieldProblem(field=_rename(each.field), message=each.message, code=each.code)
            for each in invalid.problems
        )
    )


def _rename(field: str) -> str:
    first, *rest = field.split(".")
    if first != "variants":
        return field
    if len(rest) > 1 and rest[1] in ("prompt_id", "version_id"):
        return rest[1]
    return ".".join(["models", *rest])


def sentence_of(refused: Exception) -> str:
    """The message of a refusal; for several problems, all of their messages."""
    if isinstance(refused, Invalid):
        return " ".join(dict.fromkeys(each.message for each in refused.problems))
    return str(refused)


def _invalid(field: str, message: str, code: str) -> Invalid:
    return Invalid(FieldProblem(field=field, message=message, code=code))
