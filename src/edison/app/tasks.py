"""Every task of every slice, and who knows which jobs there should be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edison.db.session import Database
from edison.jobs.job import Sweeper, Task
from edison.library.calls.gateway import Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What tasks work with."""

    database: Database
    gateway: Gateway


def all_tasks(tools: Tools) -> Mapping[str, Task]:
    return {}


SWEEPERS: Sequence[Sweeper] = ()
