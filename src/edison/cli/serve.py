"""`edison serve`: upgrades the database and starts the server."""

import asyncio
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

import typer

from edison.cli.context import Context, context_of, fail
from edison.cli.database import make_current
from edison.cli.listen import listen, url_of
from edison.cli.server_lock import server_lock
from edison.kit.memory import leave_existing_objects_alone

if TYPE_CHECKING:
    import uvicorn
    from sqlalchemy.ext.asyncio import AsyncSession

    from edison.settings import Settings


class EngineMode(StrEnum):
    PROCESS = "process"
    INLINE = "inline"


def start(
    typer_context: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port. Default: 8000, or the next free port."),
    ] = None,
    demo: Annotated[
        bool, typer.Option(help="Create the demo project in an empty installation.")
    ] = False,
    open_browser: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open Edison in a browser.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Server processes (PostgreSQL only).")] = 1,
    engine: Annotated[
        EngineMode | None,
        typer.Option(help="Execute runs in a process of their own or inline (SQLite only)."),
    ] = None,
) -> None:
    """Start the server and print its address."""
    context = context_of(typer_context)
    given = {"host": host, "port": port, "engine": None if engine is None else engine.value}
    settings = context.settings().model_copy(
        update={name: value for name, value in given.items() if value is not None}
    )
    start_server(context, settings, demo=demo, open_browser=open_browser, workers=workers)


def start_server(
    context: Context,
    settings: "Settings",
    *,
    demo: bool = False,
    open_browser: bool | None = None,
    workers: int = 1,
    page: str = "",
) -> None:
    """Serves until it is stopped. `page` is the path that the browser opens."""
    context.usable_data_dir(settings)
    if workers > 1 and settings.is_embedded:
        fail(
            "SQLite supports one server process. "
            "For --workers, set EDISON_DATABASE_URL to PostgreSQL."
        )
    with server_lock(settings) as lock:
        listening = listen(settings, say=context.say)
        url = url_of(settings.host, listening)
        lock.write_address(url)
        # External links contain the port in use.
        settings = settings.model_copy(update={"port": listening.getsockname()[1]})
        load_application()
        link = asyncio.run(prepare(settings, demo=demo))
        target = _target(url, link=link, page=page)
        announce = partial(
            _announce,
            context,
            url=url,
            page=target,
            has_link=link is not None,
            open_browser=open_browser,
        )
        if workers == 1:
            server = make_server(settings, announce)
            leave_existing_objects_alone()
            server.run(sockets=[listening])
        else:
            announce()
            _serve_with_workers(context, settings, listening, workers=workers)


def load_application() -> None:
    """Imports all modules of the server."""
    from edison.kit.startup import loading_modules

    with loading_modules():
        import edison.app.main  # noqa: F401 - loads everything


def _target(url: str, *, link: str | None, page: str) -> str:
    """The address to open: the page, after signing in with the link if there is one."""
    if link is None:
        return url + page
    query = {"token": link, **({"next": page} if page else {})}
    return f"{url}/sign-in?{urlencode(query)}"


async def prepare(settings: "Settings", *, demo: bool) -> str | None:
    """Migrates the database (or requires that it is migrated), creates the demo project, and
    returns a sign-in link when the server listens only on this machine.
    """
    from edison.app.sealed_secrets import require_keys
    from edison.db.engine import open_engine
    from edison.db.session import Database
    from edison.workspace.accounts import service as accounts
    from edison.workspace.accounts import sign_in_links
    from edison.workspace.accounts.access import is_loopback
    from edison.workspace.accounts.signing_keys import load_keys

    database = Database(open_engine(settings.resolved_database_url, pooled=False))
    try:
        await make_current(settings, database.engine)
        async with database.read() as session:
            await require_keys(session, settings)
        load_keys(settings)
        async with database.write() as session:
            if demo and not await accounts.has_users(session):
                await _make_demo(session)
            is_local = is_loopback(settings.host) or settings.host == "localhost"
            return await sign_in_links.offer_link(session) if is_local else None
    finally:
        await database.close()


async def _make_demo(session: "AsyncSession") -> None:
    """Imports the demo only at the first start."""
    from edison.app.demo.project import make_demo

    await make_demo(session)


def _announce(
    context: Context, *, url: str, page: str, has_link: bool, open_browser: bool | None
) -> None:
    told = ""
    if has_link:
        told = f"  Sign in (link works once, for 15 minutes): [bold cyan]{page}[/]\n"
    elif page != url:
        told = f"  The page is [bold cyan]{page}[/]\n"
    context.report(
        f"\n  [bold]Edison is running[/] at {url}\n{told}  Press Ctrl+C to stop.\n",
        url=url,
        sign_in_link=page if has_link else None,
    )
    sys.stdout.flush()
    if open_browser if open_browser is not None else has_screen():
        webbrowser.open(page)


def has_screen() -> bool:
    """Whether a browser window can open; a text browser would take over the terminal."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def make_server(settings: "Settings", announce: Callable[[], None]) -> "uvicorn.Server":
    """A server that announces its address when it is ready."""
    import uvicorn

    from edison.app.engine.forked import fork_engine
    from edison.app.main import create_app

    class AnnouncedServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            announce()

    app = create_app(settings)
    config = uvicorn.Config(app, **_server_options())
    if settings.has_engine_process:
        app.state.started_engine = fork_engine()
    return AnnouncedServer(config)


def _serve_with_workers(
    context: Context, settings: "Settings", listening: socket.socket, *, workers: int
) -> None:
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    # Each process loads the settings itself, so command-line options are passed on in the
    # environment.
    os.environ["EDISON_DATA_DIR"] = str(settings.data_dir)
    os.environ["EDISON_HOST"] = settings.host
    os.environ["EDISON_PORT"] = str(settings.port)
    if context.config is not None:
        os.environ["EDISON_CONFIG"] = str(context.config.absolute())
    config = uvicorn.Config(
        "edison.app.main:create_configured_app",
        factory=True,
        workers=workers,
        **_server_options(),
    )
    Multiprocess(config, sockets=[listening]).run()


def _server_options() -> dict[str, Any]:
    return {
        "log_config": None,
        "access_log": False,
        "server_header": False,
        # Proxy headers are handled by the application, which also needs the proxy's own address.
        "proxy_headers": False,
        "http": "edison.app.http_protocol:HttpProtocol",
        # Slow to import.
        "ws": "none",
        "timeout_graceful_shutdown": 10,
        "timeout_keep_alive": 30,
    }
