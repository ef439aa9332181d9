"""The course of `edison eval`: read, check, run, show, write."""

import asyncio
import json
import shlex
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from edison.cli.context import Context, errors, out
from edison.cli.eval_progress import showing_progress
from edison.cli.exit_codes import INTERRUPTED, OUT_OF_BUDGET, PASSED, FailOn, exit_code
from edison.cli.server_lock import AlreadyRunning, find_server, server_lock
from edison.kit.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from edison.cli.eval_engine import EvalEngine
    from edison.cli.eval_remote import RemoteEngine
    from edison.evals.baseline import EarlierEvaluation
    from edison.evals.evaluations import EvalTerms
    from edison.evals.plan import EvalPlan
    from edison.evals.request import EvalRequest
    from edison.evals.results import EvalResults
    from edison.settings import Settings

_WAIT_SECONDS = 0.2
_STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalOptions:
    """How the evaluation is started, and what the command does with the results."""

    terms: "EvalTerms"
    baseline: str | None = None
    fail_on: FailOn | None = None
    outputs: Sequence[Path] = ()
    server: str | None = None
    is_dry_run: bool = False
    shows_table: bool = True
    prints_json: bool = False


async def run_evaluation(context: Context, wanted: "EvalRequest", options: EvalOptions) -> int:
    """Returns the exit code. Raises ConfigError before anything is spent."""
    from edison.evals.read import read_plan
    from edison.kit.errors import Exhausted

    plan = read_plan(wanted)
    for warning in plan.warnings:
        errors.print("[yellow]Warning:[/]", escape(warning))
    paths = list(options.outputs) or [wanted.folder / each for each in plan.output_paths]
    _check(paths)
    if options.is_dry_run:
        await _rehearse(context, wanted, plan, options)
        return PASSED
    try:
        results = await _results(context, wanted, plan, options)
    except Exhausted as exhausted:
        hint = "" if options.terms.max_cost_usd is None else " Or give a higher --max-cost."
        errors.print(f"[yellow]Nothing more was asked.[/] {escape(exhausted.message)}{hint}")
        return OUT_OF_BUDGET
    if results is None:
        return INTERRUPTED
    _write(results, paths)
    _show(context, results, options)
    if wanted.env.get(_STEP_SUMMARY):
        from edison.evals.outputs.write import add_step_summary

        add_step_summary(results, Path(wanted.env[_STEP_SUMMARY]))
    for path in paths:
        context.say(f"[dim]Written to {escape(str(path))}.[/]")
    if results.budget_message is not None:
        _tell_stopped(results)
        return OUT_OF_BUDGET
    return exit_code(results, wanted.env, fail_on=options.fail_on)


def _check(paths: Sequence[Path]) -> None:
    """Raises ConfigError when a file cannot be written, before anything is spent."""
    if paths:
        from edison.evals.outputs.write import check_paths

        check_paths(paths)


def _write(results: "EvalResults", paths: Sequence[Path]) -> None:
    if paths:
        from edison.evals.outputs.write import write_results

        for path in paths:
            write_results(results, path)


async def _rehearse(
    context: Context, wanted: "EvalRequest", plan: "EvalPlan", options: EvalOptions
) -> None:
    """Describes the plan, with an estimate unless a server or an obstacle prevents it."""
    from edison.cli.dry_run import describe, estimate_plan, existing_data
    from edison.cli.eval_engine import EvalEngine
    from edison.evals.errors import ConfigError

    estimate, obstacle = None, "A server estimates nothing before it starts."
    try:
        with existing_data(context) as read:
            async with _engine(read, wanted, plan, options) as (engine, terms):
                if isinstance(engine, EvalEngine):
                    most = plan.max_concurrency or read.settings().calls_per_credential
                    estimate = await estimate_plan(
                        engine, plan, project=terms.project, at_once=most
                    )
    except ConfigError as wrong:
        obstacle = wrong.message
    shown = replace(context, as_json=options.prints_json)
    describe(shown, plan, estimate, None if estimate else obstacle)


async def _results(
    context: Context, wanted: "EvalRequest", plan: "EvalPlan", options: EvalOptions
) -> "EvalResults | None":
    """None when the person interrupted it."""
    from edison.cli.eval_engine import EvalPaused

    shows = sys.stderr.isatty() and not context.quiet and not options.prints_json
    async with _engine(context, wanted, plan, options) as (engine, terms):
        baseline = await _baseline(engine, options.baseline)
        with showing_progress(len(plan.rows), as_bar=shows, is_quiet=context.quiet) as progress:
            work = asyncio.ensure_future(engine.evaluate(plan, terms=terms, progress=progress))
            _stop_on_signal(work)
            try:
                return _compared(baseline, await work)
            except EvalPaused as paused:
                errors.print(f"\n{paused} Resume with:\n{escape(_command('--resume'))}")
            except asyncio.CancelledError:
                errors.print("\nInterrupted before anything was asked.")
            return None


async def _baseline(
    engine: "EvalEngine | RemoteEngine", given: str | None
) -> "EarlierEvaluation | None":
    """A results file or a stored evaluation. Raises ConfigError, before anything is spent."""
    if given is None:
        return None
    from edison.evals.baseline import read_file

    if given.endswith(".json"):
        return read_file(Path(given))
    return await engine.read_baseline(given)


