"""Every task of every slice, and who knows which jobs there should be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edison.db.session import Database
from edison.jobs.job import Sweeper, Task
from edison.jobs.recorder import Recorder
from edison.library.calls.gateway import Gateway
from edison.library.generation import service as generation
from edison.library.generation.tasks import generate_cases


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What tasks work with."""

    database: Database
    gateway: Gateway
    recorder: Recorder


def all_tasks(tools: Tools) -> Mapping[str, Task]:
    return {generation.TASK: generate_cases(tools.database, tools.gateway)}


SWEEPERS: Sequence[Sweeper] = (generation.list_missing_jobs,)
