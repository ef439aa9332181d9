"""Events about datasets."""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets.models import Dataset
from edison.workspace.events import service as events


async def publish(session: AsyncSession, dataset: Dataset) -> None:
    """Notify open pages that the dataset or its cases changed. Call it last in the transaction."""
    await events.publish(
        session,
        stream=events.project_stream(dataset.project_id),
        kind="dataset.changed",
        data={"entity_id": str(dataset.id)},
    )
