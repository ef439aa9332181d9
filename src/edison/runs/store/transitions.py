"""Moves runs from state to state. Every state change goes through `move`.

Also records the working time of a run and the start of each phase.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db import wakeups
from edison.db.wakeups import Topic
from edison.jobs import job as jobs
from edison.jobs.job import Job, Priority
from edison.kit import clock
from edison.kit.hook import Hook
from edison.runs.store.cells import RunProgress
from edison.runs.store.chunks import Chunks
from edison.runs.store.errors import RunAlreadyActive
from edison.runs.store.models import Run
from edison.runs.store.repository import Runs
from edison.runs.store.states import NEXT, OVER, WORKING, RunState
from edison.workspace.events import service as events

FILL = "fill_chunk"
AGGREGATE = "aggregate_run"
RESUME = "resume_run"
PARK = "park_run"
# Reason of a pause that ends automatically when the budget has money again.
BUDGET = "budget"
# Chunks of one run that are queued for as many processes to begin with.
CHUNKS_AT_ONCE = 6

on_moved: Hook[[AsyncSession, Run], None] = Hook(
    "After a run changed its state, in that transaction."
)

_AT_WORK = (*WORKING, RunState.AGGREGATING)


def progress_topic(run_id: UUID) -> Topic:
    """Changed when the run has new results or a new state."""
    return Topic(f"run:{run_id}")


def control_topic(run_id: UUID) -> Topic:
    """Changed when the processes that fill the run must re-read its state."""
    return Topic(f"run-control:{run_id}")


async def move(
    session: AsyncSession,
    run: Run,
    state: RunState,
    *,
    reason: str | None = None,
    message: str | None = None,
) -> Run | None:
    """Returns the run in its new state, or None if its current state does not allow the transition.
    Raises RunAlreadyActive when another run holds the lock it needs.
    """
    if state not in NEXT[RunState(run.state)]:
        return None
    values = _values(run, state, clock.now()) | {"reason": reason, "message": message}
    if values.get("lock_key") is None:
        moved = await Runs(session).change_state(run.id, RunState(run.state), state, values)
    else:
        moved = await _take_lock(session, run, state, values)
    if moved is not None:
        wakeups.topic_changed(session, progress_topic(run.id))
        wakeups.topic_changed(session, control_topic(run.id))
        await on_moved.fire(session, moved)
    return moved


async def _take_lock(
    session: AsyncSession, run: Run, state: RunState, values: dict[str, Any]
) -> Run | None:
    try:
        async with session.begin_nested():
            return await Runs(session).change_state(run.id, RunState(run.state), state, values)
    except IntegrityError as taken:
        raise RunAlreadyActive(await Runs(session).find_holder(run.lock_name)) from taken


def _values(run: Run, state: RunState, now: datetime) -> dict[str, Any]:
    values: dict[str, Any] = {}
    was_at_work, is_at_work = run.state in _AT_WORK, state in _AT_WORK
    if was_at_work and not is_at_work:
        values |= {"active_seconds": worked_seconds(run, now), "active_since": None}
    elif is_at_work and not was_at_work:
        values["active_since"] = now
    if is_at_work and run.started_at is None:
        values["started_at"] = now
    if state in OVER:
        values |= {"ended_at": now, "lock_key": None}
    elif run.state in OVER:
        values |= {"ended_at": None, "lock_key": run.lock_name}
    values["phases"] = {**run.phases, state.value: now.isoformat()}
    return values


def worked_seconds(run: Run, now: datetime) -> float:
    """Seconds of work until now. A clock set back counts as zero."""
    current = (now - run.active_since).total_seconds() if run.active_since else 0.0
    return run.active_seconds + max(0.0, current)


def next_state(run: Run | RunProgress) -> RunState | None:
    """The state a working run should move to by its tallies; None if it should stay."""
    if run.state not in WORKING:
        return None
    if run.done_count < run.cell_count:
        wanted = RunState.EXECUTING
    elif run.score_count < expected_scores(run) or run.comparison_count < run.comparison_total:
        wanted = RunState.SCORING
    else:
        wanted = RunState.AGGREGATING
    return None if wanted == run.state else wanted


def expected_scores(run: Run | RunProgress) -> int:
    """Failed cells have no answer to score."""
    return (run.done_count - run.error_count) * run.scorer_count


async def advance(session: AsyncSession, run: Run) -> Run:
    """Moves the run to the state its tallies require. Requires the run's row to be locked."""
    state = next_state(run)
    moved = None if state is None else await move(session, run, state)
    if moved is not None and state is RunState.AGGREGATING:
        jobs.request(session, aggregate_job(moved))
    return moved or run


async def queue_chunks(session: AsyncSession, run: Run) -> None:
    """Queues chunks for processes to begin with; each takes further ones by itself."""
    for job in await chunk_jobs(session, run):
        jobs.request(session, job)


async def chunk_jobs(session: AsyncSession, run: Run) -> list[Job]:
    numbers = await Chunks(session).list_next(run.id, at_once=CHUNKS_AT_ONCE)
    return [
        Job(
            task=FILL,
            key=_chunk_key(run.id, number),
            payload={"run_id": str(run.id), "number": number},
            priority=Priority(run.priority),
            project_id=run.project_id,
        )
        for number in numbers
    ]


def _chunk_key(run_id: UUID, number: int) -> str:
    return f"{FILL}:{run_id}:{number}"


async def dead_keys(session: AsyncSession, run: Run) -> list[str]:
    """Keys of the run's jobs that may be dead."""
    numbers = await Chunks(session).list_open(run.id)
    return [aggregate_job(run).key, *(_chunk_key(run.id, number) for number in numbers)]


def aggregate_job(run: Run) -> Job:
    return Job(
        task=AGGREGATE,
        key=f"{AGGREGATE}:{run.id}",
        payload={"run_id": str(run.id)},
        priority=Priority(run.priority),
        project_id=run.project_id,
    )


def resume_job(run: Run) -> Job:
    return Job(
        task=RESUME,
        key=f"{RESUME}:{run.id}",
        payload={"run_id": str(run.id)},
        priority=Priority(run.priority),
        project_id=run.project_id,
    )


def park_job(run: Run) -> Job:
    return Job(
        task=PARK,
        key=f"{PARK}:{run.id}",
        payload={"run_id": str(run.id)},
        priority=Priority(run.priority),
        project_id=run.project_id,
    )


def is_paused_since_earlier_day(run: Run) -> bool:
    """Whether the run was paused by its budget on an earlier day, in UTC."""
    if run.state != RunState.PAUSED or run.reason != BUDGET:
        return False
    paused_at = datetime.fromisoformat(run.phases[RunState.PAUSED])
    return paused_at.date() < clock.now().date()


async def announce(session: AsyncSession, run: Run) -> None:
    """Publishes the change to the project's stream. Call it last: it locks the stream."""
    await events.publish(
        session,
        stream=events.project_stream(run.project_id),
        kind="run.changed",
        data={"entity_id": str(run.id), "state": run.state},
    )
