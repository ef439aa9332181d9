"""Human scores of outputs: list, save, delete, and remove when the answer is replaced."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.runs.scoring.errors import AnswerReplaced, NothingToScore, OffScale, RetryPending
from edison.runs.scoring.models import HumanScore
from edison.runs.scoring.repository.flags import OutputFlags
from edison.runs.scoring.repository.outputs import ScorableOutputs
from edison.runs.scoring.repository.scores import HumanScores
from edison.runs.scoring.repository.seats import SeatsOfOutputs
from edison.runs.scoring.scales import ScoringQuestion, is_on_scale, value_of
from edison.runs.scoring.schemas.scores import (
    FlagRead,
    HumanScoreRead,
    HumanScoreRequest,
    OutputScores,
    ScoringPerson,
)
from edison.runs.store import service as run_scores
from edison.runs.store.models import Output
from edison.workspace.audit import service as audit
from edison.workspace.events import service as events

SCORED = "output.scored"


async def list_scores(
    session: AsyncSession, *, project_id: UUID, output_id: UUID, user_id: UUID
) -> OutputScores:
    """Raises NotFound if the project has no such output."""
    await ScorableOutputs(session).get(project_id, output_id)
    return await describe(session, output_id, user_id)


async def give_score(
    session: AsyncSession,
    *,
    project_id: UUID,
    output_id: UUID,
    user_id: UUID,
    wanted: HumanScoreRequest,
) -> OutputScores:
    """Raises NothingToScore, BeingMadeAgain, AnotherAnswer, OffScale."""
    output = await run_scores.lock_output(session, project_id=project_id, output_id=output_id)
    if wanted.about not in (None, output.number):
        raise AnswerReplaced
    if wanted.answer is not None and not is_on_scale(wanted.question, wanted.answer):
        raise OffScale("answer", wanted.question)
    value = None if wanted.answer is None else value_of(wanted.question, wanted.answer)
    values = {
        "question": wanted.question,
        "answer": wanted.answer,
        "value": value,
        "criteria": None,
        "comment": wanted.comment or None,
    }
    await store(session, project_id=project_id, output=output, user_id=user_id, values=values)
    await announce(session, project_id, output)
    return await describe(session, output_id, user_id)


async def remove_score(
    session: AsyncSession, *, project_id: UUID, output_id: UUID, user_id: UUID
) -> OutputScores:
    """Deletes the user's score. Idempotent."""
    output = await run_scores.lock_output(session, project_id=project_id, output_id=output_id)
    if await delete_score(session, project_id=project_id, output=output, user_id=user_id):
        await SeatsOfOutputs(session).free([output_id], user_id=user_id)
        await announce(session, project_id, output)
    return await describe(session, output_id, user_id)


async def store(
    session: AsyncSession,
    *,
    project_id: UUID,
    output: Output,
    user_id: UUID,
    values: dict[str, Any],
) -> None:
    """Saves a person's score of a locked output; replaces an earlier one. Raises NothingToScore,
    BeingMadeAgain.
    """
    if output.status == "error":
        raise NothingToScore
    if output.is_wanted_again:
        raise RetryPending
    scores = HumanScores(session)
    before = await scores.find(output.id, user_id)
    noted = None if before is None else _noted(before)
    await scores.save(output.id, user_id, values)
    await run_scores.set_human_value(session, output=output, value=await scores.mean(output.id))
    audit.record(
        session,
        "output.scored",
        entity=("output", output.id),
        project_id=project_id,
        before=noted,
        after={name: values[name] for name in _NOTED},
    )


async def delete_score(
    session: AsyncSession, *, project_id: UUID, output: Output, user_id: UUID
) -> bool:
    """False if there was no score."""
    scores = HumanScores(session)
    before = await scores.find(output.id, user_id)
    if before is None:
        return False
    await scores.remove(output.id, user_id)
    await run_scores.set_human_value(session, output=output, value=await scores.mean(output.id))
    audit.record(
        session,
        "output.score_removed",
        entity=("output", output.id),
        project_id=project_id,
        before=_noted(before),
    )
    return True


async def announce(session: AsyncSession, project_id: UUID, output: Output) -> None:
    """Publishes the change to the project's stream. Call it last: it locks the stream."""
    await events.publish(
        session,
        stream=events.project_stream(project_id),
        kind=SCORED,
        data={"entity_id": str(output.id), "run_id": str(output.run_id)},
    )


async def delete_outdated(session: AsyncSession, output_ids: Sequence[UUID]) -> None:
    """Hook of runs: the answers of these outputs were replaced. Removes their human scores and
    flags; the audit log keeps the scores, and queues offer the new answers.
    """
    await SeatsOfOutputs(session).free(output_ids)
    await OutputFlags(session).remove(output_ids)
    for output_id in output_ids:
        removed = await HumanScores(session).remove_of_output(output_id)
        if not removed:
            continue
        project_id = await ScorableOutputs(session).get_project(output_id)
        for score in removed:
            audit.record(
                session,
                "output.score_outdated",
                entity=("output", output_id),
                project_id=project_id,
                before={"user_id": str(score.user_id), **_noted(score)},
            )


_NOTED = ("question", "answer", "criteria", "comment")


def _noted(score: HumanScore) -> dict[str, Any]:
    return {name: getattr(score, name) for name in _NOTED}


async def describe(session: AsyncSession, output_id: UUID, user_id: UUID) -> OutputScores:
    """All human scores of the output; those of `user_id` are marked."""
    scores = HumanScores(session)
    return OutputScores(
        value=await scores.mean(output_id),
        flag=await _flag(session, output_id, user_id),
        items=[
            _read(score, email, name, user_id=user_id)
            for score, email, name in await scores.list_of_output(output_id)
        ],
    )


async def _flag(session: AsyncSession, output_id: UUID, user_id: UUID) -> FlagRead | None:
    found = await OutputFlags(session).find(output_id)
    if found is None:
        return None
    flag, email, name = found
    return FlagRead(
        person=_person(flag.user_id, email, name),
        is_mine=flag.user_id == user_id,
        created_at=flag.created_at,
    )


def _person(user_id: UUID | None, email: str | None, name: str | None) -> ScoringPerson | None:
    if user_id is None or email is None:
        return None
    return ScoringPerson(id=user_id, name=name or email)


def _read(
    score: HumanScore, email: str | None, name: str | None, *, user_id: UUID
) -> HumanScoreRead:
    return HumanScoreRead(
        id=score.id,
        person=_person(score.user_id, email, name),
        is_mine=score.user_id == user_id,
        question=ScoringQuestion(score.question),
        answer=score.answer,
        criteria=score.criteria,
        value=score.value,
        comment=score.comment,
        created_at=score.created_at,
        updated_at=score.updated_at,
    )
