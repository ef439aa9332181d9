"""Builders for prompts and their versions that bypass the API."""

from typing import Any
from uuid import UUID

from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.library.prompts import service
from edison.library.prompts.models import Prompt, PromptDraft, PromptVersion
from edison.library.prompts.schemas import PromptRequest

TEXT = "Answer the customer's question kindly and in one paragraph: {{question}}"


async def add_prompt(session: AsyncSession, project_id: UUID, **values: Any) -> Prompt:
    wanted = PromptRequest.model_validate({"name": ids.new_id().hex, "text": TEXT, **values})
    return await service.create_prompt(session, project_id=project_id, wanted=wanted)


async def add_version(session: AsyncSession, prompt: Prompt, **parts: Any) -> PromptVersion:
    """A version as a run would make it, of the draft with these fields replaced."""
    draft = await session.get_one(PromptDraft, prompt.id)
    for name, value in parts.items():
        setattr(draft, name, value)
    draft.updated_at = clock.now()
    await session.flush()
    return await service.version_for_run(
        session, project_id=prompt.project_id, prompt_id=prompt.id, author_id=None
    )


async def make_prompt(app: FastAPI, project_id: UUID, **values: Any) -> Prompt:
    async with app.state.database.write() as session:
        return await add_prompt(session, project_id, **values)


async def make_version(app: FastAPI, prompt: Prompt, **parts: Any) -> PromptVersion:
    async with app.state.database.write() as session:
        return await add_version(session, prompt, **parts)
