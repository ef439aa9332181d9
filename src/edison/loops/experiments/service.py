"""Experiments of a project: drafts, confirmation, lists, copies, archiving, deletion."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.loops.experiments import view
from edison.loops.experiments.drafts import confirm, create, estimate
from edison.loops.experiments.drafts.checking.draft import find_problems
from edison.loops.experiments.drafts.configure import TRAIN, refiner_of, run_request
from edison.loops.experiments.drafts.templates import read_templates
from edison.loops.experiments.errors import IterationUnderWay
from edison.loops.experiments.models import Experiment
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.schemas.drafts import ExperimentDraft
from edison.loops.experiments.schemas.estimates import ExperimentEstimate, StepProblemRead
from edison.loops.experiments.schemas.experiments import (
    DraftSave,
    DraftSaved,
    ExperimentDetail,
    ExperimentFilter,
    ExperimentRequest,
    ExperimentSummary,
    TemplateRead,
)
from edison.loops.experiments.states import EDITABLE
from edison.runs.plan.schemas import RunRequest
from edison.workspace.budgets import service as budgets
from edison.workspace.resources import service as resources
from edison.workspace.resources.errors import Stale


async def list_experiments(
    session: AsyncSession, *, project_id: UUID, wanted: ExperimentFilter, page: PageRequest
) -> Slice[ExperimentSummary]:
    found = await Experiments(session).list_of_project(project_id, wanted=wanted, page=page)
    return found.with_items(await view.describe_several(session, found.items))


async def get_experiment(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID
) -> ExperimentDetail:
    experiment = await Experiments(session).get(project_id, experiment_id)
    draft = ExperimentDraft.model_validate(experiment.draft)
    problems = await find_problems(session, project_id=project_id, draft=draft)
    return await view.describe(session, experiment, problems=problems)


def training_run_of(config: ExperimentDraft, *, version_id: UUID | None) -> RunRequest:
    """The run over the training cases with which an iteration of a confirmed experiment begins."""
    return run_request(config, name="Training cases", version_id=version_id, split=TRAIN)


def refiner_model_of(config: ExperimentDraft) -> UUID:
    """The model that improves the prompt of a confirmed experiment."""
    return refiner_of(config)


def list_templates() -> list[TemplateRead]:
    return [
        TemplateRead(
            key=key,
            name=template.name,
            description=template.description,
            goal=template.draft.objective.goal,
            criteria=[each.name for each in template.draft.rubric.criteria],
            cases=len(template.draft.data.cases),
        )
        for key, template in read_templates().items()
    ]


async def create_experiment(
    session: AsyncSession, *, project_id: UUID, wanted: ExperimentRequest, author_id: UUID
) -> ExperimentDetail:
    """Creates a draft, empty or from a template, with the project's default limits."""
    made = await create.create(session, project_id=project_id, wanted=wanted, author_id=author_id)
    return await get_experiment(session, project_id=project_id, experiment_id=made)


async def duplicate_experiment(
    session: AsyncSession,
    *,
    project_id: UUID,
    experiment_id: UUID,
    name: str | None,
    author_id: UUID,
) -> ExperimentDetail:
    """Creates a draft with the same steps, including the original's initial prompt version."""
    made = await create.duplicate(
        session,
        project_id=project_id,
        experiment_id=experiment_id,
        name=name,
        author_id=author_id,
    )
    return await get_experiment(session, project_id=project_id, experiment_id=made)


async def save_draft(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID, wanted: DraftSave
) -> DraftSaved:
    """Saves all steps, even with problems. Raises Stale when another user saved first, and
    IterationUnderWay. Saving an unchanged draft writes nothing, since the wizard saves often.
    """
    experiments = Experiments(session)
    experiment = await _changeable(session, project_id, experiment_id)
    stored = wanted.draft.model_dump(mode="json")
    values: dict[str, Any] = {"draft": stored, "step": wanted.step}
    if wanted.name is not None:
        values["name"] = wanted.name
    is_new = any(getattr(experiment, name) != value for name, value in values.items())
    if is_new or wanted.draft_version != experiment.draft_version:
        saved = await experiments.save_draft(
            experiment_id, version=wanted.draft_version, values=values
        )
        if saved is None:
            current = await get_experiment(
                session, project_id=project_id, experiment_id=experiment_id
            )
            raise Stale(
                "this experiment",
                current=current.model_dump(mode="json"),
                advice="Compare both versions and choose.",
            )
        experiment = saved
        after = {"draft_version": experiment.draft_version, "step": wanted.step}
        await resources.note(session, experiment, "draft_saved", after=after)
    problems = await find_problems(session, project_id=project_id, draft=wanted.draft)
    return DraftSaved(
        draft_version=experiment.draft_version,
        updated_at=experiment.updated_at,
        problems=[StepProblemRead.model_validate(each) for each in problems],
    )


