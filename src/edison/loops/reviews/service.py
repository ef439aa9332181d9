"""Review of suggestions: checks, decisions, comments, counterexamples."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest, Slice
from edison.jobs.job import Job
from edison.kit import clock, ids
from edison.kit.errors import Conflict, Invalid, NotFound
from edison.library.datasets import service as datasets
from edison.library.prompts import service as prompts
from edison.library.prompts.models import PromptVersion
from edison.library.prompts.schemas import PromptContent
from edison.loops.experiments import events
from edison.loops.experiments.iterations import decide, transitions
from edison.loops.experiments.iterations.decide import Accepted
from edison.loops.experiments.iterations.decide import Decision as Verdict
from edison.loops.experiments.models import Suggestion
from edison.loops.reviews import propose, view
from edison.loops.reviews.models import Review, ReviewComment, ReviewDecision
from edison.loops.reviews.repository import Reviews
from edison.loops.reviews.schemas import (
    CheckRead,
    CommentRead,
    CounterexampleRead,
    CounterexampleRequest,
    DecisionRead,
    FieldProblemRead,
    OwnSuggestion,
    SuggestionFilter,
    SuggestionRead,
    SuggestionSummary,
    ViolationRead,
)
from edison.pipeline.refine.parts import check_prompt, with_parts
from edison.workspace.audit import service as audit

AUTO_REVIEW = transitions.AUTO_REVIEW


async def list_suggestions(
    session: AsyncSession, *, project_id: UUID, wanted: SuggestionFilter, page: PageRequest
) -> Slice[SuggestionSummary]:
    found = await Reviews(session).page_suggestions(project_id, wanted=wanted, page=page)
    return found.with_items([view.summarise(*row) for row in found.items])


async def get_suggestion(
    session: AsyncSession, *, project_id: UUID, suggestion_id: UUID
) -> SuggestionRead:
    suggestion = await decide.get_suggestion(
        session, project_id=project_id, suggestion_id=suggestion_id
    )
    return await view.describe(session, suggestion)


async def check_edit(
    session: AsyncSession, *, project_id: UUID, suggestion_id: UUID, parts: Mapping[str, Any]
) -> CheckRead:
    """Checks edited parts before a decision. Guardrail violations are reported, not refused."""
    suggestion = await decide.get_suggestion(
        session, project_id=project_id, suggestion_id=suggestion_id
    )
    base = await decide.get_base(session, suggestion)
    return _check(base, {**suggestion.parts, **parts})


async def check_own(
    session: AsyncSession,
    *,
    project_id: UUID,
    place: tuple[UUID, UUID],
    parts: Mapping[str, Any],
) -> CheckRead:
    """Checks a user's own edit; `place` is the experiment and the iteration."""
    base = await decide.get_tested(
        session, project_id=project_id, experiment_id=place[0], iteration_id=place[1]
    )
    return _check(base, parts)


def _check(base: PromptVersion, parts: Mapping[str, Any]) -> CheckRead:
    """`parts` replace those of the base."""
    before = prompts.template_of(base)
    after = with_parts(before, parts)
    written = PromptContent.model_validate(prompts.contents_of(base) | dict(parts))
    violations = check_prompt(before, after)
    return CheckRead(
        changes=view.read_changes(before, after),
        is_unchanged=before == after,
        violations=[ViolationRead.model_validate(asdict(each)) for each in violations],
        problems=[FieldProblemRead.model_validate(each) for each in prompts.find_problems(written)],
    )


async def approve(
    session: AsyncSession, *, project_id: UUID, suggestion_id: UUID, verdict: Verdict
) -> DecisionRead:
    """Stores decision, version, review and audit record in one transaction and starts the next
    iteration, unless a stop rule applies. If `verdict.parts` differ from what was suggested, it
    counts as edited.
    """
    suggestion = await decide.get_suggestion(
        session, project_id=project_id, suggestion_id=suggestion_id
    )
    accepted = await decide.accept(session, suggestion, verdict)
    decision = ReviewDecision.EDITED if accepted.is_edited else ReviewDecision.APPROVED
    await _store_decision(session, suggestion, decision, verdict, version_id=accepted.version.id)
    return await _decided(session, suggestion, accepted)


async def reject(
    session: AsyncSession, *, project_id: UUID, suggestion_id: UUID, verdict: Verdict
) -> DecisionRead:
    suggestion = await decide.get_suggestion(
        session, project_id=project_id, suggestion_id=suggestion_id
    )
    await decide.reject(session, suggestion, verdict)
    await _store_decision(session, suggestion, ReviewDecision.REJECTED, verdict, version_id=None)
    return await _decided(session, suggestion, None)


async def _store_decision(
    session: AsyncSession,
    suggestion: Suggestion,
    decision: ReviewDecision,
    verdict: Verdict,
    *,
    version_id: UUID | None,
) -> None:
    reviews = Reviews(session)
    await reviews.add(
        Review(
            id=ids.new_id(),
            suggestion_id=suggestion.id,
            reviewer_id=verdict.reviewer_id,
            reviewer=await reviews.find_email(verdict.reviewer_id),
            decision=decision,
            version_id=version_id,
            created_at=clock.now(),
            reason=verdict.reason,
        )
    )
    after: dict[str, Any] = {"reason": verdict.reason}
    if version_id is not None:
        after |= {"version_id": str(version_id), "is_automatic": verdict.reviewer_id is None}
    audit.record(
        session,
        f"suggestion.{decision}",
        entity=("suggestion", suggestion.id),
        project_id=suggestion.project_id,
        after=after,
    )


