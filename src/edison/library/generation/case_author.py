"""The model that wrote a case, and the prompt it was asked with."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.datasets import service as datasets
from edison.library.generation.instructions import prompt_of
from edison.library.generation.plan import GenerationKind, GenerationPlan
from edison.library.generation.prepare import DatasetRef
from edison.library.generation.repository.generations import Generations
from edison.library.generation.schemas import CaseAuthorRead


async def find_author(
    session: AsyncSession, *, place: DatasetRef, case_id: UUID
) -> CaseAuthorRead | None:
    """The prompt of a batch follows from the plan, so it is not stored."""
    await datasets.get_dataset(session, project_id=place.project_id, dataset_id=place.dataset_id)
    found = await Generations(session).find_author(place.dataset_id, case_id)
    if found is None:
        return None
    generation, batch = found
    prompt = prompt_of(GenerationPlan.model_validate(generation.plan), batch)
    return CaseAuthorRead(
        generation_id=generation.id,
        kind=GenerationKind(generation.kind),
        model_id=generation.model_id,
        model_name=generation.model_name,
        created_at=generation.created_at,
        system=prompt.system or "",
        prompt="\n\n".join(message.text for message in prompt.messages),
    )
