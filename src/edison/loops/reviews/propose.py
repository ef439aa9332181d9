"""Changes of prompts that people, or programs in their name, propose outside of experiments."""

from dataclasses import asdict
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.kit.errors import Conflict, Invalid
from edison.library.prompts import service as prompts
from edison.library.prompts.models import PromptVersion
from edison.library.prompts.schemas import PromptContent
from edison.loops.experiments.iterations import decide
from edison.loops.experiments.models import Suggestion
from edison.loops.experiments.states import SuggestionState
from edison.loops.optimizations import service as optimizations
from edison.loops.reviews import view
from edison.loops.reviews.repository import Reviews
from edison.loops.reviews.schemas import ProposedChange, SuggestionRead
from edison.pipeline.refine.parts import changed_parts, check_prompt, diff_prompts, with_parts
from edison.workspace.audit import service as audit
from edison.workspace.resources import service as resources

ORIGIN = "person"


async def propose_change(
    session: AsyncSession,
    *,
    project_id: UUID,
    prompt_id: UUID,
    wanted: ProposedChange,
    author_id: UUID,
) -> SuggestionRead:
    """Adds the change as a pending suggestion. A reviewer decides about it; it is never approved
    automatically. Raises NotFound, Invalid, or Conflict when the prompt is unchanged, archived or
    without a version.
    """
    prompt = await prompts.lock_prompt(session, project_id=project_id, prompt_id=prompt_id)
    base = await _base(session, prompt_id, wanted.version_id)
    parts = wanted.parts()
    before = prompts.template_of(base)
    after = with_parts(before, parts)
    if before == after:
        raise Conflict("This is what the prompt says already.")
    written = PromptContent.model_validate(prompts.contents_of(base) | parts)
    if problems := prompts.find_problems(written):
        raise Invalid(*problems)
    suggestion = Suggestion(
        id=ids.new_id(),
        project_id=project_id,
        number=1,
        origin=ORIGIN,
        state=SuggestionState.PENDING,
        base_version_id=base.id,
        author_id=author_id,
        is_repaired=False,
        created_at=clock.now(),
        note=wanted.note,
        diff=diff_prompts(before, after),
        parts=changed_parts(before, after),
        targets=[],
        exemplars=[],
        violations=[asdict(each) for each in check_prompt(before, after)],
    )
    await decide.offer(session, suggestion)
    audit.record(
        session,
        "suggestion.created",
        entity=("suggestion", suggestion.id),
        project_id=project_id,
        after={"prompt_id": str(prompt_id), "note": wanted.note},
    )
    await resources.publish(session, prompt)
    return await view.describe(session, suggestion)


async def _base(session: AsyncSession, prompt_id: UUID, version_id: UUID | None) -> PromptVersion:
    if version_id is not None:
        return await prompts.get_version(session, prompt_id=prompt_id, version_id=version_id)
    found = await Reviews(session).find_latest_version(prompt_id)
    if found is None:
        raise Conflict("The prompt has no version yet. Save its draft as a version first.")
    return found


async def note_change(session: AsyncSession, suggestion: Suggestion) -> None:
    """Publishes that a suggestion outside of experiments was decided about, or commented on."""
    await optimizations.note_decided(session, suggestion.id)
    if suggestion.origin == ORIGIN and suggestion.base_version_id is not None:
        base = await decide.get_base(session, suggestion)
        prompt = await prompts.get_prompt(
            session, project_id=suggestion.project_id, prompt_id=base.prompt_id
        )
        await resources.publish(session, prompt)
