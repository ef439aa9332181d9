"""Applies decisions about suggestions: saves the prompt version and starts the next iteration."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit import clock, ids
from edison.kit.errors import NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.prompts import lineage
from edison.library.prompts import service as prompts
from edison.library.prompts.models import PromptVersion, VersionOrigin
from edison.loops.experiments.errors import AlreadyDecided, IllegalChange
from edison.loops.experiments.events import publish_iteration
from edison.loops.experiments.iterations.start import add_iteration
from edison.loops.experiments.iterations.stop import end_by_rule, find_end
from edison.loops.experiments.iterations.transitions import move
from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.repository.iterations import Iterations
from edison.loops.experiments.repository.suggestions import Suggestions
from edison.loops.experiments.states import IterationState, SuggestionState
from edison.pipeline.refine.parts import changed_parts, diff_prompts, with_parts

LONGEST_CHANGELOG = 500
NONE_BETTER = (
    "Every suggestion did worse on the training cases than the version it changes, so none was "
    "approved."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A reviewer's decision; `reviewer_id` is None for an automatic approval. `parts` are the parts
    of the prompt that the reviewer edited. `may_branch` allows it although the prompt has newer
    versions than the suggestion's base.
    """

    reviewer_id: UUID | None
    reason: str | None = None
    parts: Mapping[str, Any] = field(default_factory=dict)
    may_branch: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """`is_edited`: the reviewer changed what was suggested. `next_iteration` is None when a stop
    rule applies; `stop_message` says which.
    """

    version: PromptVersion
    next_iteration: Iteration | None
    stop_message: str | None
    is_edited: bool = False


async def get_suggestion(
    session: AsyncSession, *, project_id: UUID, suggestion_id: UUID
) -> Suggestion:
    return await Suggestions(session).get(project_id, suggestion_id)


async def get_base(session: AsyncSession, suggestion: Suggestion) -> PromptVersion:
    """The version that the suggestion changes. Raises NotFound if it was deleted."""
    if suggestion.base_version_id is not None:
        found = await Suggestions(session).find_version(
            suggestion.project_id, suggestion.base_version_id
        )
        if found is not None:
            return found
    raise NotFound("The version that this was suggested for is gone.")


async def is_latest(session: AsyncSession, suggestion: Suggestion, base: PromptVersion) -> bool:
    """Whether the prompt has no newer version than the suggestion's base and the version that its
    iteration tested: refiners continue from the version that leads, which may be an earlier one.
    """
    iteration = (
        None
        if suggestion.iteration_id is None
        else await Iterations(session).find(suggestion.iteration_id)
    )
    versions = await Suggestions(session).list_versions(base.prompt_id)
    known = (base.id, None if iteration is None else iteration.version_id)
    return bool(versions) and versions[-1].id in known


async def pass_over(session: AsyncSession, iteration_id: UUID) -> None:
    """Completes an iteration in review without a change, since no suggestion did better than the
    version it changes. Ends the experiment if a stop rule applies.
    """
    iteration = await Iterations(session).find(iteration_id, is_locked=True)
    if iteration is None or iteration.state != IterationState.REVIEWING:
        return
    experiment = await Experiments(session).find(iteration.experiment_id, is_locked=True)
    if experiment is None:
        return
    await Suggestions(session).supersede_all(iteration_id)
    stop = await find_end(session, experiment, has_suggestion=False)
    moved = await move(
        session,
        iteration,
        IterationState.COMPLETED,
        problem="no_suggestion",
        message=NONE_BETTER,
    )
    if stop is not None:
        await end_by_rule(session, experiment, stop)
    await publish_iteration(session, experiment, moved or iteration)


async def get_tested(
    session: AsyncSession, *, project_id: UUID, experiment_id: UUID, iteration_id: UUID
) -> PromptVersion:
    """The version that the iteration tested. Raises NotFound if it was deleted."""
    experiment = await Experiments(session).get(project_id, experiment_id)
    iteration, _ = await Iterations(session).get(experiment_id, iteration_id)
    if experiment.prompt_id is None or iteration.version_id is None:
        raise NotFound("The version that this iteration tested is gone.")
    return await prompts.get_version(
        session, prompt_id=experiment.prompt_id, version_id=iteration.version_id
    )


async def accept(session: AsyncSession, suggestion: Suggestion, verdict: Decision) -> Accepted:
    """Stores the decision, saves the version, completes the iteration and starts the next one, in
    one transaction. For a suggestion of an optimization, only the version is saved. Of two
    concurrent decisions, the second raises AlreadyDecided. Also raises IllegalChange, BaseChanged,
    Unchanged or Invalid.
    """
    base = await get_base(session, suggestion)
    is_expected = await is_latest(session, suggestion, base)
    before = prompts.template_of(base)
    suggested = with_parts(before, suggestion.parts)
    after = with_parts(suggested, verdict.parts)
    parts = changed_parts(before, after)
    is_edited = after != suggested
    place = await _lock(session, suggestion)
    state = SuggestionState.EDITED if is_edited else SuggestionState.APPROVED
    values: dict[str, Any] = {"reason": verdict.reason}
    if is_edited:
        values |= {"parts": parts, "diff": diff_prompts(before, after)}
    await _decide(session, suggestion, state, verdict, values)
    version = await prompts.save_suggested(
        session,
        base=base,
        project_id=suggestion.project_id,
        parts=parts,
        provenance=lineage.Provenance(
            origin=VersionOrigin.SUGGESTION,
            author_id=verdict.reviewer_id,
            changelog=_changelog(suggestion),
        ),
        may_branch=verdict.may_branch or is_expected,
    )
    suggestions = Suggestions(session)
    await suggestions.set_version(suggestion.id, version.id)
    if place is None:
        return Accepted(
            version=version, next_iteration=None, stop_message=None, is_edited=is_edited
        )
    experiment, iteration = place
    await suggestions.supersede_all(iteration.id)
    moved = await move(session, iteration, IterationState.COMPLETED)
    accepted = await _continue(session, experiment, moved or iteration, version, verdict)
    return replace(accepted, is_edited=is_edited)


