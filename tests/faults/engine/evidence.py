"""Reads the database directly and compares it with the requests the provider received."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Executable, Row, select
from sqlalchemy.sql import Select

from edison.db.engine import open_engine
from edison.jobs.models import WorkerProcess
from edison.runs.store.models import Output, Run, RunCase, RunVariant, Score
from edison.workspace.budgets.models import Budget, LedgerEntry
from tests.faults.engine.installation import Installation, question
from tests.faults.engine.provider import INPUT_TOKENS, OUTPUT_TOKENS, Record

# In nano-dollars, by the prices of the models.
TRUE_COST_OF_A_CALL = INPUT_TOKENS * 2_000 + OUTPUT_TOKENS * 8_000

Rows = Sequence[Row[Any]]


def read(installation: Installation, *wanted: Executable) -> list[Rows]:
    """Reads all tables in one snapshot."""

    async def fetch() -> list[Rows]:
        engine = open_engine(installation.database_url, pooled=False)
        level = "SERIALIZABLE" if installation.dialect == "sqlite" else "REPEATABLE READ"
        async with engine.connect() as connection:
            await connection.execution_options(isolation_level=level, writes=False)
            found = [(await connection.execute(each)).all() for each in wanted]
        await engine.dispose()
        return found

    return asyncio.run(fetch())


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Finished cells at one moment, by the provider's question, and the number of requests so far.
    `given_up` are reservations of dead processes for calls that were sent; `released` those for
    calls that were not.
    """

    finished: Mapping[str, Row[Any]]
    record: Record
    given_up: frozenset[Any]
    released: frozenset[Any]


def take_snapshot(installation: Installation, *, dead_pids: Sequence[int] = ()) -> Snapshot:
    """Call after the processes have died. Covers every run."""
    outputs, entries = read(
        installation,
        _finished(),
        select(LedgerEntry.id, LedgerEntry.left_at)
        .join(WorkerProcess, WorkerProcess.id == LedgerEntry.process_id)
        .where(LedgerEntry.state == "reserved", WorkerProcess.pid.in_(dead_pids)),
    )
    return Snapshot(
        finished={question(row.model_name, row.inputs["thing"]): row for row in outputs},
        # Read after the database, so that no question of a finished cell is missed.
        record=installation.provider.record(),
        given_up=frozenset(row.id for row in entries if row.left_at is not None),
        released=frozenset(row.id for row in entries if row.left_at is None),
    )


def _finished() -> Select[Any]:
    return (
        select(
            Output.id,
            Output.number,
            Output.status,
            Output.text,
            Output.cost_nanos,
            Output.request_id,
            Output.created_at,
            RunVariant.model_name,
            RunCase.inputs,
        )
        .join(
            RunCase, (RunCase.run_id == Output.run_id) & (RunCase.position == Output.case_position)
        )
        .join(
            RunVariant,
            (RunVariant.run_id == Output.run_id) & (RunVariant.position == Output.variant_position),
        )
    )


def find_losses(before: Sequence[Snapshot], end: Snapshot) -> list[str]:
    """Finished cells must not change and must not be requested again."""
    found = []
    for number, snapshot in enumerate(before):
        for asked, row in snapshot.finished.items():
            if end.finished.get(asked) != row:
                found.append(f"lost or changed after kill {number}: {asked}")
            times = end.record.received[asked] - snapshot.record.received[asked]
            if times:
                found.append(f"asked {times} times again after kill {number}: {asked}")
    return found


def find_wrong_sums(installation: Installation, run_id: str) -> list[str]:
    """Compares the run's totals with its rows."""
    told_id = UUID(run_id)
    run, outputs, scores, charges = read(
        installation,
        select(Run.__table__).where(Run.id == told_id),
        select(Output.id, Output.status, Output.cost_nanos).where(Output.run_id == told_id),
        select(Score.output_id).where(Score.run_id == told_id),
        select(LedgerEntry.cost_nanos, LedgerEntry.state).where(LedgerEntry.run_id == told_id),
    )
    told = run[0]._mapping
    counted = {
        "done_count": len(outputs),
        "error_count": sum(row.status == "error" for row in outputs),
        "score_count": len(scores),
    }
    found = [
        f"{name} is {told[name]}, but {value} by the rows"
        for name, value in counted.items()
        if told[name] != value
    ]
    charged = sum(row.cost_nanos or 0 for row in charges)
    lost = sum(row.cost_nanos or 0 for row in charges if row.state == "unconfirmed")
    if (told["cost_nanos"], told["unconfirmed_nanos"]) != (charged, lost):
        found.append(
            f"it cost {told['cost_nanos']} with {told['unconfirmed_nanos']} unconfirmed, "
            f"but {charged} with {lost} by the ledger"
        )
    unscored = {row.id for row in outputs if row.status != "error"} ^ {row[0] for row in scores}
    if told["state"] == "completed" and unscored:
        found.append(f"{len(unscored)} outputs are not scored as they should be")
    return found


def find_wrong_money(
    installation: Installation, record: Record, *, is_over: bool = True
) -> list[str]:
    """Reported spend is never below true spend, and budgets agree with the ledger."""
    entries, budgets = read(installation, select(LedgerEntry.__table__), select(Budget.__table__))
    found = []
    spent = sum(row.cost_nanos or 0 for row in entries)
    billed = record.billed.total() * TRUE_COST_OF_A_CALL
    if spent < billed:
        found.append(f"{billed} spent, {spent} reported")
    if len(entries) < record.calls:
        found.append(f"{record.calls} calls, {len(entries)} entries in the ledger")
    states = Counter(row.state for row in entries)
    if is_over and states["reserved"]:
        found.append(f"{states['reserved']} calls are still reserved")
    for budget in budgets:
        mine = [row for row in entries if str(budget.id) in row.budget_ids]
        expected = (
            sum(row.cost_nanos or 0 for row in mine if row.state != "reserved"),
            sum(row.reserved_nanos or 0 for row in mine if row.state == "reserved"),
        )
        if (budget.spent_nanos, budget.reserved_nanos) != expected:
            found.append(
                f"budget has {budget.spent_nanos} spent and {budget.reserved_nanos} reserved, "
                f"the ledger {expected}"
            )
        if budget.spent_nanos > budget.limit_nanos:
            found.append(f"{budget.spent_nanos} of {budget.limit_nanos} spent")
    return found


def find_repetitions(record: Record) -> list[str]:
    """For faults that may lose no request: each question is asked once."""
    return [
        f"asked {times} times: {asked}" for asked, times in record.received.items() if times > 1
    ]


def find_incompleteness(run: Mapping[str, Any]) -> list[str]:
    if (run["state"], run["done_count"]) == ("completed", run["cell_count"]):
        return []
    return [f"it ended {run['state']} ({run['message']}) with {run['done_count']} cells"]


def count_processes(installation: Installation, *pids: int) -> int:
    """The number of processes with a live heartbeat."""
    (rows,) = read(installation, select(WorkerProcess.id).where(WorkerProcess.pid.in_(pids)))
    return len(rows)


def ledger_states(installation: Installation) -> Mapping[Any, str]:
    (entries,) = read(installation, select(LedgerEntry.id, LedgerEntry.state))
    return {row.id: row.state for row in entries}
