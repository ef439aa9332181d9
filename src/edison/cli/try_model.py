"""`edison try`: sends one prompt to a model and streams the answer to the terminal."""

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from edison.cli.context import Context, context_of, errors, fail
from edison.cli.models import Project

if TYPE_CHECKING:
    from edison.library.calls.schemas import TryRequest

FAILED = 1


def ask(
    typer_context: typer.Context,
    model: Annotated[str, typer.Argument(help="Model name in the project.")],
    prompt: Annotated[str, typer.Argument(help="Prompt. - reads from standard input.")],
    project: Project = None,
    system: Annotated[str | None, typer.Option(help="System prompt.")] = None,
    temperature: Annotated[
        float | None, typer.Option(help="Temperature. Default: the model's.")
    ] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Max tokens.")] = None,
    no_cache: Annotated[bool, typer.Option(help="Bypass the cache.")] = False,
) -> None:
    """Send a prompt to a model. Streams the answer, then prints tokens, cost and latency."""
    from pydantic import ValidationError

    from edison.library.calls.schemas import TryRequest

    context = context_of(typer_context)
    text = sys.stdin.read() if prompt == "-" else prompt
    parameters = {"temperature": temperature, "max_tokens": max_tokens}
    given = {name: value for name, value in parameters.items() if value is not None}
    try:
        wanted = TryRequest.model_validate(
            {
                "prompt": text,
                "system": system,
                "parameters": given or None,
                "is_cache_bypassed": no_cache,
            }
        )
    except ValidationError as wrong:
        fail("; ".join(f"{found['loc'][-1]}: {found['msg']}" for found in wrong.errors()))
    kind, end = asyncio.run(_try(context, model, project, wanted))
    if context.as_json:
        context.report("", event=kind, **end)
    if kind == "failed":
        if not context.as_json:
            errors.print("[red]Failed:[/]", end["message"], markup=True)
        raise typer.Exit(FAILED)
    context.say(_summary(end))


async def _try(
    context: Context, name: str, slug: str | None, wanted: "TryRequest"
) -> tuple[str, dict[str, Any]]:
    from edison.app.call_metrics import CallMetrics
    from edison.app.hooks import install_hooks
    from edison.cli.offline import offline_database
    from edison.jobs.lifecycle import process_lifecycle
    from edison.library.calls import service
    from edison.library.calls.gateway import Gateway
    from edison.library.models import service as models
    from edison.workspace.credentials.vault import open_vault
    from edison.workspace.projects import service as projects

    install_hooks()
    settings = context.settings()
    async with offline_database(settings) as database:
        async with database.read() as session:
            project = await projects.get_project(session, slug=slug)
            found = await models.find_by_name(session, project_id=project.id, name=name)
        if found is None:
            fail(f"Model {name!r} not found in this project. Run `edison models` to list models.")
        model = await service.prepare_try(
            database, project_id=project.id, model_id=found.id, wanted=wanted
        )
        async with process_lifecycle(
            database, kind="command", silence_seconds=settings.worker_silence_seconds
        ) as batch_writer:
            gateway = Gateway(
                database,
                batch_writer=batch_writer,
                vault=open_vault(settings),
                observer=CallMetrics(None),
                settings=settings,
            )
            end: tuple[str, dict[str, Any]] = ("", {})
            try:
                async for kind, data in service.try_model(gateway, model, wanted):
                    _show(context, kind, data)
                    end = kind, dict(data)
            finally:
                await gateway.close()
    return end


def _show(context: Context, kind: str, data: Any) -> None:
    if context.as_json:
        return
    if kind == "delta":
        # Bypasses rich, which would interpret markup in the answer.
        sys.stdout.write(data["text"])
        sys.stdout.flush()
    elif kind == "restarted":
        sys.stdout.write("\n")
        errors.print("[dim]The answer was interrupted; retrying.[/]")
    elif kind == "waiting" and not context.quiet:
        errors.print(f"[dim]{data['sentence']}[/]")
    elif kind == "answered":
        sys.stdout.write("\n")


def _summary(end: dict[str, Any]) -> str:
    usage = end["usage"]
    tokens = "tokens unknown"
    if usage is not None:
        about = "about " if usage["is_estimated"] else ""
        tokens = f"{about}{usage['input_tokens']} + {usage['output_tokens']} tokens"
    cost = "price unknown" if end["cost_usd"] is None else f"${end['cost_usd']}"
    parts = [
        tokens,
        "cached, free" if end["is_cached"] else cost,
        f"{end['latency_seconds']:.1f} s",
        *(["simulated"] if end["is_simulated"] else []),
    ]
    return f"[dim]{' · '.join(parts)}[/]"
