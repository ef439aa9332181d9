"""Access of endpoints to the vault."""

from typing import Annotated

from fastapi import Depends, Request

from edison.workspace.credentials.vault import Vault


async def get_vault(request: Request) -> Vault:
    vault: Vault = request.app.state.vault
    return vault


CurrentVault = Annotated[Vault, Depends(get_vault)]
