"""Experiments of a project: drafted, confirmed, listed, copied, archived, deleted."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from itertools import count
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.kit import clock, ids
from edison.kit.errors import Conflict
from edison.library.models import service as models
from edison.loops.experiments import confirming, estimating, reading
from edison.loops.experiments.accepting import (
    Accepted,
    Verdict,
    accept,
    get_base,
    get_suggestion,
    propose_own,
    reject,
)
from edison.loops.experiments.checking.draft import find_problems
from edison.loops.experiments.control import AUTO_REVIEW, auto_review_job
from edison.loops.experiments.errors import ExperimentArchived, IterationUnderWay, StaleDraft
from edison.loops.experiments.models import Experiment
from edison.loops.experiments.notes import note
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.schemas.drafts import ExperimentDraft, LimitsStep, Step
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
from edison.loops.experiments.states import EDITABLE, ExperimentState
from edison.loops.experiments.templates import fill, get_template, read_templates
from edison.workspace.budgets import service as budgets
from edison.workspace.projects import service as projects
from edison.workspace.projects.schemas import SettingsRead

__all__ = [
    "AUTO_REVIEW",
    "Accepted",
    "Verdict",
    "accept",
    "auto_review_job",
    "get_base",
    "get_suggestion",
    "propose_own",
    "reject",
]

LONGEST_NAME = 100
NEW_NAME = "New experiment"


async def list_experiments(
    session: AsyncSession, *, project_id: UUID, wanted: ExperimentFilter, page: PageRequest
) -> Slice[ExperimentSummary]:
    found = await Experiments(session).list_of_project(project_id, wanted=wanted, page=page)
    items = await reading.describe_several(session, found.items)
    return Slice(items=items, next=found.next, total=found.total)


async def get_experiment(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID
) -> ExperimentDetail:
    experiment = await Experiments(session).get(project_id, experiment_id)
    draft = ExperimentDraft.model_validate(experiment.draft)
    problems = await find_problems(session, project_id=project_id, draft=draft)
    return await reading.describe(session, experiment, problems=problems)


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
    """A draft, empty or filled from a template; limits are the project's defaults."""
    template = None if wanted.template is None else get_template(wanted.template)
    draft = ExperimentDraft()
    if template is not None:
        draft = fill(template, await models.get_advice(session, project_id=project_id))
    settings = await projects.get_settings(session, project_id=project_id)
    draft = draft.model_copy(update={"limits": _limits(draft.limits, settings)})
    name = wanted.name or await _free_name(
        session, project_id, NEW_NAME if template is None else template.name
    )
    experiment = _new(project_id, name, draft, author_id=author_id, template=wanted.template)
    await Experiments(session).add(experiment)
    await note(session, experiment, "created", after={"name": name, "template": wanted.template})
    return await get_experiment(session, project_id=project_id, experiment_id=experiment.id)


def _new(
    project_id: UUID,
    name: str,
    draft: ExperimentDraft,
    *,
    author_id: UUID,
    template: str | None,
) -> Experiment:
    return Experiment(
        id=ids.new_id(),
        project_id=project_id,
        name=name,
        state=ExperimentState.DRAFT,
        author_id=author_id,
        template=template,
        step=Step.OBJECTIVE,
        draft_version=1,
        iteration_count=0,
        draft=draft.model_dump(mode="json"),
        pruned=[],
    )


def _limits(limits: LimitsStep, settings: SettingsRead) -> LimitsStep:
    return limits.model_copy(
        update={
            "max_iterations": settings.default_max_iterations,
            "budget_usd": max(settings.default_budget_usd, Decimal("0.01")),
            "alert_threshold": max(settings.cost_alert_threshold, 0.5),
        }
    )


async def _free_name(session: AsyncSession, project_id: UUID, name: str) -> str:
    """Names need not differ, but it helps whoever looks for one."""
    taken = set(await Experiments(session).list_names_like(project_id, name))
    for number in count(1):
        suffix = "" if number == 1 else f" {number}"
        free = name[: LONGEST_NAME - len(suffix)].rstrip() + suffix
        if free not in taken:
            return free
    raise AssertionError("Numbers do not end.")


