"""Endpoints for prompts and their drafts."""

from typing import Annotated
from uuid import UUID

from fastapi import status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import CurrentDatabase, Session
from edison.library.prompts import drafts, service
from edison.library.prompts.schemas import (
    ContentPreviewRequest,
    DraftChange,
    DraftRead,
    DuplicateRequest,
    PreviewRead,
    PreviewRequest,
    PromptChange,
    PromptFilter,
    PromptRead,
    PromptRequest,
    PromptSummary,
)
from edison.library.prompts.view import describe_prompt
from edison.workspace.projects.access import Editor, Viewer, ViewerWithoutTransaction

router = api_router("/projects/{project}/prompts", tag="prompts")


@router.get("", response_model=Page[PromptSummary])
async def list_prompts(
    member: Viewer,
    wanted: Annotated[PromptFilter, read_into(PromptFilter)],
    page: PageParams,
    session: Session,
) -> Slice[PromptSummary]:
    """Lists the project's prompts, last changed first.

    Sort by `updated_at`, `created_at` or `name`; `q` searches names.
    """
    return await service.list_prompts(
        session, project_id=member.project_id, wanted=wanted, page=page
    )


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_prompt(body: PromptRequest, member: Editor, session: Session) -> PromptRead:
    """Creates a prompt. It has a draft and no versions yet."""
    prompt = await service.create_prompt(session, project_id=member.project_id, wanted=body)
    return await describe_prompt(session, prompt)


@router.get("/{prompt_id}")
async def read_prompt(prompt_id: UUID, member: Viewer, session: Session) -> PromptRead:
    """Returns a prompt with its draft."""
    prompt = await service.get_prompt(session, project_id=member.project_id, prompt_id=prompt_id)
    return await describe_prompt(session, prompt)


@router.patch("/{prompt_id}")
async def change_prompt(
    prompt_id: UUID, body: PromptChange, member: Editor, session: Session
) -> PromptRead:
    """Renames or describes a prompt.

    A new name copies the latest version as its v1. Versions made under the old name keep it and can
    still be fetched by it.
    """
    prompt = await service.change_prompt(
        session,
        project_id=member.project_id,
        prompt_id=prompt_id,
        change=body,
        author_id=member.user_id,
    )
    return await describe_prompt(session, prompt)


@router.delete("/{prompt_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_prompt(prompt_id: UUID, member: Editor, session: Session) -> None:
    """Deletes a prompt with its versions. Refused with `IN_USE` while something depends on it."""
    await service.delete_prompt(session, project_id=member.project_id, prompt_id=prompt_id)


@router.put("/{prompt_id}/draft")
async def save_draft(
    prompt_id: UUID, body: DraftChange, member: Editor, session: Session
) -> DraftRead:
    """Replaces all parts of the draft.

    Send the `version` you read. When the draft was saved since, the answer is 409 `STALE` with the
    current draft in `details.current` and yours in `details.yours`. `warnings` lists errors that
    prevent runs, and likely mistakes.
    """
    return await drafts.save_draft(
        session, project_id=member.project_id, prompt_id=prompt_id, change=body
    )


@router.post("/preview")
async def preview_content(
    body: ContentPreviewRequest, member: ViewerWithoutTransaction
) -> PreviewRead:
    """Renders contents that are not saved. Makes no call and stores nothing."""
    return drafts.preview_content(body)


@router.post("/{prompt_id}/preview")
async def preview_prompt(
    prompt_id: UUID,
    body: PreviewRequest,
    member: ViewerWithoutTransaction,
    database: CurrentDatabase,
) -> PreviewRead:
    """Renders the draft or a version with given inputs. Makes no call and stores nothing."""
    return await drafts.preview(
        database, project_id=member.project_id, prompt_id=prompt_id, wanted=body
    )


@router.post("/{prompt_id}/duplicate", status_code=status.HTTP_201_CREATED)
async def duplicate_prompt(
    prompt_id: UUID, body: DuplicateRequest, member: Editor, session: Session
) -> PromptRead:
    """Creates a new prompt from a copy of this prompt's draft."""
    prompt = await service.duplicate_prompt(
        session, project_id=member.project_id, prompt_id=prompt_id, name=body.name
    )
    return await describe_prompt(session, prompt)


@router.post("/{prompt_id}/archive")
async def archive_prompt(prompt_id: UUID, member: Editor, session: Session) -> PromptRead:
    """Archives a prompt: it becomes read-only and leaves the list of active prompts."""
    prompt = await service.set_archived(
        session, project_id=member.project_id, prompt_id=prompt_id, is_archived=True
    )
    return await describe_prompt(session, prompt)


@router.post("/{prompt_id}/unarchive")
async def unarchive_prompt(prompt_id: UUID, member: Editor, session: Session) -> PromptRead:
    """Makes an archived prompt active again."""
    prompt = await service.set_archived(
        session, project_id=member.project_id, prompt_id=prompt_id, is_archived=False
    )
    return await describe_prompt(session, prompt)
