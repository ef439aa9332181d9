"""The engine of runs inside a command: on the data directory's SQLite, under the server's lock."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

from edison.kit.errors import Conflict

if TYPE_CHECKING:
    from edison.db.session import Database
    from edison.evals.plan import EvalPlan
    from edison.evals.results import EvalResults
    from edison.evals.start import EvalRun
    from edison.kit.credential_variables import Variables
    from edison.settings import Settings
    from edison.workspace.credentials.vault import Vault

Progress = Callable[[int, int], None]
_SHORTEST_LOOK, _LONGEST_LOOK = 0.02, 0.2
_AS_TEXT = "PROMPTFOO_DISABLE_JSON_AUTOESCAPE"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalEngine:
    """Runs plans. `env` are the variables that configurations may name."""

    database: "Database"
    vault: "Vault"
    env: Mapping[str, str]

    async def evaluate(
        self, plan: "EvalPlan", *, project: str | None = None, progress: Progress | None = None
    ) -> "EvalResults":
        """Raises ConfigError, or BudgetExhausted when not even the first calls can be paid."""
        from edison.evals.cells import group_cells
        from edison.evals.local_code import functions_of
        from edison.evals.register import Registry, find_or_add_project
        from edison.evals.results import EvalResults, read_rows
        from edison.evals.start import Starter, run_context
        from edison.kit import clock
        from edison.pipeline.generate.local_functions import local_functions
        from edison.pipeline.score.assertions.trusted import PythonProcess, with_trusted_python

        begun, python = clock.now(), PythonProcess()
        env = {**self.env, **plan.env}
        renders_json = env.get(_AS_TEXT, "").lower() not in {"1", "true", "yes"}
        groups = await group_cells(plan, python=python, renders_json=renders_json)
        functions = functions_of(groups, python=python, env=env)
        with local_functions(functions), with_trusted_python(python):
            async with self.database.write() as session:
                home = await find_or_add_project(session, slug=project)
                registry = Registry(session, project_id=home.id, vault=self.vault, env=env)
                starter = Starter(session, plan, registry=registry, env=env)
                runs = await starter.start(groups, run_context(home.id))
                slug, project_id = home.slug, home.id
            try:
                await self.wait([run.run_id for run in runs], progress=progress)
            except asyncio.CancelledError:
                await self._pause(project_id, runs)
                raise
        async with self.database.read() as session:
            rows = await read_rows(session, runs)
        return EvalResults(
            plan=plan,
            rows=rows,
            run_ids=[run.run_id for run in runs],
            project_slug=slug,
            seconds=(clock.now() - begun).total_seconds(),
        )

    async def wait(self, run_ids: Sequence[UUID], *, progress: Progress | None = None) -> None:
        """Returns when no run goes on by itself: finished, paused or failed."""
        from edison.runs.store.repository import Runs
        from edison.runs.store.states import OVER, RunState

        pause = _SHORTEST_LOOK
        while True:
            async with self.database.read() as session:
                found = [await Runs(session).find(each) for each in run_ids]
            runs = [each for each in found if each is not None]
            if progress is not None:
                progress(sum(each.done_count for each in runs), sum(e.cell_count for e in runs))
            if all(each.state in (*OVER, RunState.PAUSED) for each in runs):
                return
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_LOOK)

    async def _pause(self, project_id: UUID, runs: Sequence["EvalRun"]) -> None:
        from edison.runs.fill import service as control
        from edison.runs.store.errors import IllegalRunChange

        for run in runs:
            try:
                async with self.database.write() as session:
                    await control.pause_run(session, project_id=project_id, run_id=run.run_id)
            except IllegalRunChange:
                continue


@asynccontextmanager
async def open_eval_engine(
    settings: "Settings", env: Mapping[str, str], *, variables: "Variables | None" = None
) -> AsyncIterator[EvalEngine]:
    """The engine on the settings' SQLite database, which is upgraded if needed. `variables` may be
    used as keys, besides those that the settings allow. The caller holds the server's lock. Raises
    Conflict on PostgreSQL.
    """
    from edison.app.call_metrics import CallMetrics
    from edison.app.hooks import install_hooks
    from edison.app.tasks import TaskTools
    from edison.app.work import running_own_runs
    from edison.cli.offline import offline_database
    from edison.jobs.lifecycle import process_lifecycle
    from edison.library.calls.gateway import Gateway
    from edison.workspace.credentials.vault import open_vault

    if not settings.is_embedded:
        raise Conflict("`edison eval` works on SQLite. Choose a data directory with --data-dir.")
    install_hooks()
    await _upgrade(settings)
    vault = open_vault(settings)
    vault = replace(vault, variables={**vault.variables, **(variables or {})})
    async with (
        offline_database(settings, pooled=True) as database,
        process_lifecycle(
            database, kind="command", silence_seconds=settings.worker_silence_seconds
        ) as batch_writer,
    ):
        gateway = Gateway(
            database,
            batch_writer=batch_writer,
            vault=vault,
            observer=CallMetrics(None),
            settings=settings,
        )
        tools = TaskTools(
            database=database,
            gateway=gateway,
            batch_writer=batch_writer,
            vault=vault,
            settings=settings,
        )
        try:
            async with running_own_runs(tools):
                yield EvalEngine(database=database, vault=vault, env=env)
        finally:
            await gateway.close()


async def _upgrade(settings: "Settings") -> None:
    from edison.db.current_schema import is_current
    from edison.db.engine import open_engine

    engine = open_engine(settings.resolved_database_url, pooled=False)
    try:
        if await is_current(engine):
            return
        from edison.db import migrate

        backups = settings.data_dir / "backups"
        await migrate.upgrade(settings.resolved_database_url, backup_dir=backups)
    finally:
        await engine.dispose()
