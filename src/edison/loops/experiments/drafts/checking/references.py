"""Validates a draft's references: each exists and can be used."""

from collections.abc import Iterator
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import Invalid, NotFound
from edison.library.datasets import service as datasets
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.library.prompts import service as prompts
from edison.library.prompts.models import PromptKind
from edison.library.scorers import rubrics
from edison.library.scorers import service as scorers
from edison.loops.experiments.drafts.checking.problems import Problems
from edison.loops.experiments.drafts.grid import list_configurations
from edison.loops.experiments.schemas.drafts import ExperimentDraft, PromptStep, RubricStep, Step


async def check_references(
    session: AsyncSession, *, project_id: UUID, draft: ExperimentDraft, problems: Problems
) -> None:
    await _check_rubric(session, project_id, draft.rubric, problems)
    await _check_prompt(session, project_id, draft.prompt, problems)
    if draft.data.dataset_id is not None:
        await _check_dataset(session, project_id, draft.data.dataset_id, problems)
    await _check_models(session, project_id, draft, problems)
    await _check_scorers(session, project_id, draft, problems)


async def _check_rubric(
    session: AsyncSession, project_id: UUID, step: RubricStep, problems: Problems
) -> None:
    if step.rubric_version_id is None:
        return
    found = await rubrics.find_rubric_version(
        session, project_id=project_id, version_id=step.rubric_version_id
    )
    if found is None:
        message = "Rubric version not found in this project."
        problems.add(Step.RUBRIC, "rubric_version_id", message, "unknown_rubric")


async def _check_prompt(
    session: AsyncSession, project_id: UUID, step: PromptStep, problems: Problems
) -> None:
    if step.prompt_id is None:
        return
    try:
        prompt = await prompts.get_prompt(session, project_id=project_id, prompt_id=step.prompt_id)
        if step.version_id is not None:
            await prompts.get_version(session, prompt_id=prompt.id, version_id=step.version_id)
        else:
            await prompts.get_runnable_draft(session, prompt_id=prompt.id)
    except NotFound as absent:
        problems.add(Step.PROMPT, "prompt_id", absent.message, "unknown_prompt")
        return
    except Invalid as invalid:
        problems.take(Step.PROMPT, invalid.problems)
        return
    if prompt.archived_at is not None:
        problems.add(Step.PROMPT, "prompt_id", "This prompt is archived.", "archived")
    if prompt.kind != PromptKind.GENERATOR:
        message = "This is a grader prompt. Choose a prompt that generates answers."
        problems.add(Step.PROMPT, "prompt_id", message, "is_grader")


async def _check_dataset(
    session: AsyncSession, project_id: UUID, dataset_id: UUID, problems: Problems
) -> None:
    try:
        dataset = await datasets.get_dataset(session, project_id=project_id, dataset_id=dataset_id)
    except NotFound:
        message = "Dataset not found in this project."
        problems.add(Step.DATA, "dataset_id", message, "unknown_dataset")
        return
    if dataset.archived_at is not None:
        problems.add(Step.DATA, "dataset_id", "This dataset is archived.", "archived")
    elif dataset.case_count == 0:
        message = f"{dataset.name} has no cases. Upload, generate or write some."
        problems.add(Step.DATA, "dataset_id", message, "no_cases")


async def _check_models(
    session: AsyncSession, project_id: UUID, draft: ExperimentDraft, problems: Problems
) -> None:
    registry: dict[UUID, CallableModel | None] = {}
    for step, field, model_id in _named_models(draft):
        if model_id not in registry:
            registry[model_id] = await _find_model(session, project_id, model_id)
        model = registry[model_id]
        if model is None:
            problems.add(step, field, "Model not found in this project.", "unknown_model")
        elif not model.is_enabled:
            problems.add(step, field, f"{model.display_name} is disabled.", "model_disabled")
        elif model.prices is None:
            message = (
                f"The price of {model.display_name} is unknown, so the budget cannot be enforced. "
                "Set the price under Models."
            )
            problems.add(step, field, message, "price_unknown")
    for configuration in list_configurations(draft.models):
        model = registry.get(configuration.model_id)
        if model is not None and configuration.parameters is not None:
            _check_parameters(model, draft, configuration.model_id, problems)


def _check_parameters(
    model: CallableModel, draft: ExperimentDraft, model_id: UUID, problems: Problems
) -> None:
    at = next(i for i, each in enumerate(draft.models.models) if each.model_id == model_id)
    known = {each.field for each in problems.found}
    for configuration in list_configurations(draft.models):
        if configuration.model_id != model_id:
            continue
        try:
            models.choose_parameters(model, configuration.parameters)
        except Invalid as invalid:
            fresh = [
                each
                for each in invalid.problems
                if f"{Step.MODELS}.models.{at}.{each.field}" not in known
            ]
            known |= {f"{Step.MODELS}.models.{at}.{each.field}" for each in fresh}
            problems.take(Step.MODELS, fresh, below=f"models.{at}")


def _named_models(draft: ExperimentDraft) -> Iterator[tuple[Step, str, UUID]]:
    for index, choice in enumerate(draft.models.models):
        yield Step.MODELS, f"models.{index}.model_id", choice.model_id
    for index, model_id in enumerate(draft.judges.judges):
        yield Step.JUDGES, f"judges.{index}", model_id
    if draft.judges.is_pairwise and draft.judges.pairwise_judge is not None:
        yield Step.JUDGES, "pairwise_judge", draft.judges.pairwise_judge
    if draft.judges.safety.moderation_model_id is not None:
        moderation_id = draft.judges.safety.moderation_model_id
        yield Step.JUDGES, "safety.moderation_model_id", moderation_id
    if draft.limits.refiner_model_id is not None:
        yield Step.LIMITS, "refiner_model_id", draft.limits.refiner_model_id


async def _find_model(
    session: AsyncSession, project_id: UUID, model_id: UUID
) -> CallableModel | None:
    try:
        return await models.get_callable(session, project_id=project_id, model_id=model_id)
    except NotFound:
        return None


async def _check_scorers(
    session: AsyncSession, project_id: UUID, draft: ExperimentDraft, problems: Problems
) -> None:
    wanted = draft.judges.scorer_version_ids
    if not wanted:
        return
    found = await scorers.find_chosen(session, project_id=project_id, version_ids=wanted)
    for index, version_id in enumerate(wanted):
        if version_id not in found:
            message = "Scorer version not found in this project."
            problems.add(Step.JUDGES, f"scorer_version_ids.{index}", message, "unknown_scorer")
