"""Every task of every slice, and who knows which jobs there should be."""

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
from edison.workspace.credentials.vault import Vault
from edison.workspace.deliveries import dispatch
from edison.workspace.deliveries.tasks import deliver_messages
from edison.workspace.deliveries.transport import Transport


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTools:
    """What tasks work with."""

    database: Database
    gateway: Gateway
    batch_writer: BatchWriter
    vault: Vault
    # Says how mails are sent; without it none are.
    settings: Settings | None = None
    # Set when the process is about to end: calls under way may finish, and no new ones begin.
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
        dispatch.TASK: deliver_messages(tools.database, Transport.of(tools.vault, tools.settings)),
    }


SWEEPERS: Sequence[Sweeper] = (
    generation.list_missing_jobs,
    run_control.list_missing_jobs,
    iterations.list_missing_jobs,
    reviews.list_missing_jobs,
    dispatch.list_missing_jobs,
)
