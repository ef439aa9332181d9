"""New experiments: empty, from a template, or as a duplicate."""

from decimal import Decimal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import ids
from edison.library.models import service as models
from edison.loops.experiments.drafts.templates import fill_template, get_template
from edison.loops.experiments.models import Experiment
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.schemas.drafts import ExperimentDraft, LimitsStep, Step
from edison.loops.experiments.schemas.experiments import ExperimentRequest
from edison.loops.experiments.states import ExperimentState
from edison.workspace.projects import service as projects
from edison.workspace.projects.schemas import SettingsRead
from edison.workspace.resources.service import note, numbered_names

NEW_NAME = "New experiment"


async def create(
    session: AsyncSession, *, project_id: UUID, wanted: ExperimentRequest, author_id: UUID
) -> UUID:
    """Creates a draft, empty or from a template; limits are the project's defaults."""
    template = None if wanted.template is None else get_template(wanted.template)
    draft = ExperimentDraft()
    if template is not None:
        draft = fill_template(template, await models.get_advice(session, project_id=project_id))
    settings = await projects.get_settings(session, project_id=project_id)
    draft = draft.model_copy(update={"limits": _with_defaults(draft.limits, settings)})
    name = wanted.name or await _free_name(
        session, project_id, NEW_NAME if template is None else template.name
    )
    experiment = _new(project_id, name, draft, author_id=author_id, template=wanted.template)
    await Experiments(session).add(experiment)
    await note(session, experiment, "created", after={"name": name, "template": wanted.template})
    return experiment.id


async def duplicate(
    session: AsyncSession,
    *,
    project_id: UUID,
    experiment_id: UUID,
    name: str | None,
    author_id: UUID,
) -> UUID:
    """Creates a draft with the same steps and the same initial prompt."""
    original = await Experiments(session).get(project_id, experiment_id)
    draft = ExperimentDraft.model_validate(original.draft)
    copy = _new(
        project_id,
        name or await _free_name(session, project_id, f"{original.name[:90]} copy"),
        draft,
        author_id=author_id,
        template=original.template,
    )
    await Experiments(session).add(copy)
    after = {"name": copy.name, "from": str(experiment_id)}
    await note(session, copy, "duplicated", after=after)
    return copy.id


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


def default_limits(settings: SettingsRead) -> LimitsStep:
    """Those of a new experiment in the project."""
    return _with_defaults(LimitsStep(), settings)


def _with_defaults(limits: LimitsStep, settings: SettingsRead) -> LimitsStep:
    return limits.model_copy(
        update={
            "max_iterations": settings.default_max_iterations,
            "budget_usd": max(settings.default_budget_usd, Decimal("0.01")),
            "alert_threshold": max(settings.cost_alert_threshold, 0.5),
        }
    )


async def _free_name(session: AsyncSession, project_id: UUID, name: str) -> str:
    """Names may repeat; distinct names are easier to find."""
    taken = set(await Experiments(session).list_names_like(project_id, name))
    return next(free for free in numbered_names(name) if free not in taken)
