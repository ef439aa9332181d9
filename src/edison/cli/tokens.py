"""`edison token`: creates personal access tokens."""

import asyncio
from typing import Annotated

import typer

from edison.cli.context import context_of, fail


def create(
    typer_context: typer.Context,
    email: Annotated[str, typer.Argument(help="Account email.")],
    name: Annotated[str, typer.Option(help="Token name.")] = "command line",
    scope: Annotated[str, typer.Option(help="read, write or admin.")] = "write",
    days: Annotated[int, typer.Option(min=1, max=365, help="Days until it expires.")] = 90,
) -> None:
    """Create a personal access token and print it once."""
    from pydantic import ValidationError

    from edison.cli.offline import offline_database
    from edison.workspace.accounts import service, tokens
    from edison.workspace.accounts.schemas import TokenRequest

    context = context_of(typer_context)
    settings = context.settings()
    try:
        wanted = TokenRequest.model_validate(
            {"name": name, "scope": scope, "expires_in_days": days}
        )
    except ValidationError as wrong:
        fail("; ".join(f"{found['loc'][0]}: {found['msg']}" for found in wrong.errors()))

    async def add() -> str:
        async with offline_database(settings) as database, database.write() as session:
            user = await service.get_user_by_email(session, email=email)
            _, secret = await tokens.create_token(session, user_id=user.id, wanted=wanted)
        return secret

    secret = asyncio.run(add())
    context.report(secret, token=secret)
