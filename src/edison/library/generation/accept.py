"""Turns drafts into cases, at most once each.

Lock order: dataset, then generation. Adding cases and deleting either use the same order.
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import NotFound
from edison.library.datasets import service as datasets
from edison.library.datasets.schemas.datasets import CaseRequest
from edison.library.generation.errors import AlreadyAccepted, NotEnded
from edison.library.generation.events import publish
from edison.library.generation.models import ENDED, Generation, GenerationDraft
from edison.library.generation.plan import ORIGINS, GenerationKind
from edison.library.generation.prepare import DatasetRef
from edison.library.generation.repository.drafts import Drafts
from edison.library.generation.repository.generations import Generations
from edison.library.generation.schemas import AcceptRequest, AcceptResult
from edison.workspace.audit import service as audit


async def accept(
    session: AsyncSession,
    *,
    place: DatasetRef,
    generation: Generation,
    wanted: AcceptRequest,
    author_id: UUID,
) -> AcceptResult:
    """Raises AlreadyAccepted when one of the drafts was added before."""
    if generation.state not in ENDED:
        raise NotEnded
    drafts = Drafts(session, generation.id)
    chosen = _choose(await drafts.list_all(), wanted)
    origin = ORIGINS[GenerationKind(generation.kind)]
    case_ids = await datasets.add_cases(
        session,
        project_id=place.project_id,
        dataset_id=place.dataset_id,
        wanted=[_case_of(draft, origin) for draft in chosen],
        author_id=author_id,
    )
    added = {
        draft.id: case_id
        for draft, case_id in zip(chosen, case_ids, strict=True)
        if case_id is not None
    }
    accepted = await Generations(session).note_accepted(generation.id, len(added))
    # A concurrent request waited for the dataset's lock and is refused here.
    if await drafts.has_accepted([draft.id for draft in chosen]):
        raise AlreadyAccepted
    await drafts.note_cases(added)
    audit.record(
        session,
        "generation.accepted",
        entity=("generation", generation.id),
        project_id=place.project_id,
        after={"added": len(added), "dataset_id": str(place.dataset_id)},
    )
    await publish(session, accepted)
    return AcceptResult(
        added=len(added), copies=len(chosen) - len(added), case_ids=list(added.values())
    )


def _choose(drafts: Sequence[GenerationDraft], wanted: AcceptRequest) -> list[GenerationDraft]:
    if wanted.draft_ids is not None:
        known = {draft.id: draft for draft in drafts}
        if missing := [each for each in wanted.draft_ids if each not in known]:
            raise NotFound(f"There is no such draft: {missing[0]}.")
        chosen = [known[draft_id] for draft_id in dict.fromkeys(wanted.draft_ids)]
        if any(draft.case_id is not None for draft in chosen):
            raise AlreadyAccepted
        return chosen
    left_out = set(wanted.except_ids)
    chosen = [
        draft
        for draft in drafts
        if draft.case_id is None
        and draft.id not in left_out
        and (draft.similarity is None or wanted.with_near_duplicates)
    ]
    if not chosen:
        raise AlreadyAccepted
    return chosen


def _case_of(draft: GenerationDraft, origin: str) -> CaseRequest:
    return CaseRequest.model_validate(
        {
            "inputs": draft.inputs,
            "expected": draft.expected,
            "tags": draft.tags,
            "difficulty": draft.difficulty,
            "origin": origin,
        }
    )
