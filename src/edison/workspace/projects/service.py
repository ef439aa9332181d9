"""Create, change, archive and delete projects.

Slices above this one register in the hooks below; `app/hooks.py` does so. The workspace does not
import what projects contain.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.kit.errors import Conflict, NotFound
from edison.kit.hook import Hook
from edison.kit.nearest import did_you_mean
from edison.workspace.accounts.types import Caller
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events
from edison.workspace.projects.errors import OwnTwoFactorMissing
from edison.workspace.projects.models import Project, ProjectSettings, Role
from edison.workspace.projects.names import slug_candidates
from edison.workspace.projects.repository import Members, Projects
from edison.workspace.projects.schemas import (
    ProjectChange,
    ProjectDetail,
    ProjectFigures,
    ProjectFilter,
    ProjectRead,
    SettingsRead,
)

on_created: Hook[[AsyncSession, Project], None] = Hook(
    "After a project was created, in that transaction. Listeners add what a project starts with."
)
# A listener returns a sentence about work in progress, or None.
find_active_work: Hook[[AsyncSession, UUID], str | None] = Hook(
    "Before a project is deleted, in that transaction. Active work refuses it."
)

on_archived: Hook[[AsyncSession, UUID], None] = Hook(
    "After a project was archived, in that transaction. Listeners pause what spends money."
)
on_unarchived: Hook[[AsyncSession, UUID], None] = Hook(
    "After a project was unarchived, in that transaction. Listeners resume what archiving paused."
)

count_experiments: Hook[[AsyncSession, Sequence[UUID]], Mapping[UUID, int]] = Hook(
    "When projects are listed: the number of experiments by project."
)


async def create_project(
    session: AsyncSession,
    *,
    owner_id: UUID | None,
    name: str,
    description: str | None = None,
    is_demo: bool = False,
) -> Project:
    """Create a project with its owner, settings and initial contents, in one transaction. Without
    an owner, which a command does before there are accounts, it belongs to the first account.
    """
    project = await Projects(session).add(
        slugs=slug_candidates(name),
        id=ids.new_id(),
        name=name,
        description=description,
        is_demo=is_demo,
    )
    if owner_id is not None:
        await Members(session).add(project.id, owner_id, Role.OWNER)
    session.add(ProjectSettings(project_id=project.id, updated_at=clock.now()))
    audit.record(
        session,
        "project.created",
        entity=("project", project.id),
        project_id=project.id,
        after={"name": name, "slug": project.slug, "description": description},
    )
    await on_created.fire(session, project)
    return project


async def adopt_projects(session: AsyncSession, user_id: UUID) -> None:
    """Hook of `workspace/accounts`: the first account owns the projects without members."""
    for project_id in await Projects(session).list_without_members():
        await Members(session).add(project_id, user_id, Role.OWNER)


async def list_projects(
    session: AsyncSession, *, caller: Caller, wanted: ProjectFilter, page: PageRequest
) -> Slice[ProjectRead]:
    """The caller's projects, limited to those of the access token."""
    projects = Projects(session)
    limits = None if caller.token is None else caller.token.project_ids
    only = None if limits is None else [UUID(each) for each in limits]
    found = await projects.list_of_user(caller.user_id, wanted=wanted, page=page, only=only)
    figures = await _read_figures(session, [project for project, _ in found.items])
    items = [
        ProjectRead.of(project, role=Role(role), figures=figures[project.id])
        for project, role in found.items
    ]
    return found.with_items(items)


async def _read_figures(
    session: AsyncSession, found: Sequence[Project]
) -> Mapping[UUID, ProjectFigures]:
    projects, project_ids = Projects(session), [project.id for project in found]
    members = await projects.count_members(project_ids)
    changes = await projects.find_changes(project_ids)
    experiments = await count_experiments.first(session, project_ids) or {}
    return {
        project.id: ProjectFigures(
            member_count=members.get(project.id, 0),
            experiment_count=experiments.get(project.id, 0),
            changed_at=changes.get(project.id, project.updated_at),
        )
        for project in found
    }


async def get_project(session: AsyncSession, *, slug: str | None) -> Project:
    """For commands on the server, which check no role. Without a slug: the only project."""
    projects = Projects(session)
    if slug is None:
        slugs = await projects.list_slugs()
        if len(slugs) != 1:
            choice = ", ".join(slugs) or "there is none yet"
            raise Conflict(f"Say which project with --project: {choice}.")
        slug = slugs[0]
    found = await projects.find_by_slug(slug)
    if found is None:
        hint = did_you_mean(slug, await projects.list_slugs())
        raise NotFound(f"There is no project “{slug}”.{hint}")
    return found


