"""Builders for generations that bypass the API and jobs."""

from typing import Any
from uuid import UUID

from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.library.datasets import service as datasets
from edison.library.generation.models import Generation, GenerationDraft, GenerationState
from edison.library.generation.plan import GenerationKind, GenerationPlan

REQUEST = {
    "kind": "synthetic",
    "model_id": "01a1dddc-16a0-7ee4-bf6e-63224ee4f564",
    "hints": "Questions about parcels that are late",
}


def add_generation(session: AsyncSession, dataset_id: UUID, **values: Any) -> Generation:
    plan = GenerationPlan(
        kind=GenerationKind.SYNTHETIC, count=10, variables=("question",), nonce="12345678", seed=1
    )
    generation = Generation(
        **{
            "id": ids.new_id(),
            "dataset_id": dataset_id,
            "model_name": "Gone",
            "kind": "synthetic",
            "state": GenerationState.DONE,
            "wanted_count": 10,
            "created_at": clock.now(),
            "request": REQUEST,
            "plan": plan.model_dump(mode="json"),
        }
        | values
    )
    session.add(generation)
    return generation


def add_draft(
    session: AsyncSession, generation: Generation, position: int, **values: Any
) -> GenerationDraft:
    inputs = values.pop("inputs", {"question": f"Question {position}?"})
    draft = GenerationDraft(
        **{
            "id": ids.new_id(),
            "generation_id": generation.id,
            "position": position,
            "batch": 0,
            "inputs": inputs,
            "tags": [],
            "input_hash": datasets.hash_inputs(inputs),
        }
        | values
    )
    session.add(draft)
    return draft


async def make_generation(
    app: FastAPI, dataset_id: UUID, *, drafts: int = 3, **values: Any
) -> tuple[Generation, list[UUID]]:
    """A finished generation with drafts; returns their ids in order."""
    async with app.state.database.write() as session:
        generation = add_generation(session, dataset_id, draft_count=drafts, **values)
        await session.flush()
        made = [add_draft(session, generation, position) for position in range(drafts)]
    return generation, [draft.id for draft in made]
