"""Notifies the author of a run, and destinations, when the run is over."""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.schema import Schema, Usd
from edison.kit.money import usd_from_nanos
from edison.runs.store.models import Run
from edison.runs.store.states import ARENA, QUESTIONS, RunState
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.schemas import News
from edison.workspace.notifications.types import NotificationKind, NotificationSource

# Runs that a person or a script starts. Experiments notify about their iterations, and the
# playground shows its result at once.
_NOTIFIED_ORIGINS = ("api", ARENA, QUESTIONS)


class RunFacts(Schema):
    """The result of a run in a message."""

    state: str
    answers: int
    failed: int
    cost_usd: Usd


RUN_COMPLETED = NotificationKind(
    key="run_completed",
    label="Run completed",
    hint="A run that you started has all its answers and scores.",
    tone="success",
    icon="done",
    in_app=False,
    facts=RunFacts,
)
RUN_FAILED = NotificationKind(
    key="run_failed",
    label="Run failed",
    hint="A run that you started failed, or most of its answers did.",
    tone="danger",
    icon="failure",
    in_app=False,
    facts=RunFacts,
)
NOTIFICATIONS = NotificationSource(
    entity_type="run",
    path=lambda subject: f"/runs/{subject.entity[1]}",
    kinds=(RUN_FAILED, RUN_COMPLETED),
)


async def notify_over(session: AsyncSession, run: Run) -> None:
    """Listens to `on_moved`. A cancelled run sends nothing: a member cancelled it."""
    if run.origin not in _NOTIFIED_ORIGINS or run.state not in (
        RunState.COMPLETED,
        RunState.FAILED,
    ):
        return
    has_failed = run.state == RunState.FAILED or run.error_count * 2 > run.cell_count
    await notifications.notify(
        session,
        News(
            project_id=run.project_id,
            kind=RUN_FAILED if has_failed else RUN_COMPLETED,
            entity=("run", run.id),
            title=f"{run.name} failed" if has_failed else f"{run.name} completed",
            body=_body(run),
            facts=RunFacts(
                state=run.state,
                answers=run.done_count - run.error_count,
                failed=run.error_count,
                cost_usd=usd_from_nanos(run.cost_nanos),
            ),
        ),
        user_ids=[] if run.author_id is None else [run.author_id],
    )


def _body(run: Run) -> str:
    if run.state == RunState.FAILED:
        return run.message or "The run stopped with an internal error. Resume it on its page."
    answers = f"{run.cell_count - run.error_count:,} of {run.cell_count:,} answers succeeded."
    return f"{answers} Cost: ${usd_from_nanos(run.cost_nanos):f}."
