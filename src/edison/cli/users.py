"""`edison user`: creates and manages accounts."""

import asyncio
import os
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from edison.cli.context import context_of, fail
from edison.kit.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sqlalchemy.ext.asyncio import AsyncSession

    from edison.workspace.accounts.models import User

Result = TypeVar("Result")


def create(
    typer_context: typer.Context,
    email: Annotated[str, typer.Argument(help="Account email.")],
    name: Annotated[str | None, typer.Option(help="Display name.")] = None,
    password: Annotated[
        str,
        typer.Option(
            prompt=True,
            hide_input=True,
            confirmation_prompt=True,
            envvar="EDISON_NEW_PASSWORD",
            help="Prompted for unless EDISON_NEW_PASSWORD is set.",
        ),
    ] = "",
) -> None:
    """Create an account, even if registration is closed."""
    from pydantic import ValidationError

    from edison.app.hooks import install_hooks
    from edison.cli.offline import offline_database
    from edison.kit import clock
    from edison.kit.errors import Invalid
    from edison.workspace.accounts import passwords, service
    from edison.workspace.accounts.models import User
    from edison.workspace.accounts.schemas import RegistrationRequest

    install_hooks()
    context = context_of(typer_context)
    settings = context.settings()
    try:
        wanted = RegistrationRequest.model_validate(
            {"email": email, "name": name, "password": password}
        )
    except ValidationError as wrong:
        fail("; ".join(found["msg"].removeprefix("Value error, ") for found in wrong.errors()))

    async def add() -> str:
        secret = wanted.password.get_secret_value()
        service.check_password(secret)
        password_hash = await passwords.hash_password(secret)
        user = User(
            email=wanted.email,
            name=wanted.name,
            password_hash=password_hash,
            # Created by the operator, so no verification mail is needed.
            email_verified_at=clock.now(),
        )
        async with offline_database(settings) as database, database.write() as session:
            return str((await service.add_user(session, user)).id)

    try:
        user_id = asyncio.run(add())
    except Invalid as weak:
        fail(" ".join(problem.message for problem in weak.problems))
    context.report(f"Account {wanted.email} created.", id=user_id, email=wanted.email)


def verify(
    typer_context: typer.Context,
    email: Annotated[str, typer.Argument(help="Account email.")],
) -> None:
    """Mark an account's email as verified, for servers without mail."""
    from edison.workspace.accounts import service

    async def change(session: "AsyncSession", user: "User") -> None:
        service.mark_verified(session, user, proof="operator")

    _change(typer_context, email, change)
    context_of(typer_context).report(f"{email} is verified.", email=email)


def reset_password(
    typer_context: typer.Context,
    email: Annotated[str, typer.Argument(help="Account email.")],
    link: Annotated[
        bool, typer.Option("--link", help="Print a link to pass on, instead of asking.")
    ] = False,
) -> None:
    """Set a new password for an account and end its sessions and tokens."""
    from edison.workspace.accounts import password_reset, passwords, service
    from edison.workspace.accounts.signing_keys import load_keys

    context = context_of(typer_context)
    if link:
        settings = context.settings()

        async def write_link(_: "AsyncSession", user: "User") -> str:
            return password_reset.link_for(user, keys=load_keys(settings), site=settings.site_url)

        address = _change(typer_context, email, write_link)
        context.report(f"{address}\nThe link works once, within one hour.", link=address)
        return
    new = os.environ.get("EDISON_NEW_PASSWORD") or typer.prompt(
        "New password", hide_input=True, confirmation_prompt=True
    )
    service.check_password(new)
    password_hash = asyncio.run(passwords.hash_password(new))

    async def change(session: "AsyncSession", user: "User") -> None:
        await password_reset.set_password(session, user, password_hash=password_hash)

    _change(typer_context, email, change)
    context.report(f"The password of {email} is changed, its sessions ended.", email=email)


def remove_second_factor(
    typer_context: typer.Context,
    email: Annotated[str, typer.Argument(help="Account email.")],
) -> None:
    """Turn off two-factor authentication for an account."""
    from edison.workspace.accounts.second_factor import service as second_factor

    async def change(session: "AsyncSession", user: "User") -> None:
        if not user.has_second_factor:
            raise Conflict(f"{email} does not use two-factor authentication.")
        await second_factor.remove(session, user=user, action="second_factor.removed_by_operator")

    _change(typer_context, email, change)
    context_of(typer_context).report(
        f"Two-factor authentication is off for {email}.",
        email=email,
    )


def end_access(
    typer_context: typer.Context,
    email: Annotated[str, typer.Argument(help="Account email.")],
) -> None:
    """Revoke all sessions, sign-in links and access tokens of an account."""
    from edison.workspace.accounts import revocation
    from edison.workspace.audit import service as audit

    async def change(session: "AsyncSession", user: "User") -> None:
        ended = await revocation.end_access(session, user)
        audit.record(
            session,
            "user.access_ended",
            entity=("user", user.id),
            after={"sessions_ended": ended.sessions, "tokens_ended": ended.tokens},
        )

    _change(typer_context, email, change)
    context_of(typer_context).report(f"All sessions of {email} ended.", email=email)


def _change(
    typer_context: typer.Context,
    email: str,
    change: "Callable[[AsyncSession, User], Awaitable[Result]]",
) -> Result:
    from edison.cli.offline import offline_database
    from edison.workspace.accounts import service

    settings = context_of(typer_context).settings()

    async def run() -> Result:
        async with offline_database(settings) as database, database.write() as session:
            return await change(session, await service.get_user_by_email(session, email=email))

    return asyncio.run(run())
