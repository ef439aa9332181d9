"""The `edison` command. Each command is a module of its own that imports its dependencies when it
runs, which keeps `edison --help` fast.
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from edison import __version__
from edison.cli import (
    backup,
    bundles,
    database,
    doctor,
    evaluate,
    imports,
    init,
    keys,
    mcp,
    models,
    openapi,
    schema,
    serve,
    tokens,
    try_model,
    users,
    view,
    worker,
)
from edison.cli.context import FAILURE, USAGE, Context, fail
from edison.kit.errors import EdisonError, Invalid
from edison.kit.memory import leave_existing_objects_alone, prepare_process

app = typer.Typer(
    name="edison",
    help="Self-hosted prompt-engineering workbench. Without a command, starts the server.",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    # Plain help: panels take more time than all the rest of `edison eval --help`.
    rich_markup_mode=None,
)
database_app = typer.Typer(help="Manage the database.", no_args_is_help=True)
keys_app = typer.Typer(help="Manage the keys in the data directory.", no_args_is_help=True)
users_app = typer.Typer(help="Manage accounts.", no_args_is_help=True)
tokens_app = typer.Typer(help="Manage personal access tokens.", no_args_is_help=True)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def edison(
    typer_context: typer.Context,
    data_dir: Annotated[
        Path | None, typer.Option(help="Data directory.", show_default=False)
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="Settings file (TOML).", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results only.")] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    typer_context.obj = Context(data_dir=data_dir, config=config, as_json=as_json, quiet=quiet)
    if typer_context.invoked_subcommand is None:
        serve.start(typer_context)


app.command("serve")(serve.start)
app.command(evaluate.NAME)(evaluate.evaluate)
app.command("view")(view.show)
app.command("init")(init.write)
app.command("schema")(schema.print_schema)
app.command("mcp")(mcp.start)
app.command("worker")(worker.start)
app.command("doctor")(doctor.examine)
app.command("openapi")(openapi.print_document)
app.command("models")(models.show)
app.command("try")(try_model.ask)
app.command("backup")(backup.save)
app.command("restore")(backup.restore)
app.command("export")(bundles.save)
app.command("import")(imports.load)
app.add_typer(database_app, name="db")
database_app.command("upgrade")(database.upgrade)
app.add_typer(keys_app, name="keys")
keys_app.command("rotate")(keys.rotate)
app.add_typer(users_app, name="user")
users_app.command("create")(users.create)
users_app.command("verify")(users.verify)
users_app.command("reset-password")(users.reset_password)
users_app.command("remove-second-factor")(users.remove_second_factor)
users_app.command("end-access")(users.end_access)
app.add_typer(tokens_app, name="token")
tokens_app.command("create")(tokens.create)


def main() -> None:
    """Runs a command. Errors that an operator can fix are printed as one sentence, with exit code
    1.
    """
    prepare_process()
    # Matrix products here are narrow: threads only wait for each other, at three times the time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Looking for plugins of Pydantic reads files of every installed package.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        app()
    except SystemExit as ended:
        # Evaluations have the exit codes of promptfoo, where 2 has no meaning.
        is_evaluation = evaluate.NAME in sys.argv[1:]
        sys.exit(FAILURE if is_evaluation and ended.code == USAGE else ended.code)
    except Invalid as refused:
        fail("; ".join(f"{problem.field}: {problem.message}" for problem in refused.problems))
    except EdisonError as refused:
        fail(refused.message)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        from edison.db.failures import explain

        sentence = explain(error)
        if sentence is None:
            raise
        fail(sentence)
    finally:
        leave_existing_objects_alone()


if __name__ == "__main__":
    main()
