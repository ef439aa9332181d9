"""Prompts of a project: create, rename, copy, archive, delete; and the versions that runs use."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.kit.errors import Conflict, FieldProblem
from edison.kit.hook import Hook
from edison.library.prompts import content, lineage, suggested
from edison.library.prompts.checks import check_runnable, list_findings
from edison.library.prompts.content import digest_of, parts_of
from edison.library.prompts.errors import Archived, DuplicateName, InUse
from edison.library.prompts.events import note
from edison.library.prompts.lineage import Provenance
from edison.library.prompts.models import Prompt, PromptDraft, PromptVersion, VersionOrigin
from edison.library.prompts.names import copy_names
from edison.library.prompts.repository import Prompts, Versions
from edison.library.prompts.schemas import (
    PromptChange,
    PromptContent,
    PromptFilter,
    PromptRequest,
    PromptSummary,
)
from edison.library.prompts.view import describe_prompts
from edison.pipeline.render.prompt_template import PromptTemplate

# A listener returns a sentence about what still uses the prompt, or None.
find_use: Hook[[AsyncSession, UUID], str | None] = Hook(
    "Before a prompt is deleted, in that transaction. A use refuses it."
)


async def list_prompts(
    session: AsyncSession, *, project_id: UUID, wanted: PromptFilter, page: PageRequest
) -> Slice[PromptSummary]:
    found = await Prompts(session).list_of_project(project_id, wanted=wanted, page=page)
    items = await describe_prompts(session, found.items)
    return Slice(items=items, next=found.next, total=found.total)


async def get_prompt(session: AsyncSession, *, project_id: UUID, prompt_id: UUID) -> Prompt:
    return await Prompts(session).get(project_id, prompt_id)


async def lock_prompt(session: AsyncSession, *, project_id: UUID, prompt_id: UUID) -> Prompt:
    """Lock the prompt for a change. Raises Archived."""
    prompt = await Prompts(session).get(project_id, prompt_id, to_change=True)
    if prompt.archived_at is not None:
        raise Archived
    return prompt


async def create_prompt(
    session: AsyncSession, *, project_id: UUID, wanted: PromptRequest
) -> Prompt:
    prompt = Prompt(
        id=ids.new_id(),
        project_id=project_id,
        name=wanted.name,
        kind=wanted.kind,
        description=wanted.description,
    )
    await _add(session, prompt, wanted.columns())
    await note(session, prompt, "prompt.created", after=_described(prompt))
    return prompt


async def _add(session: AsyncSession, prompt: Prompt, parts: dict[str, Any]) -> None:
    prompts = Prompts(session)
    if await prompts.has_name(prompt.project_id, prompt.name):
        raise DuplicateName
    draft = PromptDraft(prompt_id=prompt.id, version=1, updated_at=clock.now(), **parts)
    await prompts.add(prompt, draft)


def _described(prompt: Prompt) -> dict[str, Any]:
    return {"name": prompt.name, "kind": prompt.kind}


async def change_prompt(
    session: AsyncSession,
    *,
    project_id: UUID,
    prompt_id: UUID,
    change: PromptChange,
    author_id: UUID,
) -> Prompt:
    """Change name or description. A new name starts new labels: the latest version is copied as its
    v1.
    """
    prompts = Prompts(session)
    prompt = await lock_prompt(session, project_id=project_id, prompt_id=prompt_id)
    wanted = change.model_dump(include=change.model_fields_set)
    changed = {field: value for field, value in wanted.items() if getattr(prompt, field) != value}
    before = {field: getattr(prompt, field) for field in changed}
    if "name" in changed and await prompts.has_name(project_id, changed["name"]):
        raise DuplicateName
    for field, value in changed.items():
        setattr(prompt, field, value)
    await session.flush()
    if "name" in changed:
        await _carry_over_latest(session, prompt, author_id=author_id)
    await note(session, prompt, "prompt.changed", before=before, after=changed)
    return prompt


async def _carry_over_latest(session: AsyncSession, prompt: Prompt, *, author_id: UUID) -> None:
    latest = await Versions(session).find_latest(prompt.id)
    if latest is None:
        return
    renamed = await lineage.add_version(
        session,
        prompt,
        latest,
        parent_id=latest.id,
        provenance=Provenance(origin=VersionOrigin.RENAME, author_id=author_id),
    )
    prompts = Prompts(session)
    if (await prompts.get_draft(prompt.id)).parent_id == latest.id:
        await prompts.set_draft_parent(prompt.id, renamed.id)


async def duplicate_prompt(
    session: AsyncSession, *, project_id: UUID, prompt_id: UUID, name: str | None
) -> Prompt:
    """A new prompt with a copy of the draft and without versions."""
    prompts = Prompts(session)
    original = await prompts.get(project_id, prompt_id)
    duplicate = Prompt(
        id=ids.new_id(),
        project_id=project_id,
        name=name or await _free_copy_name(prompts, original),
        kind=original.kind,
        description=original.description,
    )
    await _add(session, duplicate, parts_of(await prompts.get_draft(prompt_id)))
    after = {**_described(duplicate), "from": str(prompt_id)}
    await note(session, duplicate, "prompt.duplicated", after=after)
    return duplicate


async def _free_copy_name(prompts: Prompts, original: Prompt) -> str:
    names = copy_names(original.name)
    name = next(names)
    while await prompts.has_name(original.project_id, name):
        name = next(names)
    return name


async def archive_prompt(session: AsyncSession, *, project_id: UUID, prompt_id: UUID) -> Prompt:
    """Make the prompt read-only and remove it from the list of active prompts."""
    prompt = await Prompts(session).get(project_id, prompt_id, to_change=True)
    if await Prompts(session).set_archived(prompt_id, at=clock.now()) is None:
        raise Conflict("This prompt is already archived.")
    await note(session, prompt, "prompt.archived")
    return prompt


async def unarchive_prompt(session: AsyncSession, *, project_id: UUID, prompt_id: UUID) -> Prompt:
    prompt = await Prompts(session).get(project_id, prompt_id, to_change=True)
    if await Prompts(session).set_archived(prompt_id, at=None) is None:
        raise Conflict("This prompt is not archived.")
    await note(session, prompt, "prompt.unarchived")
    return prompt


async def delete_prompt(session: AsyncSession, *, project_id: UUID, prompt_id: UUID) -> None:
    """Delete a prompt with its versions. Refused while something depends on any of them."""
    prompts = Prompts(session)
    prompt = await prompts.get(project_id, prompt_id, to_change=True)
    if (use := await find_use.first(session, prompt_id)) is not None:
        raise InUse(use)
    await prompts.remove(prompt_id)
    await note(session, prompt, "prompt.deleted", before=_described(prompt))


async def version_for_run(
    session: AsyncSession, *, project_id: UUID, prompt_id: UUID, author_id: UUID | None
) -> PromptVersion:
    """The version of one prompt that a run uses; see `versions_for_run`."""
    versions = await versions_for_run(
        session, project_id=project_id, prompt_ids=[prompt_id], author_id=author_id
    )
    return versions[prompt_id]


async def versions_for_run(
    session: AsyncSession,
    *,
    project_id: UUID,
    prompt_ids: Collection[UUID],
    author_id: UUID | None,
) -> dict[UUID, PromptVersion]:
    """Versions equal to the drafts: the latest of each prompt, or a new one if the draft was
    changed since. Concurrent runs get the same versions. Raises Invalid when a draft cannot be run.
    """
    # Locked in id order and before any event is published, so concurrent runs cannot deadlock.
    prompts = [
        await lock_prompt(session, project_id=project_id, prompt_id=prompt_id)
        for prompt_id in sorted(set(prompt_ids))
    ]
    provenance = Provenance(origin=VersionOrigin.RUN, author_id=author_id)
    versions: dict[UUID, PromptVersion] = {}
    changed: list[Prompt] = []
    for prompt in prompts:
        draft = await Prompts(session).get_draft(prompt.id)
        latest = await Versions(session).find_latest(prompt.id)
        if latest is None or latest.digest != digest_of(draft):
            latest = await lineage.freeze_draft(session, prompt, draft, provenance)
            changed.append(prompt)
        versions[prompt.id] = latest
    for prompt in changed:
        await note_version(session, prompt, versions[prompt.id])
    return versions


async def note_version(session: AsyncSession, prompt: Prompt, version: PromptVersion) -> None:
    after = {
        "version_id": str(version.id),
        "label": version.label,
        "origin": version.origin,
        "changelog": version.changelog,
    }
    await note(session, prompt, "prompt.version_saved", after=after)


async def get_runnable_draft(session: AsyncSession, *, prompt_id: UUID) -> PromptDraft:
    """The draft, as a run would use it. Raises Invalid when it cannot be run."""
    draft = await Prompts(session).get_draft(prompt_id)
    check_runnable(content.template_of(draft))
    return draft


async def get_version(session: AsyncSession, *, prompt_id: UUID, version_id: UUID) -> PromptVersion:
    return await Versions(session).get(prompt_id, version_id)


def contents_of(parts: content.Parts) -> dict[str, Any]:
    """Contents of a draft or version as JSON; `template_of` accepts the stored form."""
    return parts_of(parts)


def template_of(parts: content.Parts) -> PromptTemplate:
    """The pipeline's template of a draft or version."""
    return content.template_of(parts)


