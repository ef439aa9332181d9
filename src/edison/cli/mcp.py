"""`edison mcp`: Edison's tools for assistants over stdio (Model Context Protocol)."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from edison.cli.context import Context, context_of, fail
from edison.cli.server_lock import find_server

if TYPE_CHECKING:
    from edison.db.session import Database
    from edison.sdk.client import Client
    from edison.settings import Settings
    from edison.workspace.accounts.models import User

_TOKEN_NAME = "edison mcp"  # noqa: S105 - the name of a token
_TOKEN_DAYS = 30


def start(
    typer_context: typer.Context,
    server: Annotated[
        str | None,
        typer.Option(help="Server to use, with EDISON_TOKEN. Default: the data directory."),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option(envvar="EDISON_PROJECT", help="Project of calls that name none."),
    ] = None,
    account: Annotated[
        str | None,
        typer.Option(help="Email of your account in the data directory. Default: local owner."),
    ] = None,
) -> None:
    """Serve Edison's tools to an assistant over stdio (Model Context Protocol).

    Every server offers the same tools over HTTP, at /mcp.
    """
    context = context_of(typer_context)
    if server is not None and account is not None:
        fail("--account is for the data directory; on a server EDISON_TOKEN says who you are.")
    asyncio.run(_serve(context, server=server, project=project, account=account))


async def _serve(
    context: Context, *, server: str | None, project: str | None, account: str | None
) -> None:
    from edison.mcp.server import make_server

    settings = context.settings()
    # Standard output belongs to the protocol.
    _quiet_logs(settings)
    async with _client(context, settings, server=server, account=account) as client:
        if project is not None:
            await _check(client, f"/api/v1/projects/{quote(project, safe='')}")
        api = _ClientApi(client)
        await make_server(lambda _: api, project=project).run_stdio_async()


@asynccontextmanager
async def _client(
    context: Context, settings: "Settings", *, server: str | None, account: str | None
) -> "AsyncIterator[Client]":
    """A client of the given server, of the one on the data directory, or of one that this process
    starts there for as long as it runs.
    """
    from edison.cli.background_server import running_server
    from edison.sdk.client import Client

    if server is not None:
        if not os.environ.get("EDISON_TOKEN"):
            fail("Set EDISON_TOKEN to a personal access token of the server.")
        client = Client(server)
        await _check(client, "/api/v1/projects?limit=1")
        yield client
        return
    context.usable_data_dir(settings)
    async with (
        running_server(settings, find_server(settings)) as url,
        _own_token(settings, account) as token,
    ):
        yield Client(url, token=token)


async def _check(client: "Client", path: str) -> None:
    """Exits with 1 when the server cannot be reached, refuses the token or lacks the project."""
    from edison.sdk.client import ApiError

    try:
        # This process may be the server.
        await asyncio.to_thread(client.get, path)
    except ApiError as refused:
        fail(str(refused))


@asynccontextmanager
async def _own_token(settings: "Settings", account: str | None) -> AsyncIterator[str]:
    """A token that is revoked at the end. Access to the data directory is access to everything in
    it, so no password is asked.
    """
    from edison.cli.offline import offline_database
    from edison.workspace.accounts import tokens
    from edison.workspace.accounts.models import TokenScope
    from edison.workspace.accounts.schemas import TokenRequest

    wanted = TokenRequest(name=_TOKEN_NAME, scope=TokenScope.WRITE, expires_in_days=_TOKEN_DAYS)
    async with offline_database(settings) as database:
        user = await _find_account(database, account)
        async with database.write() as session:
            token, secret = await tokens.create_token(session, user_id=user.id, wanted=wanted)
        try:
            yield secret
        finally:
            async with database.write() as session:
                await tokens.revoke_token(session, user_id=user.id, token_id=token.id)


async def _find_account(database: "Database", email: str | None) -> "User":
    """The named account, or the local owner, which is made on first use. Raises NotFound."""
    from edison.app.hooks import install_hooks
    from edison.workspace.accounts import service
    from edison.workspace.accounts.sign_in_links import find_local_account

    install_hooks()
    async with database.write() as session:
        if email is not None:
            return await service.get_user_by_email(session, email=email)
        owner = await find_local_account(session)
    if owner is None:
        fail("Name your account in this data directory with --account EMAIL.")
    return owner


class _ClientApi:
    """The API through the client of the SDK, in threads."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> Any:
        """Raises ToolError."""
        from edison.mcp.api import refusal
        from edison.sdk.client import ApiError

        try:
            return await asyncio.to_thread(
                self._client.request, method, path, query=query, body=body
            )
        except ApiError as refused:
            raise refusal(str(refused), refused.details) from None


def _quiet_logs(settings: "Settings") -> None:
    from edison.app.logs import configure_logs

    configure_logs(settings.model_copy(update={"log_level": "error"}))