async def _decided(
    session: AsyncSession, suggestion: Suggestion, accepted: Accepted | None
) -> DecisionRead:
    following = None if accepted is None else accepted.next_iteration
    described = await get_suggestion(
        session, project_id=suggestion.project_id, suggestion_id=suggestion.id
    )
    if suggestion.experiment_id is None:
        await propose.note_change(session, suggestion)
    return DecisionRead(
        suggestion=described,
        version_id=None if accepted is None else accepted.version.id,
        next_iteration_id=None if following is None else following.id,
        stop_message=None if accepted is None else accepted.stop_message,
    )


async def propose_own(
    session: AsyncSession,
    *,
    project_id: UUID,
    place: tuple[UUID, UUID],
    wanted: OwnSuggestion,
    author_id: UUID,
) -> SuggestionRead:
    """Adds a user's own edit; `place` is the experiment and the iteration. Raises Conflict when the
    prompt is unchanged.
    """
    suggestion = await decide.propose_own(
        session,
        project_id=project_id,
        iteration_id=place[1],
        parts=wanted.parts(),
        note=wanted.note,
        author_id=author_id,
    )
    if suggestion.experiment_id != place[0]:
        raise NotFound("There is no such iteration of this experiment.")
    if not suggestion.diff:
        raise Conflict("This is what the prompt says already.")
    audit.record(
        session,
        "suggestion.created",
        entity=("suggestion", suggestion.id),
        project_id=project_id,
        after={"iteration_id": str(place[1]), "note": wanted.note},
    )
    return await view.describe(session, suggestion)


async def list_comments(
    session: AsyncSession, *, project_id: UUID, suggestion_id: UUID, page: PageRequest
) -> Slice[CommentRead]:
    await decide.get_suggestion(session, project_id=project_id, suggestion_id=suggestion_id)
    found = await Reviews(session).page_comments(suggestion_id, page=page)
    return found.with_items([view.read_comment(*row) for row in found.items])


async def add_comment(
    session: AsyncSession, *, project_id: UUID, suggestion_id: UUID, text: str, author_id: UUID
) -> CommentRead:
    suggestion = await decide.get_suggestion(
        session, project_id=project_id, suggestion_id=suggestion_id
    )
    comment = ReviewComment(
        id=ids.new_id(),
        suggestion_id=suggestion_id,
        author_id=author_id,
        created_at=clock.now(),
        text=text,
    )
    await Reviews(session).add(comment)
    audit.record(
        session,
        "suggestion.commented",
        entity=("suggestion", suggestion_id),
        project_id=project_id,
        after={"comment_id": str(comment.id)},
    )
    said = view.read_comment(comment, await Reviews(session).find_email(author_id))
    if suggestion.experiment_id is None:
        await propose.note_change(session, suggestion)
    else:
        await events.publish(session, project_id=project_id, experiment_id=suggestion.experiment_id)
    return said


async def add_counterexample(
    session: AsyncSession,
    *,
    project_id: UUID,
    suggestion_id: UUID,
    wanted: CounterexampleRequest,
    author_id: UUID,
) -> CounterexampleRead:
    """Adds a case for the next iterations; existing runs keep their cases."""
    suggestion = await decide.get_suggestion(
        session, project_id=project_id, suggestion_id=suggestion_id
    )
    _, experiment, optimization = await Reviews(session).get_place(suggestion)
    origin = experiment or optimization
    if origin is None or origin.dataset_id is None:
        raise NotFound("The dataset that this was suggested for was deleted.")
    if problems := datasets.find_problems(wanted.case):
        raise Invalid(*problems)
    (case_id,) = await datasets.add_cases(
        session,
        project_id=project_id,
        dataset_id=origin.dataset_id,
        wanted=[wanted.case],
        author_id=author_id,
    )
    return CounterexampleRead(dataset_id=origin.dataset_id, case_id=case_id)


async def review_automatically(session: AsyncSession, *, iteration_id: UUID) -> None:
    """Approves the pending suggestion of an iteration that did best on the training cases, unless
    it did worse than the version it changes; if its project still does not require review.
    """
    waiting = dict(await Reviews(session).list_unreviewed())
    project_id = waiting.get(iteration_id)
    if project_id is None:
        return
    suggestion = await Reviews(session).find_first_pending(iteration_id)
    if suggestion is not None and view.did_worse(suggestion):
        await decide.pass_over(session, iteration_id)
    elif suggestion is not None:
        await approve(
            session,
            project_id=project_id,
            suggestion_id=suggestion.id,
            verdict=Verdict(reviewer_id=None, may_branch=True),
        )


async def list_missing_jobs(session: AsyncSession) -> Sequence[Job]:
    """Hook of the job sweep: iterations that need an automatic approval."""
    return [
        transitions.auto_review_job(iteration_id, project_id)
        for iteration_id, project_id in await Reviews(session).list_unreviewed()
    ]
