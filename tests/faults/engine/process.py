"""Entry point of the Edison processes that tests start: the `edison` command with shortened
intervals and, on demand, a fault or a shifted clock.
"""

import os
import pickle
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from edison.app import main, worker
from edison.app.engine import supervisor
from edison.app.engine.__main__ import main as run_engine_process
from edison.cli.main import main as edison
from edison.db import engine
from edison.db.session import Database
from edison.jobs import distributed, heartbeat, lifecycle
from edison.jobs.batch_writer import BatchWriter
from edison.jobs.models import ProcessKind
from edison.kit import clock
from edison.pipeline.generate.path import call_path
from edison.pipeline.generate.path.retry import RetryPolicy
from edison.runs.plan import types
from tests.faults.engine import sabotage
from tests.faults.engine.sabotage import swap


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Edison's intervals, shortened so that many faults fit into a minute. The time after which a
    process counts as dead is shortened only by tests that wait for it: on a busy machine heartbeats
    are late.
    """

    silence_seconds: float = 30.0
    beat_seconds: float = 0.25
    poll_seconds: float = 0.5
    retry_seconds: float = 0.05
    busy_seconds: float = 10.0
    cells_per_chunk: int = 16

    def set(self) -> None:
        swap(engine, BUSY_TIMEOUT_SECONDS=self.busy_seconds)
        swap(heartbeat, BEAT_SECONDS=self.beat_seconds)
        swap(types, CELLS_PER_CHUNK=self.cells_per_chunk)
        swap(
            distributed,
            POLL_EVERY=timedelta(seconds=self.poll_seconds),
            HEARTBEAT_TIMEOUT=timedelta(seconds=self.silence_seconds),
        )
        swap(
            call_path,
            RetryPolicy=partial(
                RetryPolicy, first_delay_seconds=self.retry_seconds, longest_delay_seconds=1
            ),
        )
        lifecycle_of = lifecycle.process_lifecycle

        def impatient_lifecycle(
            database: Database,
            *,
            kind: ProcessKind,
            silence_seconds: float,
            watches_schema: bool = True,
        ) -> AbstractAsyncContextManager[BatchWriter]:
            return lifecycle_of(
                database,
                kind=kind,
                silence_seconds=self.silence_seconds,
                watches_schema=watches_schema,
            )

        swap(lifecycle, process_lifecycle=impatient_lifecycle)
        swap(main, process_lifecycle=impatient_lifecycle)
        swap(worker, process_lifecycle=impatient_lifecycle)


IMPATIENT = Pace(silence_seconds=4.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """How to run a process. `pace` of None keeps Edison's own intervals. `twin` names a fault in
    `sabotage`. `clock_file` holds the offset of its clock in seconds.
    """

    arguments: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    pace: Pace | None = field(default_factory=Pace)
    twin: str | None = None
    clock_file: Path | None = None

    def apply(self) -> None:
        if self.pace is not None:
            self.pace.set()
        if self.twin is not None:
            sabotage.TWINS[self.twin]()
        if self.clock_file is not None:
            _turn_clock(self.clock_file)


def run(orders: Orders) -> None:
    with orders.log.open("ab") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    os.environ |= orders.environment
    orders.apply()
    file = orders.log.with_suffix(".orders")
    file.write_bytes(pickle.dumps(orders))
    swap(supervisor, COMMAND=(sys.executable, "-m", __name__, str(file)))
    sys.argv = ["edison", *orders.arguments]
    edison()


def run_engine() -> None:
    """The engine that a server started by `run` starts."""
    _, orders, descriptor = sys.argv
    pickle.loads(Path(orders).read_bytes()).apply()  # noqa: S301 - written by `run`
    sys.argv = ["engine", descriptor]
    run_engine_process()


def _turn_clock(file: Path) -> None:
    def now() -> datetime:
        return datetime.now(UTC) + timedelta(seconds=float(file.read_text() or 0))

    swap(clock, now=now)


if __name__ == "__main__":
    run_engine()
