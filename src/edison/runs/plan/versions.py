"""Resolves the prompt versions of variants and graders."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.prompts import service as prompts
from edison.library.prompts.models import Prompt, PromptDraft, PromptKind, PromptVersion
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.render.template import Syntax
from edison.runs.plan.types import AS_IS, EditedParts

DRAFT = "draft"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptChoice:
    """A prompt and its version; None means the draft. `field` is the request field, for errors."""

    field: str
    prompt_id: UUID
    version_id: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenVersion:
    """`id` is None for a draft that was not saved as a version."""

    id: UUID | None
    prompt_name: str
    kind: str
    label: str
    template: PromptTemplate
    parts: Mapping[str, Any]


async def choose_versions(
    session: AsyncSession,
    *,
    project_id: UUID,
    choices: Sequence[PromptChoice],
    author_id: UUID | None,
    is_estimate: bool,
    on_problem: Callable[[str, str, str], None],
) -> list[ChosenVersion | None]:
    """Returns one entry per choice, None where there is a problem. Pass all choices in one call:
    creating versions locks the prompts, and separate calls could deadlock.
    """
    found: dict[UUID, Prompt] = {}
    for choice in choices:
        if choice.prompt_id not in found:
            try:
                found[choice.prompt_id] = await prompts.get_prompt(
                    session, project_id=project_id, prompt_id=choice.prompt_id
                )
            except NotFound:
                message = "There is no such prompt in this project."
                on_problem(f"{choice.field}.prompt_id", message, "unknown_prompt")
    from_drafts = await _from_drafts(
        session, found, choices, author_id, is_estimate=is_estimate, on_problem=on_problem
    )
    return [await _one(session, each, found, from_drafts, on_problem) for each in choices]


def as_is_version(variable: str) -> ChosenVersion:
    """The question itself is the prompt."""
    text = f"{Syntax.DOUBLE.opening}{variable}{Syntax.DOUBLE.closing}"
    draft = PromptDraft(syntax=Syntax.DOUBLE.value, system=None, text=text, few_shots=[], tools=[])
    return ChosenVersion(
        id=None,
        prompt_name=text,
        kind=PromptKind.GENERATOR,
        label=AS_IS,
        template=prompts.template_of(draft),
        parts=prompts.contents_of(draft),
    )


def edit_version(chosen: ChosenVersion, edit: EditedParts) -> ChosenVersion:
    parts = {**chosen.parts, **edit.parts}
    return replace(
        chosen,
        id=None,
        label=edit.label,
        template=prompts.template_of(PromptDraft(**parts)),
        parts=parts,
    )


async def _from_drafts(
    session: AsyncSession,
    found: Mapping[UUID, Prompt],
    choices: Sequence[PromptChoice],
    author_id: UUID | None,
    *,
    is_estimate: bool,
    on_problem: Callable[[str, str, str], None],
) -> Mapping[UUID, ChosenVersion]:
    chosen: dict[UUID, ChosenVersion] = {}
    for choice in choices:
        prompt = found.get(choice.prompt_id)
        if choice.version_id is not None or prompt is None or prompt.id in chosen:
            continue
        if prompt.archived_at is not None:
            message = f"{prompt.name} is archived. Unarchive it, or choose one of its versions."
            on_problem(f"{choice.field}.prompt_id", message, "prompt_archived")
            continue
        try:
            draft = await prompts.get_runnable_draft(session, prompt_id=prompt.id)
        except Invalid as invalid:
            for problem in invalid.problems:
                on_problem(f"{choice.field}.prompt_id", problem.message, problem.code)
            continue
        chosen[prompt.id] = _chosen(prompt, draft, version_id=None, label=DRAFT)
    if is_estimate or not chosen:
        return chosen
    # In one call, since creating versions locks the prompts.
    versions = await prompts.versions_for_run(
        session,
        project_id=next(iter(found.values())).project_id,
        prompt_ids=list(chosen),
        author_id=author_id,
    )
    return {
        prompt_id: _chosen(found[prompt_id], version, version_id=version.id, label=version.label)
        for prompt_id, version in versions.items()
    }


async def _one(
    session: AsyncSession,
    choice: PromptChoice,
    found: Mapping[UUID, Prompt],
    from_drafts: Mapping[UUID, ChosenVersion],
    on_problem: Callable[[str, str, str], None],
) -> ChosenVersion | None:
    prompt = found.get(choice.prompt_id)
    if prompt is None:
        return None
    if choice.version_id is None:
        return from_drafts.get(choice.prompt_id)
    try:
        version = await prompts.get_version(
            session, prompt_id=prompt.id, version_id=choice.version_id
        )
    except NotFound:
        message = f"{prompt.name} has no such version."
        on_problem(f"{choice.field}.version_id", message, "unknown_version")
        return None
    return _chosen(prompt, version, version_id=version.id, label=version.label)


def _chosen(
    prompt: Prompt, parts: PromptVersion | PromptDraft, *, version_id: UUID | None, label: str
) -> ChosenVersion:
    return ChosenVersion(
        id=version_id,
        prompt_name=prompt.name,
        kind=prompt.kind,
        label=label,
        template=prompts.template_of(parts),
        parts=prompts.contents_of(parts),
    )