async def _changeable(session: AsyncSession, project_id: UUID, experiment_id: UUID) -> Experiment:
    experiment = await resources.lock_active(Experiments(session), project_id, experiment_id)
    if experiment.state not in EDITABLE:
        raise IterationUnderWay
    return experiment


async def estimate_experiment(
    database: Database,
    *,
    project_id: UUID,
    experiment_id: UUID,
    draft: ExperimentDraft | None,
    author_id: UUID,
    at_once: int,
) -> ExperimentEstimate:
    """Estimates the given steps, or the stored draft. Calls no model and writes nothing."""
    async with database.read() as session:
        experiment = await Experiments(session).get(project_id, experiment_id)
    return await estimate.estimate(
        database,
        experiment=experiment,
        draft=draft or ExperimentDraft.model_validate(experiment.draft),
        author_id=author_id,
        at_once=at_once,
    )


async def confirm_experiment(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID, author_id: UUID
) -> ExperimentDetail:
    """Confirms the draft, so that iterations can use it; also changes the configuration between
    iterations. Raises Invalid with all problems.
    """
    experiment = await _changeable(session, project_id, experiment_id)
    before = experiment.state
    await confirm.confirm(session, experiment, author_id=author_id)
    experiment = await Experiments(session).get(project_id, experiment_id)
    await resources.note(
        session,
        experiment,
        "confirmed",
        before={"state": before},
        after={"state": experiment.state, "draft_version": experiment.draft_version},
    )
    return await get_experiment(session, project_id=project_id, experiment_id=experiment_id)


async def rename_experiment(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID, name: str
) -> ExperimentDetail:
    experiments = Experiments(session)
    experiment = await resources.lock_active(experiments, project_id, experiment_id)
    before = experiment.name
    await experiments.change(experiment_id, {"name": name})
    await resources.note(
        session, experiment, "renamed", before={"name": before}, after={"name": name}
    )
    return await get_experiment(session, project_id=project_id, experiment_id=experiment_id)


async def set_archived(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID, is_archived: bool
) -> ExperimentDetail:
    """Archives or restores the experiment. Raises IterationUnderWay."""
    experiments = Experiments(session)
    experiment = await experiments.get(project_id, experiment_id, to_change=True)
    if experiment.state not in EDITABLE:
        raise IterationUnderWay
    await resources.set_archived(experiments, experiment, is_archived=is_archived)
    return await get_experiment(session, project_id=project_id, experiment_id=experiment_id)


async def delete_experiment(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID
) -> None:
    """Deletes the experiment with its iterations and suggestions. Runs, prompt versions and ledger
    entries are kept. Raises IterationUnderWay.
    """
    experiments = Experiments(session)
    experiment = await experiments.get(project_id, experiment_id, to_change=True)
    if experiment.state not in EDITABLE:
        raise IterationUnderWay
    await budgets.delete_scope_budgets(session, project_id=project_id, scope_id=experiment_id)
    await experiments.remove(experiment_id)
    before = {"name": experiment.name, "iterations": experiment.iteration_count}
    await resources.note(session, experiment, "deleted", before=before)


async def find_names(
    session: AsyncSession, project_id: UUID, experiment_ids: Collection[UUID]
) -> Mapping[UUID, str]:
    """Hook of `workspace/budgets`: names of experiments as budget scopes."""
    return await Experiments(session).find_names(project_id, experiment_ids)


async def count_by_project(
    session: AsyncSession, project_ids: Collection[UUID]
) -> Mapping[UUID, int]:
    """Hook of `workspace/projects`: without archived experiments."""
    return await Experiments(session).count_by_project(project_ids)


async def find_use_of_prompt(session: AsyncSession, prompt_id: UUID) -> str | None:
    name = await Experiments(session).find_using(Experiment.prompt_id, prompt_id)
    return None if name is None else f"The experiment {name} improves this prompt."


async def find_use_of_dataset(session: AsyncSession, dataset_id: UUID) -> str | None:
    name = await Experiments(session).find_using(Experiment.dataset_id, dataset_id)
    return None if name is None else f"The experiment {name} uses this dataset."


async def find_use_of_model(session: AsyncSession, model_id: UUID) -> str | None:
    name = await Experiments(session).find_using_model(model_id)
    return None if name is None else f"The experiment {name} uses this model."
