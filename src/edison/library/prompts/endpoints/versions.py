"""Endpoints for the versions of prompts."""

from typing import Annotated
from uuid import UUID

from fastapi import Header, Path, Query, Response, status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams
from edison.api.routing import api_router
from edison.api.schema import CleanText, Page
from edison.api.session import Session
from edison.library.prompts import drafts, versions
from edison.library.prompts.schemas import (
    DiffRead,
    DraftRead,
    DraftRestore,
    ProductionChange,
    PromptRead,
    VersionLabel,
    VersionRead,
    VersionRequest,
    VersionSummary,
)
from edison.library.prompts.versions import Side
from edison.library.prompts.view import describe_prompt
from edison.workspace.projects.access import Editor, Viewer
from edison.workspace.resources.models import LONGEST_NAME

router = api_router("/projects/{project}/prompts", tag="prompts")


# Before the endpoints with a prompt's id: a prompt may be called "versions".
@router.get(
    "/by-name/{prompt_name}/{version_label}",
    response_model=VersionRead,
    responses={304: {"description": "The version is the one whose ETag was sent"}},
)
async def read_version_by_name(
    prompt_name: Annotated[CleanText, Path(max_length=LONGEST_NAME)],
    version_label: Annotated[VersionLabel, Path(examples=["prod"])],
    member: Viewer,
    session: Session,
    response: Response,
    if_none_match: Annotated[str | None, Header(max_length=1000)] = None,
) -> object:
    """Returns a version by its prompt's name and `prod`, `production`, `latest` or `v6`.

    The response has an `ETag`; send it in `If-None-Match` to get 304 while nothing changed. A
    former name of a prompt works until another prompt takes that name.
    """
    version = await versions.get_version_by_label(
        session, project_id=member.project_id, name=prompt_name, label=version_label
    )
    tag = f'"{version.id.hex}{"-production" if version.is_production else ""}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if if_none_match is not None and _mentions(if_none_match, tag):
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    response.headers.update(headers)
    return version


def _mentions(if_none_match: str, tag: str) -> bool:
    known = (item.strip().removeprefix("W/") for item in if_none_match.split(","))
    return any(item in (tag, "*") for item in known)


@router.get("/{prompt_id}/versions", response_model=Page[VersionSummary])
async def list_versions(
    prompt_id: UUID, member: Viewer, page: PageParams, session: Session
) -> Slice[VersionSummary]:
    """Lists a prompt's versions without their texts, newest first.

    `parent_id` makes them a tree. Sort by `sequence`; `q` searches changelogs and names.
    """
    return await versions.list_versions(
        session, project_id=member.project_id, prompt_id=prompt_id, page=page
    )


@router.post("/{prompt_id}/versions", status_code=status.HTTP_201_CREATED)
async def save_version(
    prompt_id: UUID, body: VersionRequest, member: Editor, session: Session
) -> VersionRead:
    """Saves the draft as a new version.

    Refused with `UNCHANGED` when the draft equals the latest version, and with `STALE` when the
    draft was saved since you read it.
    """
    return await versions.save_version(
        session,
        project_id=member.project_id,
        prompt_id=prompt_id,
        wanted=body,
        author_id=member.user_id,
    )


@router.get("/{prompt_id}/versions/{version_id}")
async def read_version(
    prompt_id: UUID, version_id: UUID, member: Viewer, session: Session
) -> VersionRead:
    """Returns a version with its texts."""
    return await versions.get_version(
        session, project_id=member.project_id, prompt_id=prompt_id, version_id=version_id
    )


@router.post("/{prompt_id}/versions/{version_id}/restore")
async def restore_version(
    prompt_id: UUID, version_id: UUID, body: DraftRestore, member: Editor, session: Session
) -> DraftRead:
    """Replaces the draft by a version's texts. That version becomes the parent of the next one."""
    return await drafts.restore_version(
        session,
        project_id=member.project_id,
        prompt_id=prompt_id,
        version_id=version_id,
        draft_version=body.version,
    )


@router.put("/{prompt_id}/production")
async def mark_production(
    prompt_id: UUID, body: ProductionChange, member: Editor, session: Session
) -> PromptRead:
    """Marks one version as production, or none."""
    prompt = await versions.mark_production(
        session,
        project_id=member.project_id,
        prompt_id=prompt_id,
        version_id=body.version_id,
    )
    return await describe_prompt(session, prompt)


@router.get("/{prompt_id}/diff")
async def compare_versions(
    prompt_id: UUID,
    member: Viewer,
    session: Session,
    left: Annotated[Side, Query(alias="from", description="A version's id, or `draft`")],
    right: Annotated[Side, Query(alias="to", description="A version's id, or `draft`")],
) -> DiffRead:
    """Compares two versions, or a version and the draft, part by part."""
    return await versions.compare(
        session, project_id=member.project_id, prompt_id=prompt_id, left=left, right=right
    )
