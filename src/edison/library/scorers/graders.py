"""Grader prompts on the test bench, with the contents that a run would snapshot if it started
now.
"""

from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.library.prompts import service as prompts
from edison.library.prompts.models import Prompt, PromptKind
from edison.pipeline.score.apply import ConfiguredScorer, configure
from edison.pipeline.score.scorers.grader_prompt import GraderPrompt

# The option that holds the prompt's contents. A saved scorer only references its prompt.
WORDS = "frozen"


async def with_words(
    session: AsyncSession, *, project_id: UUID, configured: ConfiguredScorer
) -> ConfiguredScorer:
    """Fill in the contents of a grader prompt; other scorers are returned unchanged. Raises
    Invalid.
    """
    scorer = configured.scorer
    if not isinstance(scorer, GraderPrompt):
        return configured
    try:
        prompt = await prompts.get_prompt(
            session, project_id=project_id, prompt_id=scorer.prompt_id
        )
    except NotFound as missing:
        told = "There is no such prompt in this project."
        raise _refused("prompt_id", told, "unknown_prompt") from missing
    if prompt.kind != PromptKind.GRADER:
        told = "This prompt gives answers. Choose one that grades them."
        raise _refused("prompt_id", told, "is_generator")
    frozen = await _frozen(session, prompt, scorer.version_id)
    config = configured.config
    return configure(replace(config, options={**config.options, WORDS: frozen}))


async def _frozen(session: AsyncSession, prompt: Prompt, version_id: UUID | None) -> dict[str, Any]:
    if version_id is None:
        draft = await prompts.get_runnable_draft(session, prompt_id=prompt.id)
        return {**prompts.contents_of(draft), "label": f"{prompt.name} draft"}
    try:
        version = await prompts.get_version(session, prompt_id=prompt.id, version_id=version_id)
    except NotFound as missing:
        told = f"{prompt.name} has no such version."
        raise _refused("version_id", told, "unknown_version") from missing
    return {
        **prompts.contents_of(version),
        "label": f"{prompt.name} {version.label}",
        "version_id": str(version.id),
    }


def _refused(name: str, message: str, code: str) -> Invalid:
    return Invalid(FieldProblem(field=f"options.{name}", message=message, code=code))