async def _continue(
    session: AsyncSession,
    experiment: Experiment,
    iteration: Iteration,
    version: PromptVersion,
    verdict: Decision,
) -> Accepted:
    await Experiments(session).change(experiment.id, {"version_id": version.id})
    stop = await find_end(session, experiment, has_suggestion=True)
    if stop is None:
        following = await add_iteration(session, experiment, version, author_id=verdict.reviewer_id)
        await publish_iteration(session, experiment, following)
        return Accepted(version=version, next_iteration=following, stop_message=None)
    await end_by_rule(session, experiment, stop)
    await publish_iteration(session, experiment, iteration)
    return Accepted(version=version, next_iteration=None, stop_message=stop.message)


async def reject(session: AsyncSession, suggestion: Suggestion, verdict: Decision) -> None:
    """Rejecting the last pending suggestion completes the iteration; no next one starts. Raises
    AlreadyDecided or IllegalChange.
    """
    place = await _lock(session, suggestion)
    values = {"reason": verdict.reason}
    await _decide(session, suggestion, SuggestionState.REJECTED, verdict, values)
    if place is None:
        return
    experiment, iteration = place
    moved = None
    if not await Suggestions(session).count_pending_of(iteration.id):
        moved = await move(session, iteration, IterationState.COMPLETED)
    await publish_iteration(session, experiment, moved or iteration)


async def propose_own(
    session: AsyncSession,
    *,
    project_id: UUID,
    iteration_id: UUID,
    parts: Mapping[str, Any],
    note: str,
    author_id: UUID,
) -> Suggestion:
    """Adds a user's edit of some parts as a pending suggestion. Raises IllegalChange when the
    iteration is not in review.
    """
    iteration = await Iterations(session).find(iteration_id, is_locked=True)
    experiment = (
        None if iteration is None else await Experiments(session).find(iteration.experiment_id)
    )
    if iteration is None or experiment is None or experiment.project_id != project_id:
        raise NotFound("There is no such iteration.")
    if iteration.state != IterationState.REVIEWING or iteration.version_id is None:
        raise IllegalChange("given a suggestion", iteration.state)
    suggestion = Suggestion(
        id=ids.new_id(),
        project_id=project_id,
        experiment_id=experiment.id,
        iteration_id=iteration_id,
        number=await Suggestions(session).next_number(iteration_id),
        origin="person",
        state=SuggestionState.PENDING,
        base_version_id=iteration.version_id,
        author_id=author_id,
        is_repaired=False,
        created_at=clock.now(),
        note=note,
        diff="",
        parts={},
        targets=[],
        exemplars=[],
        violations=[],
    )
    base = await get_base(session, suggestion)
    before = prompts.template_of(base)
    after = with_parts(before, parts)
    suggestion.parts = changed_parts(before, after)
    suggestion.diff = diff_prompts(before, after)
    await Suggestions(session).add_all([suggestion])
    await publish_iteration(session, experiment, iteration)
    return suggestion


async def _lock(
    session: AsyncSession, suggestion: Suggestion
) -> tuple[Experiment, Iteration] | None:
    """Lock order: the iteration before its experiment. None for a suggestion of an optimization,
    which waits for the decision in no state.
    """
    if suggestion.iteration_id is None or suggestion.experiment_id is None:
        current = await Suggestions(session).get(suggestion.project_id, suggestion.id)
        if current.state != SuggestionState.PENDING:
            raise AlreadyDecided(current.state)
        return None
    iteration = await Iterations(session).find(suggestion.iteration_id, is_locked=True)
    experiment = await Experiments(session).find(suggestion.experiment_id, is_locked=True)
    if iteration is None or experiment is None:
        raise NotFound("There is no such suggestion.")
    current = await Suggestions(session).get(suggestion.project_id, suggestion.id)
    if current.state != SuggestionState.PENDING:
        raise AlreadyDecided(current.state)
    if iteration.state != IterationState.REVIEWING:
        raise IllegalChange("decided about", iteration.state)
    return experiment, iteration


async def offer(session: AsyncSession, suggestion: Suggestion) -> None:
    """Adds a suggestion that belongs to no experiment."""
    await Suggestions(session).add_all([suggestion])


async def _decide(
    session: AsyncSession,
    suggestion: Suggestion,
    state: SuggestionState,
    verdict: Decision,
    values: dict[str, Any],
) -> None:
    decided = await Suggestions(session).decide(
        suggestion.id,
        state,
        values | {"decided_at": clock.now(), "decided_by_id": verdict.reviewer_id},
    )
    if decided is None:
        current = await Suggestions(session).get(suggestion.project_id, suggestion.id)
        raise AlreadyDecided(current.state)


def _changelog(suggestion: Suggestion) -> str:
    told = " ".join(f"Applied suggestion: {suggestion.note}".split())
    return told if len(told) <= LONGEST_CHANGELOG else told[: LONGEST_CHANGELOG - 1] + "…"
