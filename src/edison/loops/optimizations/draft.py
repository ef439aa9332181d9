"""Fills the form of a new optimization from a prompt, a run, an experiment or an optimization."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest
from edison.kit.errors import NotFound
from edison.library.models.schemas import ParameterValues
from edison.loops.experiments import service as experiments
from edison.loops.optimizations.configure import read_config
from edison.loops.optimizations.repository import Optimizations
from edison.loops.optimizations.schemas.configs import OptimizationModelChoice, OptimizationStrategy
from edison.loops.optimizations.schemas.drafts import OptimizationDraft, OptimizationSource
from edison.loops.optimizations.transitions import ORIGIN
from edison.runs.read import service as runs
from edison.runs.read.schemas import RunDetail, RunRead
from edison.runs.store.schemas import RunFilter
from edison.workspace.resources import service as resources

MOST_MODELS = 4
_LONGEST_NAME = 100
_LONGEST_GOAL = 2000
# Runs of a prompt among which the last one on a dataset is looked for.
_RECENT_RUNS = 20


async def draft_optimization(
    session: AsyncSession, *, project_id: UUID, source: OptimizationSource
) -> OptimizationDraft:
    """Writes nothing. Raises NotFound."""
    if source.optimization_id is not None:
        return await _from_optimization(session, project_id, source.optimization_id)
    if source.experiment_id is not None:
        return await _from_experiment(session, project_id, source.experiment_id)
    if source.run_id is not None:
        run = await runs.get_run(session, project_id=project_id, run_id=source.run_id)
        return await _from_run(session, project_id, run)
    if source.prompt_id is not None:
        return await _from_prompt(session, project_id, source.prompt_id)
    name = await _free_name(session, project_id, "Optimization")
    return OptimizationDraft(name=name, models=[], scorers=[], problems=[])


async def _from_prompt(
    session: AsyncSession, project_id: UUID, prompt_id: UUID
) -> OptimizationDraft:
    """With dataset, models and scorers of its last run on a dataset, if there is one."""
    prompt = await Optimizations(session).find_prompt(prompt_id)
    if prompt is None or prompt.project_id != project_id:
        raise NotFound("There is no such prompt.")
    name = await _free_name(session, project_id, f"Better {prompt.name}")
    last = await _find_last_run(session, project_id, prompt_id)
    if last is None:
        problem = f"{prompt.name} has no run on a dataset yet. Choose dataset, models and scorers."
        return OptimizationDraft(
            name=name, prompt_id=prompt_id, models=[], scorers=[], problems=[problem]
        )
    run = await runs.get_run(session, project_id=project_id, run_id=last.id)
    filled = await _from_run(session, project_id, run)
    return filled.model_copy(update={"name": name, "prompt_id": prompt_id, "version_id": None})


async def _find_last_run(
    session: AsyncSession, project_id: UUID, prompt_id: UUID
) -> RunRead | None:
    found = await runs.list_runs(
        session,
        project_id=project_id,
        wanted=RunFilter(prompt_id=prompt_id),
        page=PageRequest(limit=_RECENT_RUNS),
    )
    usable = (each for each in found.items if each.dataset_id is not None)
    return next((each for each in usable if each.origin != ORIGIN), None)


async def _from_run(session: AsyncSession, project_id: UUID, run: RunDetail) -> OptimizationDraft:
    first = run.variants[0]
    chosen = [each for each in run.variants if each.version_id == first.version_id]
    kept = [each for each in chosen if each.model_id is not None][:MOST_MODELS]
    problems = []
    if len(chosen) < len(run.variants):
        problems.append("The run compares several prompt versions. The first one is used.")
    if not kept:
        problems.append("The models of the run were deleted. Choose others.")
    if run.dataset_id is None:
        problems.append("The run has no dataset. Save its inputs as a dataset, and choose it.")
    if not run.scorers:
        problems.append("The run has no scorers. Choose at least one.")
    options = [each.options for each in run.scorers]
    return OptimizationDraft(
        name=await _free_name(session, project_id, f"Better {first.prompt_name}"),
        prompt_id=first.prompt_id,
        version_id=first.version_id,
        dataset_id=run.dataset_id,
        goal=_goal_of(options),
        models=[
            OptimizationModelChoice(
                model_id=each.model_id, parameters=ParameterValues.model_validate(each.parameters)
            )
            for each in kept
            if each.model_id is not None
        ],
        scorers=[runs.scorer_request_of(each) for each in run.scorers],
        strategy=_strategy(_judge_of(options) or (kept[0].model_id if kept else None)),
        problems=problems,
    )


async def _from_experiment(
    session: AsyncSession, project_id: UUID, experiment_id: UUID
) -> OptimizationDraft:
    """From the confirmed configuration, with the best version so far."""
    found = await experiments.get_experiment(
        session, project_id=project_id, experiment_id=experiment_id
    )
    name = await _free_name(session, project_id, found.name)
    if found.config is None:
        problem = "The experiment is not confirmed yet, so only its prompt and dataset are used."
        return OptimizationDraft(
            name=name,
            prompt_id=found.prompt_id,
            dataset_id=found.dataset_id,
            goal=found.goal[:_LONGEST_GOAL],
            models=[],
            scorers=[],
            problems=[problem],
        )
    best = None if found.best is None else found.best.version_id
    wanted = experiments.training_run_of(found.config, version_id=best or found.version_id)
    problems = []
    if len(wanted.variants) > MOST_MODELS:
        problems.append(
            f"The experiment has {len(wanted.variants)} model configurations. The first "
            f"{MOST_MODELS} are used."
        )
    return OptimizationDraft(
        name=name,
        prompt_id=found.prompt_id,
        version_id=best or found.version_id,
        dataset_id=found.dataset_id,
        goal=found.config.objective.goal[:_LONGEST_GOAL],
        models=[
            OptimizationModelChoice(model_id=each.model_id, parameters=each.parameters)
            for each in wanted.variants[:MOST_MODELS]
        ],
        scorers=wanted.scorers,
        strategy=_strategy(experiments.refiner_model_of(found.config)),
        problems=problems,
    )


async def _from_optimization(
    session: AsyncSession, project_id: UUID, optimization_id: UUID
) -> OptimizationDraft:
    """The same search, from the latest version of the prompt."""
    optimizations = Optimizations(session)
    row = await optimizations.get(project_id, optimization_id)
    config = read_config(row).model_dump(exclude={"version_id"})
    name = await resources.find_copy_name(optimizations, project_id, row.name)
    return OptimizationDraft.model_validate({**config, "name": name, "problems": []})


async def _free_name(session: AsyncSession, project_id: UUID, name: str) -> str:
    short = name[:_LONGEST_NAME].strip()
    return await resources.find_free_name(Optimizations(session), project_id, short)


def _strategy(model_id: object) -> OptimizationStrategy:
    options = {} if model_id is None else {"model_id": str(model_id)}
    return OptimizationStrategy(options=options)


def _goal_of(options: Sequence[dict[str, Any]]) -> str:
    """The goal that judges were given."""
    goals = (each.get("goal") for each in options)
    return next((goal for goal in goals if isinstance(goal, str)), "")[:_LONGEST_GOAL]


def _judge_of(options: Sequence[dict[str, Any]]) -> object:
    """The first judge, which is able to improve prompts as well."""
    judges = (each.get("judges") or [each.get("model_id")] for each in options)
    return next((found[0] for found in judges if found[0] is not None), None)