async def save_draft(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID, wanted: DraftSave
) -> DraftSaved:
    """Keep all steps, whatever is wrong with them. Raises StaleDraft when somebody saved since, and
    IterationUnderWay. Saving what is there already changes nothing: the wizard saves all the time.
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
            raise StaleDraft(current=current.model_dump(mode="json"))
        experiment = saved
        after = {"draft_version": experiment.draft_version, "step": wanted.step}
        await note(session, experiment, "draft_saved", after=after)
    problems = await find_problems(session, project_id=project_id, draft=wanted.draft)
    return DraftSaved(
        draft_version=experiment.draft_version,
        updated_at=experiment.updated_at,
        problems=[StepProblemRead.model_validate(each) for each in problems],
    )


async def _changeable(session: AsyncSession, project_id: UUID, experiment_id: UUID) -> Experiment:
    experiment = await Experiments(session).lock(project_id, experiment_id)
    if experiment.archived_at is not None:
        raise ExperimentArchived
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
    """Of the steps given, or else of the stored draft. Nothing is asked, and nothing is kept."""
    async with database.read() as session:
        experiment = await Experiments(session).get(project_id, experiment_id)
    return await estimating.estimate(
        database,
        experiment=experiment,
        draft=draft or ExperimentDraft.model_validate(experiment.draft),
        author_id=author_id,
        at_once=at_once,
    )


async def confirm_experiment(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID, author_id: UUID
) -> ExperimentDetail:
    """From a draft to one that iterations can use; or, between iterations, with another
    configuration than before. Raises Invalid with everything that is wrong.
    """
    experiment = await _changeable(session, project_id, experiment_id)
    before = experiment.state
    await confirming.confirm(session, experiment, author_id=author_id)
    experiment = await Experiments(session).get(project_id, experiment_id)
    await note(
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
    experiment = await experiments.lock(project_id, experiment_id)
    if experiment.archived_at is not None:
        raise ExperimentArchived
    before = experiment.name
    await experiments.change(experiment_id, {"name": name})
    await note(session, experiment, "renamed", before={"name": before}, after={"name": name})
    return await get_experiment(session, project_id=project_id, experiment_id=experiment_id)


async def duplicate_experiment(
    session: AsyncSession,
    *,
    project_id: UUID,
    experiment_id: UUID,
    name: str | None,
    author_id: UUID,
) -> ExperimentDetail:
    """A new draft with the same steps, which begins with the prompt as it began there."""
    original = await Experiments(session).get(project_id, experiment_id)
    draft = ExperimentDraft.model_validate(original.draft)
    duplicate = _new(
        project_id,
        name or await _free_name(session, project_id, f"{original.name[:90]} copy"),
        draft,
        author_id=author_id,
        template=original.template,
    )
    await Experiments(session).add(duplicate)
    after = {"name": duplicate.name, "from": str(experiment_id)}
    await note(session, duplicate, "duplicated", after=after)
    return await get_experiment(session, project_id=project_id, experiment_id=duplicate.id)


async def set_archived(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID, is_archived: bool
) -> ExperimentDetail:
    """Out of the list, and back. Raises IterationUnderWay."""
    experiments = Experiments(session)
    experiment = await experiments.lock(project_id, experiment_id)
    if experiment.state not in EDITABLE:
        raise IterationUnderWay
    if not await experiments.set_archived(experiment_id, at=clock.now() if is_archived else None):
        raise Conflict(f"This experiment is {'already' if is_archived else 'not'} archived.")
    await note(session, experiment, "archived" if is_archived else "unarchived")
    return await get_experiment(session, project_id=project_id, experiment_id=experiment_id)


async def delete_experiment(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID
) -> None:
    """With its iterations and suggestions. Runs and versions stay, and what it cost in the ledger.
    Raises IterationUnderWay.
    """
    experiments = Experiments(session)
    experiment = await experiments.lock(project_id, experiment_id)
    if experiment.state not in EDITABLE:
        raise IterationUnderWay
    await budgets.forget_scope(session, project_id=project_id, scope_id=experiment_id)
    await experiments.remove(experiment_id)
    before = {"name": experiment.name, "iterations": experiment.iteration_count}
    await note(session, experiment, "deleted", before=before)


async def find_names(
    session: AsyncSession, project_id: UUID, experiment_ids: Collection[UUID]
) -> Mapping[UUID, str]:
    """For the budgets: what may have one."""
    return await Experiments(session).find_names(project_id, experiment_ids)


async def find_use_of_prompt(session: AsyncSession, prompt_id: UUID) -> str | None:
    name = await Experiments(session).find_using(Experiment.prompt_id, prompt_id)
    return None if name is None else f"The experiment {name} improves this prompt."


async def find_use_of_dataset(session: AsyncSession, dataset_id: UUID) -> str | None:
    name = await Experiments(session).find_using(Experiment.dataset_id, dataset_id)
    return None if name is None else f"The experiment {name} uses this dataset."
