"""Datasets of the demo project, with generated cases."""

from collections.abc import Mapping
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets import service as datasets
from edison.library.datasets.schemas.datasets import CaseRequest, DatasetRequest
from edison.simulation.data import Split

if TYPE_CHECKING:
    from edison.simulation.casework import SimulatedCase
    from edison.simulation.material import DemoCase


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoCases:
    """A dataset to add, with as many cases of a task per split as `counts` says."""

    dataset: str
    description: str
    task: str
    counts: Mapping[Split, int]


def case_request(case: "SimulatedCase | DemoCase", split: Split) -> CaseRequest:
    return CaseRequest(
        inputs=dict(case.inputs),
        expected=case.expected,
        tags=list(case.tags),
        difficulty=case.difficulty,
        split=split,
    )


async def add_cases(
    session: AsyncSession, project_id: UUID, wanted: DemoCases, *, owner_id: UUID
) -> UUID:
    from edison.simulation.casework import make_cases

    dataset = await datasets.create_dataset(
        session,
        project_id=project_id,
        wanted=DatasetRequest(name=wanted.dataset, description=wanted.description),
    )
    await datasets.add_cases(
        session,
        project_id=project_id,
        dataset_id=dataset.id,
        wanted=[
            case_request(case, split)
            for split, count in wanted.counts.items()
            for case in make_cases(wanted.task, count, wanted.dataset, split=split)
        ],
        author_id=owner_id,
    )
    return dataset.id
