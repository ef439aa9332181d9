"""Numbers, labels and parents of versions.

A version's parent is the version its text started from, so a prompt's history is a tree. Labels
count the versions made under one name: a new name starts at v1, and a name that is used again
continues its numbering.
"""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.kit.errors import NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.prompts.checks import check_runnable
from edison.library.prompts.content import Parts, digest_of, parts_of, template_of
from edison.library.prompts.models import Prompt, PromptDraft, PromptVersion, VersionOrigin
from edison.library.prompts.repository import Prompts, Versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Origin and author of a version."""

    origin: VersionOrigin
    author_id: UUID | None
    changelog: str | None = None


async def add_version(
    session: AsyncSession,
    prompt: Prompt,
    parts: Parts,
    *,
    parent_id: UUID | None,
    provenance: Provenance,
) -> PromptVersion:
    """Call it while the prompt is locked: the numbers depend on the existing versions."""
    versions = Versions(session)
    latest = await versions.find_latest(prompt.id)
    return await versions.add(
        PromptVersion(
            id=ids.new_id(),
            prompt_id=prompt.id,
            sequence=1 if latest is None else latest.sequence + 1,
            number=await versions.highest_number(prompt.id, prompt.name) + 1,
            name=prompt.name,
            parent_id=parent_id,
            origin=provenance.origin,
            changelog=provenance.changelog,
            author_id=provenance.author_id,
            digest=digest_of(parts),
            is_production=False,
            created_at=clock.now(),
            **parts_of(parts),
        )
    )


async def freeze_draft(
    session: AsyncSession, prompt: Prompt, draft: PromptDraft, provenance: Provenance
) -> PromptVersion:
    """Save the draft as a version, which becomes the draft's parent. Call it while the prompt is
    locked. Raises Invalid when the draft cannot be run.
    """
    check_runnable(template_of(draft))
    version = await add_version(
        session, prompt, draft, parent_id=draft.parent_id, provenance=provenance
    )
    prompts = Prompts(session)
    await prompts.set_draft_parent(prompt.id, version.id)
    await prompts.touch(prompt)
    return version


async def get_labelled(
    session: AsyncSession, *, project_id: UUID, name: str, label: str
) -> PromptVersion:
    """A version by its prompt's name and `prod`, `production`, `latest` or `v6`.

    A former name of a prompt works until another prompt takes that name.
    """
    prompt = await Prompts(session).find_by_name(project_id, name)
    if prompt is None:
        raise NotFound("There is no prompt of this name.")
    versions = Versions(session)
    if label in ("prod", "production"):
        found = await versions.find_production(prompt.id)
    elif label == "latest":
        found = await versions.find_latest(prompt.id)
    else:
        found = await versions.find_numbered(prompt.id, name, int(label.removeprefix("v")))
    if found is None:
        raise NotFound(f"The prompt has no version {label}.")
    return found
