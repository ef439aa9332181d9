"""How a change of a dataset is told to open pages."""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets.models import Dataset
from edison.workspace.events import service as events


async def publish(session: AsyncSession, dataset: Dataset) -> None:
    """Tell open pages that the dataset or its cases changed. Call it last."""
    await events.publish(
        session,
        stream=events.project_stream(dataset.project_id),
        kind="dataset.changed",
        data={"entity_id": str(dataset.id)},
    )
