"""Notifications about an experiment: scored, awaiting review, stuck, ended."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.experiments.models import Experiment, Iteration, Suggestion
from edison.loops.experiments.schemas.iterations import IterationMetrics
from edison.workspace.budgets.types import BUDGET_ALERT
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.schemas import News
from edison.workspace.notifications.types import (
    NotificationKind,
    NotificationSource,
    NotificationSubject,
)
from edison.workspace.projects.models import Role

_BY_PERSON = "person"
_BUDGET = "budget"

REVIEW_WAITING = NotificationKind(
    key="review_waiting",
    label="Review requested",
    hint="A suggestion is awaiting review.",
    tone="accent",
    icon="review",
    by_email=True,
)
PARTIAL_FAILURE = NotificationKind(
    key="partial_failure",
    label="Failure",
    hint="Answers failed, or an iteration is stuck.",
    tone="danger",
    icon="failure",
    by_email=True,
)
RUN_FINISHED = NotificationKind(
    key="run_finished",
    label="Iteration scored",
    hint="An iteration has all its answers and scores.",
    tone="success",
    icon="done",
)
EXPERIMENT_ENDED = NotificationKind(
    key="experiment_ended",
    label="Experiment completed",
    hint="An experiment ended, with the reason and its best version.",
    tone="info",
    icon="ended",
)


def _path(subject: NotificationSubject) -> str:
    match subject.part:
        case ("suggestion", part_id):
            return f"/reviews/{part_id}"
        case ("iteration", part_id):
            return f"/experiments/{subject.entity[1]}/iterations/{part_id}"
        case _:
            return f"/experiments/{subject.entity[1]}"


NOTIFICATIONS = NotificationSource(
    entity_type="experiment",
    path=_path,
    kinds=(REVIEW_WAITING, PARTIAL_FAILURE, RUN_FINISHED, EXPERIMENT_ENDED),
)


async def notify_finished(
    session: AsyncSession,
    experiment: Experiment,
    iteration: Iteration,
    metrics: IterationMetrics,
) -> None:
    """Its runs are over, with or without failed answers."""
    score = "" if metrics.train.value is None else f" Score: {10 * metrics.train.value:.1f}/10."
    if metrics.failed:
        asked = metrics.answers + metrics.failed
        await notifications.notify_members(
            session,
            _news(
                experiment,
                PARTIAL_FAILURE,
                title=f"{_name(experiment, iteration)}: {metrics.failed} answers failed",
                body=f"{metrics.failed} of {asked} answers failed.{score}",
                part=_part(iteration),
            ),
        )
        return
    await notifications.notify_members(
        session,
        _news(
            experiment,
            RUN_FINISHED,
            title=f"{_name(experiment, iteration)} is scored",
            body=f"{metrics.answers} answers scored.{score}",
            part=_part(iteration),
        ),
    )


async def notify_review(
    session: AsyncSession,
    experiment: Experiment,
    iteration: Iteration,
    suggestions: Sequence[Suggestion],
) -> None:
    """Links to the first suggestion; its page links to the others."""
    count = len(suggestions)
    noun = "suggestion" if count == 1 else "suggestions"
    await notifications.notify_members(
        session,
        _news(
            experiment,
            REVIEW_WAITING,
            title=f"{_name(experiment, iteration)}: {count} {noun} to review",
            body="Approve, edit or reject with a reason.",
            part=("suggestion", suggestions[0].id),
            content="\n\n".join(each.diff for each in suggestions),
        ),
        least=Role.REVIEWER,
    )


async def notify_no_change(
    session: AsyncSession, experiment: Experiment, iteration: Iteration
) -> None:
    """The iteration waits for a decision without a suggestion."""
    await notifications.notify_members(
        session,
        _news(
            experiment,
            REVIEW_WAITING,
            title=f"{_name(experiment, iteration)} needs your decision",
            body=iteration.message or "No change was suggested.",
            part=_part(iteration),
        ),
    )


async def notify_failed(
    session: AsyncSession, experiment: Experiment, iteration: Iteration
) -> None:
    kind = PARTIAL_FAILURE
    if iteration.problem == _BUDGET:
        kind = BUDGET_ALERT
    await notifications.notify_members(
        session,
        _news(
            experiment,
            kind,
            title=f"{_name(experiment, iteration)} needs attention",
            body=iteration.message or "The iteration is incomplete.",
            part=_part(iteration),
        ),
    )


async def notify_paused(
    session: AsyncSession, experiment: Experiment, iteration: Iteration
) -> None:
    """A pause by a member sends nothing."""
    if iteration.problem != _BY_PERSON:
        await notify_failed(session, experiment, iteration)


async def notify_ended(session: AsyncSession, experiment: Experiment, message: str) -> None:
    await notifications.notify_members(
        session,
        _news(
            experiment,
            EXPERIMENT_ENDED,
            title=f"{experiment.name} completed",
            body=message,
            part=None,
        ),
    )


def _name(experiment: Experiment, iteration: Iteration) -> str:
    return f"{experiment.name} #{iteration.number}"


def _part(iteration: Iteration) -> tuple[str, UUID]:
    return "iteration", iteration.id


def _news(
    experiment: Experiment,
    kind: NotificationKind,
    *,
    title: str,
    body: str,
    part: tuple[str, UUID] | None,
    content: str | None = None,
) -> News:
    return News(
        project_id=experiment.project_id,
        kind=kind,
        entity=("experiment", experiment.id),
        part=part,
        title=title,
        body=body,
        content=content,
    )
