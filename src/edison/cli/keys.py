"""`edison keys`: the keys in the data directory."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from edison.cli.context import context_of

if TYPE_CHECKING:
    from edison.settings import Settings


def rotate(
    typer_context: typer.Context,
    discard_unreadable: Annotated[
        bool,
        typer.Option(help="Give up secrets whose key is lost; they must be entered again."),
    ] = False,
) -> None:
    """Make new keys: one that signs sessions, one that seals secrets; seal all secrets anew.

    People stay signed in and nothing becomes unreadable: older keys go on verifying and opening.
    A key that comes from a setting is not replaced; secrets are sealed anew with the last one
    given there.
    """
    context = context_of(typer_context)
    settings = context.settings()
    context.usable_data_dir(settings)
    sealing, count = asyncio.run(_reseal(settings, discard_unreadable=discard_unreadable))
    signing = _add_signing_key(settings)
    done = [f"{count} credentials were sealed with key {sealing}."]
    if signing is not None:
        done.append(
            f"Sessions will be signed with key {signing}, by a running server after its next start."
        )
    context.report(" ".join(done), signing_key=signing, sealing_key=sealing, resealed=count)


def _add_signing_key(settings: "Settings") -> str | None:
    from edison.workspace.accounts.signing_keys import add_key, keys_folder

    return None if settings.jwt_private_key else add_key(keys_folder(settings)).stem


async def _reseal(settings: "Settings", *, discard_unreadable: bool) -> tuple[str, int]:
    """Add a key and seal everything with it. The older keys stay, so that a process killed at any
    point leaves every secret readable.
    """
    from edison.app.sealed_secrets import require_keys, reseal_all
    from edison.cli.offline import offline_database
    from edison.kit.sealing import add_sealing_key
    from edison.workspace.credentials.vault import open_vault, sealing_folder

    async with offline_database(settings) as database:
        if not discard_unreadable:
            async with database.read() as session:
                await require_keys(session, settings)
        if settings.sealing_private_key is None:
            add_sealing_key(sealing_folder(settings))
        keys = open_vault(settings).keys
        async with database.write() as session:
            count = await reseal_all(session, keys=keys, discard_unreadable=discard_unreadable)
        return keys.current_name, count