async def find_project(session: AsyncSession, *, slug: str) -> Project | None:
    """For commands on the server, which check no role."""
    return await Projects(session).find_by_slug(slug)


async def describe_project(session: AsyncSession, *, project: Project, role: Role) -> ProjectDetail:
    figures = await _read_figures(session, [project])
    listed = ProjectRead.of(project, role=role, figures=figures[project.id])
    logged = await events.get_range(session, events.project_stream(project.id))
    return ProjectDetail(**listed.model_dump(), latest_event=logged.newest)


async def change_project(
    session: AsyncSession, *, project: Project, change: ProjectChange
) -> Project:
    """Change name or description. The slug stays, so existing links keep working."""
    wanted = change.model_dump(include=change.model_fields_set)
    changed = {field: value for field, value in wanted.items() if getattr(project, field) != value}
    before = {field: getattr(project, field) for field in changed}
    for field, value in changed.items():
        setattr(project, field, value)
    await session.flush()
    await _note(session, "project.changed", project, before=before, after=changed)
    return project


async def require_two_factor(
    session: AsyncSession, *, project: Project, caller: Caller, is_required: bool
) -> Project:
    """Require two-factor authentication of members, or stop requiring it."""
    if is_required and not caller.has_second_factor:
        raise OwnTwoFactorMissing
    before = {"requires_two_factor": project.requires_two_factor}
    project.requires_two_factor = is_required
    await session.flush()
    after = {"requires_two_factor": is_required}
    await _note(session, "project.two_factor_changed", project, before=before, after=after)
    return project


async def list_names(session: AsyncSession, user_id: UUID) -> dict[UUID, str]:
    """Names by id of the projects that a user is a member of."""
    return await Projects(session).list_names_of_user(user_id)


async def archive_project(session: AsyncSession, *, project: Project) -> Project:
    """Make the project read-only, pause its runs, and hide it from the active projects."""
    archived = await Projects(session).set_archived(project.id, at=clock.now())
    if archived is None:
        raise Conflict("This project is already archived.")
    await on_archived.fire(session, project.id)
    await _note(session, "project.archived", project)
    return archived


async def unarchive_project(session: AsyncSession, *, project: Project) -> Project:
    active = await Projects(session).set_archived(project.id, at=None)
    if active is None:
        raise Conflict("This project is not archived.")
    await on_unarchived.fire(session, project.id)
    await _note(session, "project.unarchived", project)
    return active


async def delete_project(session: AsyncSession, *, project: Project) -> None:
    """Delete a project with all its contents, except its audit log."""
    projects = Projects(session)
    await projects.lock(project.id)
    if (reason := await find_active_work.first(session, project.id)) is not None:
        raise Conflict(reason)
    name, slug = project.name, project.slug
    if not await projects.remove(project.id):
        raise NotFound("There is no such project, or you are not a member of it.")
    await _note(session, "project.deleted", project, before={"name": name, "slug": slug})


async def _note(
    session: AsyncSession,
    action: str,
    project: Project,
    *,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> None:
    audit.record(
        session,
        action,
        entity=("project", project.id),
        project_id=project.id,
        before=None if before is None else dict(before),
        after=None if after is None else dict(after),
    )
    await announce(session, "project.changed", project_id=project.id, entity_id=project.id)


async def announce(session: AsyncSession, kind: str, *, project_id: UUID, entity_id: UUID) -> None:
    """Publish an event to open pages. Call it last: locks the stream until the transaction ends."""
    await events.publish(
        session,
        stream=events.project_stream(project_id),
        kind=kind,
        data={"entity_id": str(entity_id)},
    )


async def get_settings(session: AsyncSession, *, project_id: UUID) -> SettingsRead:
    """The defaults for new contents of the project."""
    found = await Projects(session).find_settings(project_id)
    if found is None:
        raise NotFound("This project has no settings.")
    return SettingsRead.of(found)


async def list_user_ids(session: AsyncSession, *, project_id: UUID, least: Role) -> Sequence[UUID]:
    """Users with at least this role in the project."""
    roles = [role for role in Role if role.includes(least)]
    return await Members(session).list_user_ids(project_id, roles)
