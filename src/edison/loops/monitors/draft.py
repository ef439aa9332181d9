"""Fills the form of a new monitor from a run, also of the playground, or from a prompt."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import NotFound
from edison.library.models.schemas import ParameterValues
from edison.loops.monitors.repository.monitors import Monitors
from edison.loops.monitors.schemas.monitors import (
    MOST_MODELS,
    MOST_REPEATS,
    DraftSource,
    MonitorDraft,
    MonitorModelChoice,
)
from edison.runs.read import service as runs
from edison.runs.read.schemas import RunDetail
from edison.workspace.resources import service as resources


async def draft_monitor(
    session: AsyncSession, *, project_id: UUID, source: DraftSource
) -> MonitorDraft:
    """Writes nothing. Without a source, the form is empty."""
    if source.run_id is not None:
        run = await runs.get_run(session, project_id=project_id, run_id=source.run_id)
        return await _from_run(session, project_id, run)
    if source.prompt_id is not None:
        return await _from_prompt(session, project_id, source.prompt_id)
    name = await resources.find_free_name(Monitors(session), project_id, "Monitor")
    return MonitorDraft(name=name, models=[], scorers=[], problems=[])


async def _from_prompt(session: AsyncSession, project_id: UUID, prompt_id: UUID) -> MonitorDraft:
    monitors = Monitors(session)
    prompt = (await monitors.find_prompts([prompt_id])).get(prompt_id)
    if prompt is None or prompt.project_id != project_id:
        raise NotFound("There is no such prompt.")
    production, _ = await monitors.find_versions([prompt_id], [])
    problems = []
    if prompt_id not in production:
        problems.append(f"{prompt.name} has no production version. Choose a fixed version.")
    return MonitorDraft(
        name=await resources.find_free_name(monitors, project_id, prompt.name),
        prompt_id=prompt_id,
        models=[],
        scorers=[],
        problems=problems,
    )


async def _from_run(session: AsyncSession, project_id: UUID, run: RunDetail) -> MonitorDraft:
    """The production version if the run tested it, otherwise the run's version."""
    monitors = Monitors(session)
    problems = []
    first = run.variants[0]
    chosen = [each for each in run.variants if each.version_id == first.version_id]
    if len(chosen) < len(run.variants):
        problems.append("The run compares several prompt versions. The first one is used.")
    kept = [each for each in chosen if each.model_id is not None][:MOST_MODELS]
    if not kept:
        problems.append("The models of the run were deleted. Choose others.")
    if run.dataset_id is None:
        problems.append("The run has no dataset. Save its inputs as a dataset, and choose it.")
    production, _ = await monitors.find_versions(
        [] if first.prompt_id is None else [first.prompt_id], []
    )
    current = None if first.prompt_id is None else production.get(first.prompt_id)
    is_production = current is not None and current.id == first.version_id
    scorers = [runs.scorer_request_of(each) for each in run.scorers]
    if not scorers:
        problems.append("The run has no scorers. Choose at least one.")
    return MonitorDraft(
        name=await resources.find_free_name(monitors, project_id, run.name[:100].strip()),
        prompt_id=first.prompt_id,
        version_id=None if is_production else first.version_id,
        dataset_id=run.dataset_id,
        models=[
            MonitorModelChoice(
                model_id=each.model_id, parameters=ParameterValues.model_validate(each.parameters)
            )
            for each in kept
            if each.model_id is not None
        ],
        scorers=scorers,
        repeats=min(run.repeats, MOST_REPEATS),
        problems=problems,
    )
