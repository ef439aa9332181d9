"""Endpoints for projects and their settings."""

from typing import Annotated

from fastapi import status

from edison.api.pagination import Slice
from edison.api.parameters import PageParams, read_into
from edison.api.routing import api_router
from edison.api.schema import Page
from edison.api.session import Session
from edison.workspace.accounts.access import SignedIn, SignedInOrLimited
from edison.workspace.projects import project_settings, service
from edison.workspace.projects.access import (
    Admin,
    AdminOfArchived,
    Owner,
    OwnerOfArchived,
    Viewer,
)
from edison.workspace.projects.models import Role
from edison.workspace.projects.schemas import (
    ProjectChange,
    ProjectDetail,
    ProjectFilter,
    ProjectRead,
    ProjectRequest,
    SettingsChange,
    SettingsRead,
    TwoFactorRequirement,
)

router = api_router("/projects", tag="projects")


@router.get("", response_model=Page[ProjectRead])
async def list_projects(
    caller: SignedInOrLimited,
    wanted: Annotated[ProjectFilter, read_into(ProjectFilter)],
    page: PageParams,
    session: Session,
) -> Slice[ProjectRead]:
    """Lists the projects that the caller is a member of, last changed first.

    Sort by `updated_at`, `created_at` or `name`; `q` searches names.
    """
    return await service.list_projects(session, caller=caller, wanted=wanted, page=page)


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_project(body: ProjectRequest, caller: SignedIn, session: Session) -> ProjectDetail:
    """Creates a project owned by the caller. It starts with a dataset named Golden."""
    project = await service.create_project(
        session, owner_id=caller.user_id, name=body.name, description=body.description
    )
    return await service.describe_project(session, project=project, role=Role.OWNER)


@router.get("/{project}")
async def read_project(member: Viewer, session: Session) -> ProjectDetail:
    """Returns a project."""
    return await service.describe_project(session, project=member.project, role=member.role)


@router.patch("/{project}")
async def change_project(body: ProjectChange, member: Admin, session: Session) -> ProjectDetail:
    """Changes name or description; the slug stays the same."""
    project = await service.change_project(session, project=member.project, change=body)
    return await service.describe_project(session, project=project, role=member.role)


@router.post("/{project}/archive")
async def archive_project(member: AdminOfArchived, session: Session) -> ProjectDetail:
    """Archives the project: it becomes read-only and leaves the list of active projects."""
    project = await service.archive_project(session, project=member.project)
    return await service.describe_project(session, project=project, role=member.role)


@router.post("/{project}/unarchive")
async def unarchive_project(member: AdminOfArchived, session: Session) -> ProjectDetail:
    """Makes an archived project active again."""
    project = await service.unarchive_project(session, project=member.project)
    return await service.describe_project(session, project=project, role=member.role)


@router.put("/{project}/two-factor")
async def require_two_factor(
    body: TwoFactorRequirement, member: Owner, session: Session
) -> ProjectDetail:
    """Requires members to use two-factor authentication.

    Members without it get 403 `TWO_FACTOR_REQUIRED`, also with their access tokens, until they turn
    it on. Members who signed in by single sign-on are admitted: the identity provider is
    responsible for the second factor.
    """
    project = await service.require_two_factor(
        session, project=member.project, caller=member.caller, is_required=body.is_required
    )
    return await service.describe_project(session, project=project, role=member.role)


@router.delete("/{project}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_project(member: OwnerOfArchived, session: Session) -> None:
    """Deletes the project with all its contents. Refused while work is in progress."""
    await service.delete_project(session, project=member.project)


@router.get("/{project}/settings")
async def read_project_settings(member: Viewer, session: Session) -> SettingsRead:
    """Returns the project's default settings."""
    return await service.get_settings(session, project_id=member.project_id)


@router.put("/{project}/settings")
async def replace_project_settings(
    body: SettingsChange, member: Admin, session: Session
) -> SettingsRead:
    """Replaces all settings.

    Send the `version` you read. When the settings were saved since, the answer is 409 `STALE` with
    the current values in `details.current`.
    """
    return await project_settings.replace_settings(
        session, project_id=member.project_id, change=body
    )
