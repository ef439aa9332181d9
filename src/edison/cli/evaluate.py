"""`edison eval`: evaluates prompts, providers and tests of a configuration file."""

import os
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from edison.cli.context import context_of, fail
from edison.cli.exit_codes import FailOn
from edison.kit.event_loop import run

NAME = "eval"
Texts = list[str]


def evaluate(
    typer_context: typer.Context,
    evaluation: Annotated[
        str | None, typer.Argument(help="The evaluation to --resume or --retry-errors.")
    ] = None,
    config: Annotated[
        list[Path] | None,
        typer.Option("--config", "-c", help="Configuration file. Repeat to join several."),
    ] = None,
    prompts: Annotated[
        Texts | None, typer.Option("--prompts", "-p", help="Prompt file, instead of those named.")
    ] = None,
    providers: Annotated[
        Texts | None, typer.Option("--providers", "-r", help="Provider, instead of those named.")
    ] = None,
    tests: Annotated[
        str | None, typer.Option("--tests", "-t", help="File with tests: CSV, JSON, JSONL, YAML.")
    ] = None,
    var: Annotated[
        Texts | None, typer.Option("--var", help="Default of a variable: name=value.")
    ] = None,
    assertions: Annotated[
        str | None, typer.Option("--assertions", "-a", help="File with assertions for all tests.")
    ] = None,
    model_outputs: Annotated[
        str | None, typer.Option(help="JSON list of recorded answers to evaluate.")
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option("--output", "-o", help="Results file; its suffix names the format."),
    ] = None,
    max_concurrency: Annotated[
        int | None, typer.Option("--max-concurrency", "-j", min=1, help="Calls at a time.")
    ] = None,
    repeat: Annotated[int | None, typer.Option(min=1, max=100, help="Times to ask.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Ask again.")] = False,
    first_n: Annotated[
        int | None, typer.Option("--filter-first-n", "-n", min=0, help="Only the first tests.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option("--filter-sample", min=0, help="Only a random sample of tests.")
    ] = None,
    pattern: Annotated[
        str | None, typer.Option("--filter-pattern", help="Tests whose description has this.")
    ] = None,
    metadata: Annotated[
        Texts | None, typer.Option("--filter-metadata", help="Tests with this: name=value.")
    ] = None,
    filter_providers: Annotated[
        str | None,
        typer.Option("--filter-providers", "--filter-targets", help="Providers with this name."),
    ] = None,
    failing: Annotated[
        Path | None,
        typer.Option("--filter-failing", help="Tests that failed in this results file."),
    ] = None,
    failing_only: Annotated[
        Path | None,
        typer.Option("--filter-failing-only", help="The same, without errors."),
    ] = None,
    grader: Annotated[
        str | None, typer.Option(help="Provider that grades where none is named.")
    ] = None,
    env_file: Annotated[
        Path | None, typer.Option("--env-file", "--env-path", help="File with variables.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(min=0, help="Stop before this cost in US dollars: exit code 4.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the latest evaluation of this file.")
    ] = False,
    retry_errors: Annotated[
        bool, typer.Option("--retry-errors", help="Ask again what failed in it.")
    ] = False,
    tag: Annotated[
        Texts | None, typer.Option("--tag", help="Stored with the evaluation: name=value.")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(help="Compare with an earlier evaluation: a results file (JSON) or an id."),
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(help="What fails. Default: a regression, or a row that did not pass."),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option(help="Project slug. Default: Evaluations; on a server, the only one."),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option(help="Evaluate on this server, with EDISON_TOKEN and models of the project."),
    ] = None,
    allow_outside: Annotated[
        bool, typer.Option("--allow-outside", help="Read files outside of the repository.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", "-w", help="Evaluate again when a file changes.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read everything, ask nothing.")
    ] = False,
    table: Annotated[bool, typer.Option(help="Print the table of results.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Evaluate prompts with the providers and tests of a promptfoo configuration.

    Exit codes: 0 all passed, 100 failures or errors, 1 the evaluation could not start, 4 stopped
    by a budget, 130 interrupted.
    """
    from edison.cli.eval_session import EvalOptions, run_evaluation
    from edison.evals.evaluations import EvalTerms
    from edison.evals.request import EvalRequest
    from edison.evals.selection import TestSelection

    if evaluation is not None and not (resume or retry_errors):
        fail("Name an evaluation only with --resume or --retry-errors; configurations need -c.")
    if fail_on is FailOn.REGRESSION and baseline is None:
        fail("--fail-on regression needs --baseline.")
    wanted = EvalRequest(
        folder=Path.cwd(),
        configs=config or (),
        prompts=prompts or (),
        providers=providers or (),
        tests=tests,
        assertions=assertions,
        model_outputs=model_outputs,
        vars=_pairs(var, "--var"),
        env=_environment(env_file),
        repeats=repeat,
        max_concurrency=max_concurrency,
        is_cached=False if no_cache else None,
        provider_filter=filter_providers,
        selection=TestSelection(
            first_n=first_n,
            sample=sample,
            pattern=pattern,
            metadata=_pairs(metadata, "--filter-metadata"),
            failing=failing,
            failing_only=failing_only,
        ),
        grader=grader,
        allows_outside=allow_outside,
    )
    given = context_of(typer_context)
    context = replace(given, as_json=given.as_json or as_json)
    options = EvalOptions(
        outputs=output or (),
        terms=EvalTerms(
            project=project,
            max_cost_usd=None if max_cost is None else Decimal(str(max_cost)),
            tags=_pairs(tag, "--tag"),
            resumes=resume,
            retries_errors=retry_errors,
            evaluation=evaluation,
        ),
        baseline=baseline,
        fail_on=fail_on,
        server=server,
        is_dry_run=dry_run,
        shows_table=table,
        prints_json=context.as_json,
    )
    if watch:
        from edison.cli.eval_watch import watch_evaluation

        sys.exit(watch_evaluation(context, wanted, options))
    sys.exit(run(run_evaluation(context, wanted, options)))


def _pairs(given: Texts | None, flag: str) -> dict[str, str]:
    found = {}
    for each in given or ():
        name, separator, value = each.partition("=")
        if not separator or not name:
            fail(f"{flag} {each}: write name=value.")
        found[name] = value
    return found


def _environment(file: Path | None) -> dict[str, str]:
    """The variables of the process, after those of the file were added to them."""
    if file is not None:
        try:
            lines = file.read_text().splitlines()
        except OSError as wrong:
            fail(f"{file} cannot be read: {wrong.strerror}.")
        except UnicodeDecodeError:
            fail(f"{file} is not UTF-8 text.")
        for number, line in enumerate(map(str.strip, lines), start=1):
            if not line or line.startswith("#"):
                continue
            name, separator, value = line.removeprefix("export ").partition("=")
            if not separator or not name.strip():
                # The line itself is not shown: it may be a key.
                fail(f"{file}:{number}: A line must be NAME=value.")
            os.environ.setdefault(name.strip(), value.strip().strip("'\""))
    return dict(os.environ)
