"""Builders for experiments, iterations and suggestions that bypass the API."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.schemas.drafts import ExperimentDraft


async def add_experiment(session: AsyncSession, project_id: UUID, **values: Any) -> Experiment:
    """An empty draft."""
    experiment = Experiment(
        **{
            "id": ids.new_id(),
            "project_id": project_id,
            "name": "An experiment",
            "state": "draft",
            "step": "objective",
            "draft": ExperimentDraft().model_dump(mode="json"),
            "pruned": [],
        }
        | values
    )
    session.add(experiment)
    await session.flush()
    return experiment


async def add_iteration(session: AsyncSession, experiment: Experiment, **values: Any) -> Iteration:
    """An iteration that waits for a review."""
    iteration = Iteration(
        **{
            "id": ids.new_id(),
            "experiment_id": experiment.id,
            "number": 1,
            "state": "reviewing",
            "version_label": "v1",
            "created_at": clock.now(),
            "phases": {},
            "config": experiment.draft,
        }
        | values
    )
    session.add(iteration)
    await session.flush()
    return iteration


async def add_suggestion(session: AsyncSession, iteration: Iteration, **values: Any) -> Suggestion:
    experiment = await session.get_one(Experiment, iteration.experiment_id)
    suggestion = Suggestion(
        **{
            "id": ids.new_id(),
            "project_id": experiment.project_id,
            "experiment_id": experiment.id,
            "iteration_id": iteration.id,
            "number": 1,
            "origin": "refiner",
            "state": "pending",
            "created_at": clock.now(),
            "note": "Says more.",
            "diff": "",
            "parts": {"text": "Answer the question below as well as you can, please."},
            "targets": [],
            "exemplars": [],
            "violations": [],
        }
        | values
    )
    session.add(suggestion)
    await session.flush()
    return suggestion
