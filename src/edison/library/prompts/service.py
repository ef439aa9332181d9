"""Prompts of a project: create, rename, copy, archive, delete; and the versions that runs use."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.kit import clock, ids
from edison.kit.errors import FieldProblem
from edison.kit.hook import Hook
from edison.library.prompts import content, lineage, suggested
from edison.library.prompts.checks import check_runnable, list_findings
from edison.library.prompts.content import digest_of, parts_of
from edison.library.prompts.lineage import Provenance
from edison.library.prompts.models import Prompt, PromptDraft, PromptVersion, VersionOrigin
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
from edison.workspace.resources import service as resources

# A listener returns a sentence about what still uses the prompt, or None.
find_use: Hook[[AsyncSession, UUID], str | None] = Hook(
    "Before a prompt is deleted, in that transaction. A use refuses it."
)


async def list_prompts(
    session: AsyncSession, *, project_id: UUID, wanted: PromptFilter, page: PageRequest
) -> Slice[PromptSummary]:
    conditions = () if wanted.kind is None else (Prompt.kind == wanted.kind,)
    found = await Prompts(session).page(
        project_id, status=wanted.status, page=page, conditions=conditions
    )
    return found.with_items(await describe_prompts(session, found.items))


async def get_prompt(session: AsyncSession, *, project_id: UUID, prompt_id: UUID) -> Prompt:
    return await Prompts(session).get(project_id, prompt_id)


async def lock_prompt(session: AsyncSession, *, project_id: UUID, prompt_id: UUID) -> Prompt:
    """Lock the prompt for a change. Raises Archived."""
    return await resources.lock_active(Prompts(session), project_id, prompt_id)


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
    await resources.note(session, prompt, "created", after=_described(prompt))
    return prompt


async def _add(session: AsyncSession, prompt: Prompt, parts: dict[str, Any]) -> None:
    prompts = Prompts(session)
    await resources.check_name(prompts, prompt.project_id, prompt.name)
    await prompts.add(prompt)
    await prompts.add_draft(
        PromptDraft(prompt_id=prompt.id, version=1, updated_at=clock.now(), **parts)
    )


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
    prompt = await lock_prompt(session, project_id=project_id, prompt_id=prompt_id)
    wanted = change.model_dump(include=change.model_fields_set)
    before, after = await resources.change_fields(Prompts(session), prompt, wanted)
    if "name" in after:
        await _carry_over_latest(session, prompt, author_id=author_id)
    await resources.note(session, prompt, "changed", before=before, after=after)
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
        name=name or await resources.find_copy_name(prompts, project_id, original.name),
        kind=original.kind,
        description=original.description,
    )
    await _add(session, duplicate, parts_of(await prompts.get_draft(prompt_id)))
    after = {**_described(duplicate), "from": str(prompt_id)}
    await resources.note(session, duplicate, "duplicated", after=after)
    return duplicate


async def set_archived(
    session: AsyncSession, *, project_id: UUID, prompt_id: UUID, is_archived: bool
) -> Prompt:
    """An archived prompt is read-only and not in the list of active prompts."""
    prompts = Prompts(session)
    prompt = await prompts.get(project_id, prompt_id, to_change=True)
    return await resources.set_archived(prompts, prompt, is_archived=is_archived)


async def delete_prompt(session: AsyncSession, *, project_id: UUID, prompt_id: UUID) -> None:
    """Delete a prompt with its versions. Refused while something depends on any of them."""
    prompts = Prompts(session)
    prompt = await prompts.get(project_id, prompt_id, to_change=True)
    use = await find_use.first(session, prompt_id)
    await resources.delete_unused(prompts, prompt, use=use, before=_described(prompt))


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
    await resources.note(session, prompt, "version_saved", after=after)


async def get_runnable_draft(session: AsyncSession, *, prompt_id: UUID) -> PromptDraft:
    """The draft, as a run would use it. Raises Invalid when it cannot be run."""
    draft = await Prompts(session).get_draft(prompt_id)
    check_runnable(content.template_of(draft))
    return draft


async def get_draft_parts(session: AsyncSession, *, prompt_id: UUID) -> dict[str, Any]:
    """The contents of the draft as JSON, whether or not it can be run."""
    return parts_of(await Prompts(session).get_draft(prompt_id))


def sections_of(parts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Everything that reaches the model, in the order in which it is sent, with titles."""
    return content.sections_of(parts)


async def get_version(session: AsyncSession, *, prompt_id: UUID, version_id: UUID) -> PromptVersion:
    return await Versions(session).get(prompt_id, version_id)


def contents_of(parts: content.Parts) -> dict[str, Any]:
    """Contents of a draft or version as JSON, the input of `template_of_stored`."""
    return parts_of(parts)


def template_of(parts: content.Parts) -> PromptTemplate:
    """The pipeline's template of a draft or version."""
    return content.template_of(parts)


def template_of_stored(parts: Mapping[str, Any]) -> PromptTemplate:
    """The pipeline's template of contents stored as JSON."""
    return content.template_of_stored(parts)


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
    return await resources.find_free_name(Prompts(session), project_id, name)


async def save_suggested(
    session: AsyncSession,
    *,
    base: PromptVersion,
    project_id: UUID,
    parts: Mapping[str, Any],
    provenance: Provenance,
    may_branch: bool = False,
) -> PromptVersion:
    """Save an accepted suggestion as a version: the base with other parts, such as `text`. Raises
    BaseChanged, Unchanged, Archived or Invalid.
    """
    prompt = await lock_prompt(session, project_id=project_id, prompt_id=base.prompt_id)
    version = await suggested.add_suggested(
        session,
        prompt,
        base_id=base.id,
        changed=parts,
        provenance=provenance,
        may_branch=may_branch,
    )
    await note_version(session, prompt, version)
    return version
