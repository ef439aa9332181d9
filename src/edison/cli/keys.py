"""`edison keys`: the keys in the data directory."""

import typer

from edison.cli.context import context_of, fail


def rotate(typer_context: typer.Context) -> None:
    """Sign new sessions with a new key. People stay signed in: older keys go on verifying."""
    from edison.workspace.accounts.signing_keys import add_key, keys_folder

    context = context_of(typer_context)
    settings = context.settings()
    if settings.jwt_private_key is not None:
        fail("The key comes from EDISON_JWT_PRIVATE_KEY; replace it there.")
    context.usable_data_dir(settings)
    added = add_key(keys_folder(settings))
    context.report(
        f"New sessions will be signed with key {added.stem}. Restart Edison to use it.",
        kid=added.stem,
    )
