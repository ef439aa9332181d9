"""Events of experiments, in addition to those of every resource."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.experiments.models import Experiment, Iteration
from edison.workspace.events import service as events


async def publish(session: AsyncSession, *, project_id: UUID, experiment_id: UUID) -> None:
    await events.publish(
        session,
        stream=events.project_stream(project_id),
        kind="experiment.changed",
        data={"entity_id": str(experiment_id)},
    )


async def publish_iteration(
    session: AsyncSession, experiment: Experiment, iteration: Iteration
) -> None:
    """Publishes a state change of an iteration."""
    await events.publish(
        session,
        stream=events.project_stream(experiment.project_id),
        kind="iteration.changed",
        data={
            "entity_id": str(iteration.id),
            "experiment_id": str(experiment.id),
            "state": iteration.state,
        },
    )
