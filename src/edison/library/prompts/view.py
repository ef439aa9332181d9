"""Conversion of rows to API schemas."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.prompts import checks
from edison.library.prompts.content import Parts, digest_of, parts_of, template_of
from edison.library.prompts.models import Prompt, PromptDraft, PromptVersion
from edison.library.prompts.repository import SUMMARY_COLUMNS, Prompts, Versions
from edison.library.prompts.schemas import (
    DraftRead,
    FindingRead,
    PromptRead,
    PromptSummary,
    VersionRead,
    VersionReference,
    VersionSummary,
)

_PLAIN_FIELDS = set(PromptSummary.model_fields) - {"variables", "author", "latest", "production"}


async def describe_prompts(session: AsyncSession, prompts: Sequence[Prompt]) -> list[PromptSummary]:
    """Two queries for any number of prompts."""
    prompt_ids = [prompt.id for prompt in prompts]
    drafts = await Prompts(session).list_drafts(prompt_ids)
    variables = {draft.prompt_id: template_of(draft).variables() for draft in drafts}
    authors: dict[UUID, str | None] = {}
    latest: dict[UUID, VersionReference] = {}
    production: dict[UUID, VersionReference] = {}
    for mark in await Versions(session).list_marks(prompt_ids):
        prompt_id, version_id, name, number, author, is_latest, is_production = mark
        reference = VersionReference(id=version_id, name=name, label=f"v{number}")
        if is_latest:
            authors[prompt_id] = author
            latest[prompt_id] = reference
        if is_production:
            production[prompt_id] = reference
    return [
        PromptSummary(
            **{field: getattr(prompt, field) for field in _PLAIN_FIELDS},
            variables=variables[prompt.id],
            author=authors.get(prompt.id),
            latest=latest.get(prompt.id),
            production=production.get(prompt.id),
        )
        for prompt in prompts
    ]


async def describe_prompt(session: AsyncSession, prompt: Prompt) -> PromptRead:
    (summary,) = await describe_prompts(session, [prompt])
    draft = await Prompts(session).get_draft(prompt.id)
    return PromptRead(**dict(summary), draft=await describe_draft(session, draft))


async def describe_draft(session: AsyncSession, draft: PromptDraft) -> DraftRead:
    latest_digest = await Versions(session).find_latest_digest(draft.prompt_id)
    findings = checks.list_findings(template_of(draft))
    return DraftRead(
        **_content(draft),
        version=draft.version,
        parent_id=draft.parent_id,
        is_changed=digest_of(draft) != latest_digest,
        updated_at=draft.updated_at,
        warnings=[FindingRead(**asdict(finding)) for finding in findings],
    )


async def describe_version(session: AsyncSession, version: PromptVersion) -> VersionRead:
    columns = {name: getattr(version, name) for name in SUMMARY_COLUMNS}
    summary = summarize(await Prompts(session).find_email(version.author_id), columns)
    return VersionRead(
        **dict(summary),
        **_content(version),
        prompt_id=version.prompt_id,
        digest=version.digest,
    )


def summarize(author: str | None, columns: dict[str, Any]) -> VersionSummary:
    number = columns.pop("number")
    return VersionSummary(**columns, label=f"v{number}", author=author)


def _content(parts: Parts) -> dict[str, Any]:
    prompt = template_of(parts)
    expected = prompt.expected_output()
    return {
        **parts_of(parts),
        "variables": prompt.variables(),
        "wants_response": expected.wants_response,
        "wants_json": expected.wants_json,
    }
