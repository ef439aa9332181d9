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
        typer.Option(help="Discard secrets whose key is lost. They must be entered again."),
    ] = False,
) -> None:
    """Rotate the keys that sign sessions and encrypt secrets, and re-encrypt all secrets.

    Sessions stay valid and secrets readable: older keys still verify and decrypt. A key given by a
    setting is not replaced; secrets are re-encrypted with the last key given there.
    """
    context = context_of(typer_context)
    settings = context.settings()
    context.usable_data_dir(settings)
    sealing, count = asyncio.run(_reseal(settings, discard_unreadable=discard_unreadable))
    signing = _add_signing_key(settings)
    done = [f"{count} credentials re-encrypted with key {sealing}."]
    if signing is not None:
        done.append(f"New sessions are signed with key {signing} after the next server start.")
    context.report(" ".join(done), signing_key=signing, sealing_key=sealing, resealed=count)


def _add_signing_key(settings: "Settings") -> str | None:
    from edison.workspace.accounts.signing_keys import add_key, keys_folder

    return None if settings.jwt_private_key else add_key(keys_folder(settings)).stem


async def _reseal(settings: "Settings", *, discard_unreadable: bool) -> tuple[str, int]:
    """Adds a key and encrypts all secrets with it. Older keys are kept, so that a process killed at
    any point leaves every secret readable.
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
