"""`edison user`: accounts made from the command line."""

import asyncio
from typing import Annotated

import typer

from edison.cli.context import context_of, fail


def create(
    typer_context: typer.Context,
    email: Annotated[str, typer.Argument(help="Email to sign in with.")],
    name: Annotated[str | None, typer.Option(help="The person's name.")] = None,
    password: Annotated[
        str,
        typer.Option(
            prompt=True,
            hide_input=True,
            confirmation_prompt=True,
            envvar="EDISON_NEW_PASSWORD",
            help="Asked for when not in EDISON_NEW_PASSWORD.",
        ),
    ] = "",
) -> None:
    """Create an account, also where registration is closed."""
    from pydantic import ValidationError

    from edison.cli.offline import offline_database
    from edison.kit.errors import Invalid
    from edison.workspace.accounts import passwords, service
    from edison.workspace.accounts.models import User
    from edison.workspace.accounts.schemas import Registration

    context = context_of(typer_context)
    settings = context.settings()
    try:
        wanted = Registration.model_validate({"email": email, "name": name, "password": password})
    except ValidationError as wrong:
        fail("; ".join(found["msg"].removeprefix("Value error, ") for found in wrong.errors()))

    async def add() -> str:
        secret = wanted.password.get_secret_value()
        service.check_password(secret)
        password_hash = await passwords.hash_password(secret)
        user = User(email=wanted.email, name=wanted.name, password_hash=password_hash)
        async with offline_database(settings) as database, database.write() as session:
            return str((await service.add_user(session, user)).id)

    try:
        user_id = asyncio.run(add())
    except Invalid as weak:
        fail(" ".join(problem.message for problem in weak.problems))
    context.report(f"Created the account {wanted.email}.", id=user_id, email=wanted.email)
