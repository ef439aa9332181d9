"""A prompt's versions: save, list, compare, mark for production."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.library.prompts import diff
from edison.library.prompts.content import Parts, digest_of
from edison.library.prompts.errors import StaleDraft
from edison.library.prompts.lineage import Provenance, freeze_draft, get_labelled
from edison.library.prompts.models import Prompt, PromptVersion, VersionOrigin
from edison.library.prompts.repository import SUMMARY_COLUMNS, Prompts, Versions
from edison.library.prompts.schemas import (
    DiffRead,
    DiffRowRead,
    PartDiff,
    VersionRead,
    VersionRequest,
    VersionSummary,
)
from edison.library.prompts.service import lock_prompt, note_version
from edison.library.prompts.view import describe_draft, describe_version, summarize
from edison.workspace.resources.errors import Unchanged
from edison.workspace.resources.service import note

# What to compare: a version, or the draft.
Side = UUID | Literal["draft"]


async def list_versions(
    session: AsyncSession, *, project_id: UUID, prompt_id: UUID, page: PageRequest
) -> Slice[VersionSummary]:
    await Prompts(session).get(project_id, prompt_id)
    found = await Versions(session).list_of_prompt(prompt_id, page=page)
    items = [
        summarize(author, dict(zip(SUMMARY_COLUMNS, columns, strict=True)))
        for author, *columns in found.items
    ]
    return found.with_items(items)


async def get_version(
    session: AsyncSession, *, project_id: UUID, prompt_id: UUID, version_id: UUID
) -> VersionRead:
    await Prompts(session).get(project_id, prompt_id)
    return await describe_version(session, await Versions(session).get(prompt_id, version_id))


async def get_version_by_label(
    session: AsyncSession, *, project_id: UUID, name: str, label: str
) -> VersionRead:
    version = await get_labelled(session, project_id=project_id, name=name, label=label)
    return await describe_version(session, version)


async def save_version(
    session: AsyncSession,
    *,
    project_id: UUID,
    prompt_id: UUID,
    wanted: VersionRequest,
    author_id: UUID,
) -> VersionRead:
    """Save the draft as a version, if it is still the one that was read and differs from the
    latest.
    """
    prompt = await lock_prompt(session, project_id=project_id, prompt_id=prompt_id)
    draft = await Prompts(session).get_draft(prompt_id)
    if draft.version != wanted.version:
        current = await describe_draft(session, draft)
        raise StaleDraft(current=current.model_dump(mode="json"))
    latest = await Versions(session).find_latest(prompt_id)
    if latest is not None and latest.digest == digest_of(draft):
        raise Unchanged(latest.label)
    provenance = Provenance(
        origin=VersionOrigin.MANUAL, author_id=author_id, changelog=wanted.changelog
    )
    version = await freeze_draft(session, prompt, draft, provenance)
    shown = await describe_version(session, version)
    await note_version(session, prompt, version)
    return shown


async def mark_production(
    session: AsyncSession, *, project_id: UUID, prompt_id: UUID, version_id: UUID | None
) -> Prompt:
    """Move the production mark of a prompt, or remove it."""
    prompt = await lock_prompt(session, project_id=project_id, prompt_id=prompt_id)
    versions = Versions(session)
    marked = None if version_id is None else await versions.get(prompt_id, version_id)
    before = await versions.find_production(prompt_id)
    was, becomes = _named(before), _named(marked)
    await versions.set_production(prompt_id, marked)
    await Prompts(session).touch(prompt)
    await note(session, prompt, "production_marked", before=was, after=becomes)
    return prompt


def _named(version: PromptVersion | None) -> dict[str, Any]:
    if version is None:
        return {"production": None}
    return {"production": f"{version.name} {version.label}", "version_id": str(version.id)}


async def compare(
    session: AsyncSession, *, project_id: UUID, prompt_id: UUID, left: Side, right: Side
) -> DiffRead:
    """Compare two versions, or a version and the draft."""
    await Prompts(session).get(project_id, prompt_id)
    left_parts, left_title = await _side(session, prompt_id, left)
    right_parts, right_title = await _side(session, prompt_id, right)
    written = _written(left_parts), _written(right_parts)
    parts = []
    for name in written[0]:
        found = diff.compare(
            written[0][name],
            written[1][name],
            left_title=left_title,
            right_title=right_title,
        )
        parts.append(
            PartDiff.model_validate(
                {
                    "part": name,
                    "added": found.added,
                    "removed": found.removed,
                    "unified": found.unified,
                    "rows": [DiffRowRead(**asdict(row)) for row in found.rows],
                }
            )
        )
    return DiffRead(left=left_title, right=right_title, parts=parts)


async def _side(session: AsyncSession, prompt_id: UUID, side: Side) -> tuple[Parts, str]:
    if side == "draft":
        return await Prompts(session).get_draft(prompt_id), "draft"
    version = await Versions(session).get(prompt_id, side)
    return version, f"{version.name} {version.label}"


def _written(parts: Parts) -> dict[str, str]:
    """Each part as text, for comparison by line."""
    return {
        "system": parts.system or "",
        "text": parts.text,
        "few_shots": _few_shots_text(parts.few_shots),
        "tools": json.dumps(parts.tools, indent=2, sort_keys=True, ensure_ascii=False)
        if parts.tools
        else "",
        "syntax": parts.syntax,
    }


def _few_shots_text(pairs: Sequence[dict[str, Any]]) -> str:
    return "\n".join(
        f"## Example {number}, {side}\n{pair[side]}"
        for number, pair in enumerate(pairs, start=1)
        for side in ("user", "assistant")
    )
