"""All tasks, and the sweepers that find missing jobs."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from edison.db.session import Database
from edison.jobs.batch_writer import BatchWriter
from edison.jobs.job import Sweeper, Task
from edison.library.calls.gateway import Gateway
from edison.library.generation import service as generation
from edison.library.generation.tasks import generate_cases
from edison.loops.experiments.iterations import service as iterations
from edison.loops.experiments.iterations import transitions as iteration_control
from edison.loops.experiments.iterations.drive import DriveTools
from edison.loops.experiments.tasks import drive_iteration
from edison.loops.reviews import service as reviews
from edison.loops.reviews.tasks import review_automatically
from edison.runs.fill import service as run_control
from edison.runs.fill.chunk import FillTools
from edison.runs.fill.tasks import aggregate, fill, resume
from edison.runs.store import transitions
from edison.runs.store.live_text import LiveTextWriter
from edison.settings import Settings
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.tasks import send


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTools:
    """Dependencies of tasks."""

    database: Database
    gateway: Gateway
    batch_writer: BatchWriter
    # Without settings no mails are sent.
    settings: Settings | None = None
    # Set when the process is about to stop: calls in progress may finish, new ones do not start.
    is_stopping: asyncio.Event = field(default_factory=asyncio.Event)


def all_tasks(tools: TaskTools) -> Mapping[str, Task]:
    filling = FillTools(
        database=tools.database,
        gateway=tools.gateway,
        batch_writer=tools.batch_writer,
        live_text_writer=LiveTextWriter(tools.database.broadcasts),
        is_stopping=tools.is_stopping,
    )
    driving = DriveTools(
        database=tools.database, gateway=tools.gateway, batch_writer=tools.batch_writer
    )
    return {
        generation.TASK: generate_cases(tools.database, tools.gateway),
        transitions.FILL: fill(filling),
        transitions.AGGREGATE: aggregate(tools.database),
        transitions.RESUME: resume(tools.database),
        iteration_control.DRIVE: drive_iteration(driving),
        reviews.AUTO_REVIEW: review_automatically(tools.database),
        notifications.SEND: send(tools.database, tools.settings),
    }


SWEEPERS: Sequence[Sweeper] = (
    generation.list_missing_jobs,
    run_control.list_missing_jobs,
    iterations.list_missing_jobs,
    reviews.list_missing_jobs,
    notifications.list_missing_jobs,
)