def find_problems(written: PromptContent) -> list[FieldProblem]:
    """Everything that prevents a text from being run, before a prompt is created."""
    template = content.template_of(PromptDraft(**written.columns()))
    return [
        FieldProblem(field=each.field, message=each.message, code=each.code)
        for each in list_findings(template)
        if each.prevents_runs
    ]


async def find_free_name(session: AsyncSession, *, project_id: UUID, name: str) -> str:
    """The name, or a similar one that is free in the project."""
    prompts = Prompts(session)
    if not await prompts.has_name(project_id, name):
        return name
    return await _free_copy_name(prompts, Prompt(project_id=project_id, name=name))


async def save_suggested(
    session: AsyncSession,
    *,
    base: PromptVersion,
    project_id: UUID,
    text: str,
    provenance: Provenance,
    may_branch: bool = False,
) -> PromptVersion:
    """Save an accepted suggestion as a version: the base with another main text. Raises
    BaseChanged, Unchanged, Archived or Invalid.
    """
    prompt = await lock_prompt(session, project_id=project_id, prompt_id=base.prompt_id)
    version = await suggested.add_suggested(
        session,
        prompt,
        base_id=base.id,
        text=text,
        provenance=provenance,
        may_branch=may_branch,
    )
    await note_version(session, prompt, version)
    return version
