"""Annotation: one person claims, scores or skips the items of a queue, and may undo.

Lock order: the output's run before the seat, as when a new answer is stored.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.lazy_dataclasses import dataclass
from edison.runs.scoring import queues, scores
from edison.runs.scoring.errors import ClaimLost, NotAsked, NothingToUndo, NotOpen, OffScale
from edison.runs.scoring.repository.scores import HumanScores
from edison.runs.scoring.repository.seats import Seats
from edison.runs.scoring.scales import ScoringQuestion, is_on_scale, value_of
from edison.runs.scoring.schemas.queues import (
    AnnotationAnswer,
    AnnotationCriterion,
    AnnotationItemRead,
    AnnotationQueueRead,
    AnnotationStep,
    GivenAnswer,
)
from edison.runs.scoring.states import AnnotationQueueState
from edison.runs.store import service as run_scores
from edison.workspace.audit import service as audit


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotator:
    """A person in a queue."""

    project_id: UUID
    queue_id: UUID
    user_id: UUID


async def claim_next(session: AsyncSession, *, who: Annotator) -> AnnotationStep:
    """Returns the person's claimed item, or claims the next. Raises NotOpen, NotAsked."""
    await _enter(session, who)
    return await _step(session, who)


async def score(
    session: AsyncSession, *, who: Annotator, item_id: UUID, wanted: AnnotationAnswer
) -> AnnotationStep:
    """Scores a claimed item and claims the next. Raises NotOpen, NotAsked, ClaimLost, Invalid."""
    queue = await _enter(session, who)
    values = _values(queue, wanted)
    seats = Seats(session, who.queue_id, who.user_id)
    item = await seats.get_item(item_id)
    output = await run_scores.lock_output(
        session, project_id=who.project_id, output_id=item.output_id
    )
    if not await seats.mark_scored(item_id):
        raise ClaimLost
    await scores.store(
        session, project_id=who.project_id, output=output, user_id=who.user_id, values=values
    )
    step = await _step(session, who)
    await scores.announce(session, who.project_id, output)
    await queues.announce(session, who.project_id, who.queue_id)
    return step


async def skip(
    session: AsyncSession, *, who: Annotator, item_id: UUID, reason: str
) -> AnnotationStep:
    """Skips a claimed item and claims the next. Raises NotOpen, NotAsked, ClaimLost."""
    await _enter(session, who)
    seats = Seats(session, who.queue_id, who.user_id)
    await seats.get_item(item_id)
    if not await seats.release(item_id):
        raise ClaimLost
    await seats.skip(item_id, reason)
    _note(session, who, item_id, "annotation.skipped", after={"reason": reason})
    step = await _step(session, who)
    await queues.announce(session, who.project_id, who.queue_id)
    return step


async def undo(session: AsyncSession, *, who: Annotator, item_id: UUID) -> AnnotationStep:
    """Claims an item again that the person scored or skipped, and removes its score. Raises
    NotOpen, NotAsked, NothingToUndo.
    """
    await _enter(session, who)
    seats = Seats(session, who.queue_id, who.user_id)
    item = await seats.get_item(item_id)
    output = await run_scores.lock_output(
        session, project_id=who.project_id, output_id=item.output_id
    )
    await seats.release()
    previous = None
    until = await seats.reopen_scored(item_id)
    if until is not None:
        previous = await _previous(session, output.id, who.user_id)
        await scores.delete_score(
            session, project_id=who.project_id, output=output, user_id=who.user_id
        )
    elif await seats.unskip(item_id):
        claimed = await seats.claim(item_id)
        until = None if claimed is None else claimed[1]
    if until is None:
        raise NothingToUndo
    _note(session, who, item_id, "annotation.undone")
    step = AnnotationStep(
        queue=await _queue(session, who),
        item=await _read_item(seats, item_id, until, previous=previous),
    )
    await scores.announce(session, who.project_id, output)
    await queues.announce(session, who.project_id, who.queue_id)
    return step


