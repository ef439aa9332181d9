"""The course of `edison eval`: read, check, run, show, write."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from edison.cli.context import Context, errors, out
from edison.cli.exit_codes import INTERRUPTED, PASSED, exit_code
from edison.cli.server_lock import AlreadyRunning, server_lock

if TYPE_CHECKING:
    from edison.evals.plan import EvalPlan
    from edison.evals.read import EvalRequest
    from edison.evals.results import EvalResults
    from edison.settings import Settings

_WAIT_SECONDS = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalOptions:
    """What the command does with the results."""

    outputs: Sequence[Path] = ()
    project: str | None = None
    is_dry_run: bool = False
    shows_table: bool = True
    prints_json: bool = False


async def run_evaluation(context: Context, wanted: "EvalRequest", options: EvalOptions) -> int:
    """Returns the exit code. Raises ConfigError before anything is spent."""
    from edison.evals.outputs.write import check_paths, write_results
    from edison.evals.read import read_plan

    plan = read_plan(wanted)
    for warning in plan.warnings:
        errors.print("[yellow]Warning:[/]", escape(warning))
    paths = list(options.outputs) or [wanted.folder / each for each in plan.output_paths]
    check_paths(paths)
    if options.is_dry_run:
        _describe(context, plan)
        return PASSED
    results = await _results(context, wanted, plan, options)
    if results is None:
        return INTERRUPTED
    for path in paths:
        write_results(results, path)
    _show(context, results, options)
    for path in paths:
        context.say(f"[dim]Written to {escape(str(path))}.[/]")
    return exit_code(results, wanted.env)


async def _results(
    context: Context, wanted: "EvalRequest", plan: "EvalPlan", options: EvalOptions
) -> "EvalResults | None":
    """None when the person interrupted it."""
    from edison.cli.eval_engine import open_eval_engine
    from edison.evals.register import named_variables

    settings = context.settings()
    context.usable_data_dir(settings)
    if plan.max_concurrency is not None:
        settings = settings.model_copy(update={"calls_per_credential": plan.max_concurrency})
    _quiet_logs(settings)
    variables = named_variables(plan, {**wanted.env, **plan.env})
    shows = sys.stderr.isatty() and not context.quiet and not options.prints_json
    async with (
        _lock(context, settings),
        open_eval_engine(settings, wanted.env, variables=variables) as engine,
    ):
        with _progress(shows=shows) as bar:
            task = bar.add_task("Evaluating", total=len(plan.rows))
            work = asyncio.ensure_future(
                engine.evaluate(
                    plan,
                    project=options.project,
                    progress=lambda done, total: bar.update(task, completed=done, total=total),
                )
            )
            _stop_on_signal(work)
            try:
                return await work
            except asyncio.CancelledError:
                errors.print("\nPaused. Answers that were given are kept and cached.")
                return None


def _stop_on_signal(work: "asyncio.Future[EvalResults]") -> None:
    import signal

    if sys.platform != "win32":
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, work.cancel)


@asynccontextmanager
async def _lock(context: Context, settings: "Settings") -> AsyncIterator[None]:
    """The lock of the data directory's server. Evaluations wait for each other. Raises
    AlreadyRunning when a server holds it.
    """
    has_told = False
    while True:
        try:
            held = server_lock(settings)
            held.__enter__()
        except AlreadyRunning as running:
            if "://" in running.message:
                raise
            if not has_told:
                context.say(
                    "[dim]Another evaluation is running on this data directory; waiting.[/]"
                )
                has_told = True
            await asyncio.sleep(_WAIT_SECONDS)
            continue
        try:
            yield
        finally:
            held.__exit__(None, None, None)
        return


def _progress(*, shows: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
        disable=not shows,
    )


def _quiet_logs(settings: "Settings") -> None:
    from edison.app.logs import configure_logs

    configure_logs(settings.model_copy(update={"log_level": "error"}))


def _describe(context: Context, plan: "EvalPlan") -> None:
    tests = len({row.test_index for row in plan.rows})
    names = list(dict.fromkeys(each.provider.name for each in plan.columns))
    labels = list(dict.fromkeys(each.prompt.label for each in plan.columns))
    asserted = sum(len(row.test.assertions) for row in plan.rows)
    context.report(
        f"{len(labels)} prompts, {len(names)} providers, {tests} tests: {len(plan.rows)} answers, "
        f"{asserted} assertions. Nothing was asked.",
        prompts=labels,
        providers=names,
        tests=tests,
        answers=len(plan.rows),
        assertions=asserted,
        warnings=list(plan.warnings),
    )


def _show(context: Context, results: "EvalResults", options: EvalOptions) -> None:
    from edison.cli.eval_table import results_table, summary
    from edison.evals.outputs.promptfoo import document_of

    if options.prints_json:
        print(json.dumps(document_of(results), default=str))  # noqa: T201 - this is the output
        return
    if options.shows_table and not context.quiet:
        out.print(results_table(results, width=out.width), soft_wrap=False)
    out.print(summary(results))