def _compared(baseline: "EarlierEvaluation | None", results: "EvalResults") -> "EvalResults":
    if baseline is None:
        return results
    from edison.evals.baseline import compare_with

    return replace(results, comparison=compare_with(baseline, results))


def _command(*flags: str) -> str:
    """The command that was given, with these flags instead of its own to resume."""
    given = [each for each in sys.argv[1:] if each not in ("--resume", "--retry-errors")]
    return shlex.join(["edison", *given, *flags])


def _tell_stopped(results: "EvalResults") -> None:
    told = f"{results.answered} of {len(results.rows)} rows were answered."
    resume = escape(_command("--resume", "--max-cost", "DOLLARS"))
    errors.print(
        f"[yellow]Stopped.[/] {escape(results.budget_message or '')} {told} Go on with:\n{resume}"
    )


def _stop_on_signal(work: "asyncio.Future[EvalResults]") -> None:
    import signal

    if sys.platform != "win32":
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, work.cancel)


@asynccontextmanager
async def _engine(
    context: Context, wanted: "EvalRequest", plan: "EvalPlan", options: EvalOptions
) -> "AsyncIterator[tuple[EvalEngine | RemoteEngine, EvalTerms]]":
    """An engine of this process, that of the server on this data directory, or that of another
    machine; and the terms for it. Raises ConfigError when a server cannot execute the evaluation.
    """
    from edison.cli.eval_engine import open_beside_server, open_eval_engine
    from edison.evals.hand_over import list_objections
    from edison.evals.register import named_variables

    env = {**wanted.env, **plan.env}
    if options.server is not None:
        yield _remote(wanted, plan, options), options.terms
        return
    settings = context.settings()
    context.usable_data_dir(settings)
    if plan.max_concurrency is not None:
        settings = settings.model_copy(update={"calls_per_credential": plan.max_concurrency})
    _quiet_logs(settings)
    objections = list_objections(plan, env, settings.allowed_variables)
    async with _lock(context, settings) as server:
        if server is None:
            variables = named_variables(plan, env)
            terms = replace(options.terms, is_bound=bool(objections))
            async with open_eval_engine(settings, wanted.env, variables=variables) as engine:
                yield engine, terms
            return
        _refuse(f"Edison is running at {server} on this data directory and", objections)
        _notify(context, f"The server at {server} executes the evaluation.")
        async with open_beside_server(settings, wanted.env) as engine:
            yield engine, options.terms


def _remote(wanted: "EvalRequest", plan: "EvalPlan", options: EvalOptions) -> "RemoteEngine":
    """Raises ConfigError, also for code, before anything leaves this machine."""
    from edison.cli.eval_remote import open_remote
    from edison.evals.hand_over import list_code

    _refuse("A server", list_code(plan, {**wanted.env, **plan.env}))
    return open_remote(options.server or "", options.terms.project, wanted.env)


def _refuse(server: str, objections: Sequence[str]) -> None:
    from edison.evals.errors import ConfigError

    if objections:
        listed = "\n".join(objections)
        raise ConfigError(
            f"{server} cannot execute this evaluation:\n{listed}\nRun it on a data directory "
            "without a server: --data-dir."
        )


@asynccontextmanager
async def _lock(context: Context, settings: "Settings") -> AsyncIterator[str | None]:
    """Takes the lock of the data directory's server. Evaluations wait for each other. Yields the
    address of the server that holds it, if one does.
    """
    has_told = False
    while True:
        try:
            held = server_lock(settings)
            held.__enter__()
        except AlreadyRunning:
            server = find_server(settings)
            if server is not None:
                yield server
                return
            if not has_told:
                _notify(context, "Another evaluation is running on this data directory; waiting.")
                has_told = True
            await asyncio.sleep(_WAIT_SECONDS)
            continue
        try:
            yield None
        finally:
            held.__exit__(None, None, None)
        return


def _notify(context: Context, text: str) -> None:
    """On standard error: with `--json`, standard output is the results and nothing else."""
    if not context.quiet:
        errors.print(f"[dim]{escape(text)}[/]")


def _quiet_logs(settings: "Settings") -> None:
    from edison.app.logs import configure_logs

    configure_logs(settings.model_copy(update={"log_level": "error"}))


def _show(context: Context, results: "EvalResults", options: EvalOptions) -> None:
    from edison.cli.eval_table import results_table, summary

    if options.prints_json:
        from edison.evals.outputs.write import full_document

        print(json.dumps(full_document(results), default=str))  # noqa: T201 - this is the output
        return
    if options.shows_table and not context.quiet:
        out.print(results_table(results, width=out.width), soft_wrap=False)
    out.print(summary(results))
    if results.count("error") and results.budget_message is None:
        again = escape(_command("--retry-errors"))
        context.say(f"[dim]Ask again what failed: {again}[/]")
    if results.comparison is not None:
        from edison.evals.outputs.comparison import comparison_lines

        for line in comparison_lines(results.comparison):
            out.print(escape(line))
