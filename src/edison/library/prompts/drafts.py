"""Editing a draft, with optimistic locking."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.errors import FieldProblem, Invalid
from edison.library.prompts.content import PARTS, parts_of, template_of
from edison.library.prompts.errors import StaleDraft
from edison.library.prompts.models import Prompt, PromptDraft
from edison.library.prompts.repository import Prompts, Versions
from edison.library.prompts.schemas import (
    ContentPreviewRequest,
    DraftChange,
    DraftRead,
    MessageRead,
    PreviewRead,
    PreviewRequest,
    ToolRead,
)
from edison.library.prompts.service import lock_prompt
from edison.library.prompts.view import describe_draft
from edison.pipeline.render.nunjucks.lexer import TemplateError
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.render.template import find_missing, find_unused
from edison.workspace.resources.service import note

LONGEST_PREVIEW = 2_000_000


async def save_draft(
    session: AsyncSession, *, project_id: UUID, prompt_id: UUID, change: DraftChange
) -> DraftRead:
    """Save all parts. Raises StaleDraft when the draft was saved since the caller read it. Saving
    unchanged contents has no effect: editors save on every loss of focus.
    """
    prompt = await lock_prompt(session, project_id=project_id, prompt_id=prompt_id)
    parts = change.columns()
    draft = await Prompts(session).get_draft(prompt_id)
    if draft.version == change.version and parts_of(draft) == parts:
        return await describe_draft(session, draft)
    saved = await _replace(
        session, prompt, version=change.version, values=parts, action="draft_saved"
    )
    if saved is None:
        current = await describe_draft(session, draft)
        raise StaleDraft(
            current=current.model_dump(mode="json"), yours=change.model_dump(mode="json")
        )
    return saved


async def restore_version(
    session: AsyncSession,
    *,
    project_id: UUID,
    prompt_id: UUID,
    version_id: UUID,
    draft_version: int,
) -> DraftRead:
    """Copy an old version's text into the draft; it becomes the parent of the next version."""
    prompt = await lock_prompt(session, project_id=project_id, prompt_id=prompt_id)
    version = await Versions(session).get(prompt_id, version_id)
    values = {**parts_of(version), "parent_id": version.id}
    restored = await _replace(
        session, prompt, version=draft_version, values=values, action="draft_restored"
    )
    if restored is None:
        current = await describe_draft(session, await Prompts(session).get_draft(prompt_id))
        raise StaleDraft(current=current.model_dump(mode="json"))
    return restored


async def preview(
    database: Database, *, project_id: UUID, prompt_id: UUID, wanted: PreviewRequest
) -> PreviewRead:
    """The messages a model would get for these inputs."""
    async with database.read() as session:
        await Prompts(session).get(project_id, prompt_id)
        if wanted.version_id is None:
            prompt = template_of(await Prompts(session).get_draft(prompt_id))
        else:
            prompt = template_of(await Versions(session).get(prompt_id, wanted.version_id))
    return _rendered(prompt, wanted.inputs)


def preview_content(wanted: ContentPreviewRequest) -> PreviewRead:
    """As `preview`, for a prompt that is not saved."""
    return _rendered(template_of(PromptDraft(**wanted.columns())), wanted.inputs)


def _rendered(prompt: PromptTemplate, inputs: Mapping[str, Any]) -> PreviewRead:
    """Raises Invalid when the prompt cannot be rendered or becomes too long."""
    try:
        if prompt.rendered_length(inputs) > LONGEST_PREVIEW:
            message = f"The prompt would have more than {LONGEST_PREVIEW:,} characters."
            raise Invalid(FieldProblem(field="inputs", message=message, code="too_long"))
        rendered = prompt.render(inputs)
    except TemplateError as wrong:
        message = f"The prompt cannot be rendered: {wrong}"
        raise Invalid(FieldProblem(field="text", message=message, code="template_fails")) from wrong
    variables = prompt.variables()
    return PreviewRead(
        system=rendered.system,
        messages=[MessageRead.model_validate(message) for message in rendered.messages],
        tools=[ToolRead.model_validate(tool) for tool in rendered.tools],
        variables=variables,
        missing=find_missing(prompt.required_variables(), inputs),
        unused=find_unused(variables, inputs),
    )


async def _replace(
    session: AsyncSession, prompt: Prompt, *, version: int, values: dict[str, Any], action: str
) -> DraftRead | None:
    """None when `version` is not the draft's current one."""
    prompts = Prompts(session)
    before = parts_of(await prompts.get_draft(prompt.id))
    saved = await prompts.save_draft(prompt.id, version=version, values=values)
    if saved is None:
        return None
    await prompts.touch(prompt)
    shown = await describe_draft(session, saved)
    # Names of parts without their texts, which would bloat the audit log; versions keep the texts.
    changed = [name for name in PARTS if before[name] != values[name]]
    after = {"version": saved.version, "changed": changed}
    if "parent_id" in values:
        after["parent_id"] = str(values["parent_id"])
    await note(session, prompt, action, before={"version": version}, after=after)
    return shown
