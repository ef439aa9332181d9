"""Whether the providers of stored credentials answer with their keys, for `edison doctor`."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import select

from edison.db.session import Database
from edison.kit.credential_variables import VENDOR_VARIABLES
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate import catalog
from edison.settings import Settings
from edison.workspace.credentials.errors import MissingSecret
from edison.workspace.credentials.models import Credential
from edison.workspace.credentials.vault import Vault, open_vault
from edison.workspace.projects.models import Project

SECONDS_EACH = 10.0
_AT_ONCE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCheck:
    """`trouble` is None when the provider accepts the key."""

    title: str
    label: str
    project: str
    trouble: str | None


async def check_providers(database: Database, settings: Settings) -> Sequence[ProviderCheck]:
    """Asks each provider at the lowest possible cost, mostly for its list of models. Besides the
    variables that the settings allow, keys come from the usual variables of the vendors, as in
    `edison eval`.
    """
    async with database.read() as session:
        rows = await session.execute(
            select(Credential, Project.slug)
            .join(Project, Project.id == Credential.project_id)
            .order_by(Project.slug, Credential.label)
        )
        asked = [(each, slug) for each, slug in rows if _is_outside(each)]
    if not asked:
        return []
    vault = open_vault(settings)
    vault = replace(vault, variables={**VENDOR_VARIABLES, **vault.variables})
    slots = asyncio.Semaphore(_AT_ONCE)

    async def check(credential: Credential, slug: str) -> ProviderCheck:
        async with slots:
            return ProviderCheck(
                title=catalog.load_provider(credential.provider).title,
                label=credential.label,
                project=slug,
                trouble=await _find_trouble(credential, vault),
            )

    return await asyncio.gather(*(check(each, slug) for each, slug in asked))


def _is_outside(credential: Credential) -> bool:
    """Simulated models, and code of this machine, need no key."""
    kind = catalog.load_provider(credential.provider)
    return not kind.is_simulated and not kind.is_hidden


async def _find_trouble(credential: Credential, vault: Vault) -> str | None:
    try:
        provider = vault.open(credential)
    except MissingSecret as missing:
        return str(missing)
    try:
        async with asyncio.timeout(SECONDS_EACH):
            failed = await provider.check()
    except TimeoutError:
        return f"No answer within {SECONDS_EACH:.0f} s."
    finally:
        await provider.close()
    return None if failed is None else failed.message
