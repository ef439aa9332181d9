"""`edison keys`: the keys in the data directory."""

import asyncio
from typing import TYPE_CHECKING

import typer

from edison.cli.context import context_of, fail

if TYPE_CHECKING:
    from edison.settings import Settings


def rotate(typer_context: typer.Context) -> None:
    """Make new keys: one that signs sessions, one that seals secrets; seal all secrets anew.

    People stay signed in and nothing becomes unreadable: older keys go on verifying and opening.
    """
    from edison.kit.sealing import add_sealing_key
    from edison.workspace.accounts.signing_keys import add_key, keys_folder
    from edison.workspace.credentials.service import sealing_folder

    context = context_of(typer_context)
    settings = context.settings()
    for name in ("jwt_private_key", "sealing_private_key"):
        if getattr(settings, name) is not None:
            fail(f"A key comes from EDISON_{name.upper()}; replace it there.")
    context.usable_data_dir(settings)
    signing = add_key(keys_folder(settings))
    sealing = add_sealing_key(sealing_folder(settings))
    count = asyncio.run(_reseal(settings))
    context.report(
        f"Sessions will be signed with key {signing.stem}; {count} credentials were sealed with "
        f"key {sealing.stem}. A running server signs with the new key after its next start.",
        signing_key=signing.stem,
        sealing_key=sealing.stem,
        resealed=count,
    )


async def _reseal(settings: "Settings") -> int:
    from edison.cli.offline import offline_database
    from edison.workspace.accounts.second_factor import service as second_factor
    from edison.workspace.credentials.service import open_vault, reseal_all

    keys = open_vault(settings).keys
    async with offline_database(settings) as database, database.write() as session:
        await second_factor.reseal_all(session, keys=keys)
        return await reseal_all(session, keys=keys)