async def _enter(session: AsyncSession, who: Annotator) -> AnnotationQueueRead:
    queue = await _queue(session, who)
    if queue.state is not AnnotationQueueState.OPEN:
        raise NotOpen(queue.state)
    if not queue.is_for_me:
        raise NotAsked
    return queue


async def _queue(session: AsyncSession, who: Annotator) -> AnnotationQueueRead:
    return await queues.get_queue(
        session, project_id=who.project_id, queue_id=who.queue_id, user_id=who.user_id
    )


async def _step(session: AsyncSession, who: Annotator) -> AnnotationStep:
    seats = Seats(session, who.queue_id, who.user_id)
    claimed = await seats.claim_next()
    item = None if claimed is None else await _read_item(seats, *claimed, previous=None)
    return AnnotationStep(queue=await _queue(session, who), item=item)


async def _read_item(
    seats: Seats, item_id: UUID, until: datetime, *, previous: GivenAnswer | None
) -> AnnotationItemRead:
    output, case = await seats.read_item(item_id)
    return AnnotationItemRead(
        id=item_id,
        inputs=case.inputs,
        expected=case.expected,
        text=output.text or "",
        parsed=output.parsed,
        lease_until=until,
        previous=previous,
    )


async def _previous(session: AsyncSession, output_id: UUID, user_id: UUID) -> GivenAnswer | None:
    found = await HumanScores(session).find(output_id, user_id)
    if found is None:
        return None
    return GivenAnswer(answer=found.answer, criteria=found.criteria, comment=found.comment)


def _values(queue: AnnotationQueueRead, wanted: AnnotationAnswer) -> dict[str, Any]:
    """The columns of the score. Raises Invalid."""
    if queue.criteria is not None:
        answers = _checked(queue.question, queue.criteria, wanted.criteria or {})
        answer, value = None, weighted(queue.question, queue.criteria, answers)
    else:
        if wanted.answer is None or wanted.criteria is not None:
            message = "This queue asks one question: give one answer."
            raise Invalid(FieldProblem(field="answer", message=message, code="missing"))
        if not is_on_scale(queue.question, wanted.answer):
            raise OffScale("answer", queue.question)
        answers, answer, value = None, wanted.answer, value_of(queue.question, wanted.answer)
    return {
        "question": queue.question,
        "answer": answer,
        "value": value,
        "criteria": answers,
        "comment": wanted.comment or None,
    }


def _checked(
    question: ScoringQuestion, criteria: list[AnnotationCriterion], answers: Mapping[str, int]
) -> dict[str, int]:
    """Answers in the order of the queue's criteria. Raises Invalid for missing or unknown ones."""
    names = [criterion.name for criterion in criteria]
    problems = [
        FieldProblem(field=f"criteria.{name}", message="Answer this one, too.", code="missing")
        for name in names
        if name not in answers
    ]
    problems += [
        FieldProblem(
            field=f"criteria.{name}", message="Not a criterion of this queue.", code="unknown"
        )
        for name in answers
        if name not in names
    ]
    problems += [
        problem
        for name, answer in answers.items()
        if name in names and not is_on_scale(question, answer)
        for problem in OffScale(f"criteria.{name}", question).problems
    ]
    if problems:
        raise Invalid(*problems)
    return {name: answers[name] for name in names}


def weighted(
    question: ScoringQuestion, criteria: list[AnnotationCriterion], answers: Mapping[str, int]
) -> float:
    """The weighted mean; equal weights if all are 0."""
    weights = [criterion.weight for criterion in criteria]
    if sum(weights) == 0:
        weights = [1.0] * len(criteria)
    values = [value_of(question, answers[criterion.name]) for criterion in criteria]
    return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)


def _note(
    session: AsyncSession,
    who: Annotator,
    item_id: UUID,
    action: str,
    after: dict[str, Any] | None = None,
) -> None:
    audit.record(
        session,
        action,
        entity=("annotation_item", item_id),
        project_id=who.project_id,
        after={"queue_id": str(who.queue_id), **(after or {})},
    )
