"""The engine of runs inside a command: on the data directory's SQLite, under the server's lock."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import UUID

from edison.cli.database import make_current
from edison.cli.eval_progress import Progress
from edison.kit.errors import Conflict
from edison.kit.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from edison.app.tracing import Tracing
    from edison.db.session import Database
    from edison.evals.baseline import EarlierEvaluation
    from edison.evals.cells import CellGroup
    from edison.evals.evaluations import EvalTerms
    from edison.evals.plan import EvalPlan
    from edison.evals.results import EvalResults
    from edison.evals.start import EvalRun
    from edison.evals.waits import EvalWait
    from edison.kit.credential_variables import Variables
    from edison.settings import Settings
    from edison.workspace.credentials.vault import Vault

_SHORTEST_LOOK, _LONGEST_LOOK = 0.02, 0.2
_LOOK_AT_WAITS_SECONDS = 1.0
_AS_TEXT = "PROMPTFOO_DISABLE_JSON_AUTOESCAPE"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalEngine:
    """Runs plans. `env` are the variables that configurations may name. Unless it `is_alone` on the
    database, a server executes the runs.
    """

    database: "Database"
    vault: "Vault"
    env: Mapping[str, str]
    is_alone: bool = True

    async def evaluate(
        self, plan: "EvalPlan", *, terms: "EvalTerms", progress: Progress | None = None
    ) -> "EvalResults":
        """Raises ConfigError, BudgetExhausted when not even the first calls can be paid, or
        EvalPaused when it is cancelled.
        """
        from edison.evals.cells import group_cells
        from edison.evals.local_code import functions_of
        from edison.kit import clock
        from edison.pipeline.generate.local_functions import local_functions
        from edison.pipeline.score.assertions.trusted import PythonProcess, with_trusted_python

        begun, python = clock.now(), PythonProcess()
        env = {**self.env, **plan.env}
        groups = await group_cells(plan, python=python, renders_json=renders_json(env))
        functions = functions_of(groups, python=python, env=env)
        with local_functions(functions), with_trusted_python(python):
            started = await self._start(plan, groups, terms, env)
            try:
                await self.wait(started.run_ids, progress=progress)
            except asyncio.CancelledError:
                await self._pause(started)
                raise EvalPaused(*await self._count(started.run_ids)) from None
        return await self._results(plan, started, (clock.now() - begun).total_seconds())

    async def _start(
        self,
        plan: "EvalPlan",
        groups: "Sequence[CellGroup]",
        terms: "EvalTerms",
        env: Mapping[str, str],
    ) -> "_Started":
        from edison.evals import evaluations
        from edison.evals.graders import graders_by_key
        from edison.evals.register import Registry, find_or_add_project
        from edison.evals.start import Starter

        async with self.database.write() as session:
            home = await find_or_add_project(session, slug=terms.project)
            slug, project_id = home.slug, home.id
            if not terms.is_continued:
                registry = Registry(session, project_id=project_id, vault=self.vault, env=env)
                graders = graders_by_key(plan)
                evaluation_id, runs = await evaluations.begin(
                    session,
                    Starter(session, plan, registry=registry, graders=graders, env=env),
                    groups,
                    plan=plan,
                    terms=terms,
                    project_id=project_id,
                )
        if terms.is_continued:
            evaluation_id, runs = await evaluations.go_on(
                self.database,
                groups,
                plan=plan,
                terms=terms,
                project_id=project_id,
                is_alone=self.is_alone,
            )
        return _Started(
            evaluation_id=evaluation_id, runs=runs, project_id=project_id, project_slug=slug
        )

    async def read_baseline(self, given: str) -> "EarlierEvaluation":
        """A stored evaluation. Raises ConfigError."""
        from edison.evals.baseline import read_stored

        async with self.database.read() as session:
            return await read_stored(session, given)

    async def _results(
        self, plan: "EvalPlan", started: "_Started", seconds: float
    ) -> "EvalResults":
        from edison.evals.repository import Evaluations
        from edison.evals.results import EvalResults, read_rows
        from edison.runs.store.transitions import BUDGET

        async with self.database.read() as session:
            rows = await read_rows(session, started.runs)
            evaluation = await Evaluations(session).find(started.evaluation_id)
            runs = await Evaluations(session).list_runs(started.evaluation_id)
            stopped = [each.message for each in runs if each.reason == BUDGET]
            return EvalResults(
                plan=plan,
                rows=rows,
                run_ids=started.run_ids,
                project_slug=started.project_slug,
                seconds=seconds,
                evaluation_id=started.evaluation_id,
                tags={} if evaluation is None else evaluation.tags,
                budget_message=stopped[0] if stopped else None,
            )

    async def wait(self, run_ids: Sequence[UUID], *, progress: Progress | None = None) -> None:
        """Returns when no run goes on by itself: finished, paused or failed."""
        from edison.evals.waits import list_waits
        from edison.runs.store.repository import Runs
        from edison.runs.store.states import OVER, RunState
        from edison.runs.store.transitions import control_topic

        pause, wakeups = _SHORTEST_LOOK, self.database.wakeups
        waits: Sequence[EvalWait] = ()
        next_look = time.monotonic() + _LOOK_AT_WAITS_SECONDS
        with ExitStack() as stack:
            moves = {
                id: stack.enter_context(wakeups.subscribe(control_topic(id))) for id in run_ids
            }
            while True:
                async with self.database.read() as session:
                    found = [await Runs(session).find(each) for each in run_ids]
                    if time.monotonic() >= next_look:
                        waits = await list_waits(session, run_ids)
                        next_look = time.monotonic() + _LOOK_AT_WAITS_SECONDS
                runs = [each for each in found if each is not None]
                if progress is not None:
                    done = sum(each.done_count for each in runs)
                    progress.show(done, sum(each.cell_count for each in runs), waits)
                going = [each for each in runs if each.state not in (*OVER, RunState.PAUSED)]
                if not going:
                    return
                # Moves of a server do not wake this process.
                await moves[going[0].id].wait(pause)
                pause = min(pause * 1.5, _LONGEST_LOOK)

    async def _pause(self, started: "_Started") -> None:
        """Pauses the runs and waits for the calls in progress, unless it is cancelled again."""
        from edison.runs.fill import service as control
        from edison.runs.store.chunks import Chunks
        from edison.runs.store.errors import IllegalRunChange

        for run_id in started.run_ids:
            try:
                async with self.database.write() as session:
                    await control.pause_run(session, project_id=started.project_id, run_id=run_id)
            except IllegalRunChange:
                continue
        with suppress(asyncio.CancelledError):
            while True:
                async with self.database.read() as session:
                    if not await Chunks(session).list_claimants(started.run_ids):
                        return
                await asyncio.sleep(_SHORTEST_LOOK)

    async def _count(self, run_ids: Sequence[UUID]) -> tuple[int, int]:
        from edison.evals.evaluations import count_done

        async with self.database.read() as session:
            return await count_done(session, run_ids)


def renders_json(env: Mapping[str, str]) -> bool:
    """Whether values in prompts that are JSON are escaped, as in promptfoo."""
    return env.get(_AS_TEXT, "").lower() not in {"1", "true", "yes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Started:
    evaluation_id: UUID
    runs: "Sequence[EvalRun]"
    project_id: UUID
    project_slug: str

    @property
    def run_ids(self) -> list[UUID]:
        return [run.run_id for run in self.runs]


class EvalPaused(Exception):
    """The evaluation was interrupted after `done` of `total` rows; it can be resumed."""

    def __init__(self, done: int, total: int) -> None:
        super().__init__(f"Paused after {done} of {total} answers.")


@asynccontextmanager
async def open_eval_engine(
    settings: "Settings", env: Mapping[str, str], *, variables: "Variables | None" = None
) -> AsyncIterator[EvalEngine]:
    """The engine on the settings' SQLite database, which is upgraded if needed. `variables` may be
    used as keys, besides those that the settings allow. The caller holds the server's lock. Raises
    Conflict on PostgreSQL.
    """
    from edison.app.run_hooks import install_run_hooks
    from edison.app.run_tasks import running_own_runs
    from edison.app.worker import open_tools
    from edison.cli.offline import offline_database
    from edison.db.engine import open_engine
    from edison.jobs.lifecycle import process_lifecycle
    from edison.workspace.credentials.vault import open_vault

    if not settings.is_embedded:
        raise Conflict("`edison eval` works on SQLite. Choose a data directory with --data-dir.")
    install_run_hooks()
    engine = open_engine(settings.resolved_database_url, pooled=False)
    try:
        await make_current(settings, engine)
    finally:
        await engine.dispose()
    vault = open_vault(settings)
    vault = replace(vault, variables={**vault.variables, **(variables or {})})
    async with (
        _tracing(settings) as tracing,
        offline_database(settings, pooled=True) as database,
        process_lifecycle(
            database, kind="command", silence_seconds=settings.worker_silence_seconds
        ) as batch_writer,
    ):
        tools = open_tools(
            settings,
            database,
            batch_writer,
            vault=vault,
            tracing=tracing,
            is_stopping=asyncio.Event(),
        )
        async with tools as opened, running_own_runs(opened):
            yield EvalEngine(database=database, vault=vault, env=env)


@asynccontextmanager
async def _tracing(settings: "Settings") -> "AsyncIterator[Tracing]":
    """Spans of calls and events of scores, which have arrived at the collector when it ends."""
    from edison.app.tracing import start_tracing

    tracing = start_tracing(settings)
    try:
        yield tracing
    finally:
        await tracing.close()


@asynccontextmanager
async def open_beside_server(
    settings: "Settings", env: Mapping[str, str]
) -> AsyncIterator[EvalEngine]:
    """Stores runs that the server on this database finds and executes within seconds."""
    from edison.app.run_hooks import install_run_hooks
    from edison.cli.offline import offline_database
    from edison.workspace.credentials.vault import open_vault

    install_run_hooks()
    async with offline_database(settings, pooled=True) as database:
        vault = open_vault(settings)
        yield EvalEngine(database=database, vault=vault, env=env, is_alone=False)
