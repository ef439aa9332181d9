"""Notifications about optimizations that have ended, or wait for a person."""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.optimizations.models import Optimization
from edison.loops.optimizations.schemas.verdicts import FinalistTestRead
from edison.loops.optimizations.states import OptimizationOutcome, OptimizationState
from edison.pipeline.refine.search import GateReason
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.schemas import News
from edison.workspace.notifications.types import NotificationKind, NotificationSource

OPTIMIZATION_ENDED = NotificationKind(
    key="optimization_ended",
    label="Optimization ended",
    hint="An optimization ended, with the result of its test on held-out cases.",
    tone="accent",
    icon="ended",
    by_email=True,
)
OPTIMIZATION_PAUSED = NotificationKind(
    key="optimization_paused",
    label="Optimization paused",
    hint="An optimization waits for money, or for a run that failed.",
    tone="warning",
    icon="budget",
    by_email=True,
)
NOTIFICATIONS = NotificationSource(
    entity_type="optimization",
    path=lambda subject: f"/optimizations/{subject.entity[1]}",
    kinds=(OPTIMIZATION_ENDED, OPTIMIZATION_PAUSED),
)
_SENTENCES = {
    OptimizationOutcome.NO_GAIN: "No candidate was better than the base on the training cases.",
    OptimizationOutcome.NO_HEADROOM: "The base scores too high for a worthwhile gain.",
    OptimizationOutcome.WORN_OUT: (
        "The held-out cases were tested too often to show a gain. Add fresh ones."
    ),
}
_REASONS = {
    GateReason.BETTER: "promoted",
    GateReason.NOT_BETTER: "refused",
    GateReason.TOO_SMALL: "refused, because the gain is too small",
    GateReason.LESS_SAFE: "refused, because it is less safe",
    GateReason.MISSING: "not decided, because too many answers have no score",
}


async def notify_ended(session: AsyncSession, row: Optimization) -> None:
    """An optimization that a person cancelled needs no notification."""
    if row.state == OptimizationState.CANCELLED:
        return
    words = "failed" if row.state == OptimizationState.FAILED else "ended"
    await _notify(session, row, OPTIMIZATION_ENDED, f"{row.name} {words}", describe_end(row))


async def notify_paused(session: AsyncSession, row: Optimization) -> None:
    body = row.message or "It waits."
    await _notify(session, row, OPTIMIZATION_PAUSED, f"{row.name} is paused", body)


async def _notify(
    session: AsyncSession, row: Optimization, kind: NotificationKind, title: str, body: str
) -> None:
    await notifications.notify_members(
        session,
        News(
            project_id=row.project_id,
            kind=kind,
            entity=("optimization", row.id),
            title=title,
            body=body,
        ),
    )


def describe_end(row: Optimization) -> str:
    """One sentence with the figures of the test."""
    if row.state == OptimizationState.FAILED or row.outcome is None:
        return row.message or "It could not go on."
    if row.verdict is None:
        return _SENTENCES.get(OptimizationOutcome(row.outcome), "It ended.")
    found = FinalistTestRead.model_validate(row.verdict)
    held_out = "unknown" if found.difference is None else f"{found.difference:+.2f}"
    if found.low is not None and found.high is not None:
        held_out += f" ({found.low:+.2f} to {found.high:+.2f})"
    return (
        f"Candidate {row.finalist} looked better by {found.train_gain or 0:.2f} on training cases; "
        f"held out {held_out} on {found.cases} cases: {_REASONS[found.reason]}."
    )
