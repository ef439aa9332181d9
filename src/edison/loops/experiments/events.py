"""Audit records and events of experiments."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.experiments.models import Experiment, Iteration
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events


async def note(
    session: AsyncSession,
    experiment: Experiment,
    action: str,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Call it last: locks the project's event stream until the transaction ends."""
    audit.record(
        session,
        f"experiment.{action}",
        entity=("experiment", experiment.id),
        project_id=experiment.project_id,
        before=before,
        after=after,
    )
    await publish(session, project_id=experiment.project_id, experiment_id=experiment.id)


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
