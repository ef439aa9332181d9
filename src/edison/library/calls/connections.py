"""Providers that are open for calls, one per credential, each with the lane its calls share.

Opening one costs a connection pool and, for some vendors, seconds of imports; so they stay open
from call to call. A credential that was changed gets a new provider, while calls under way finish
on the old one. The lane stays, since its limit is the credential's.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

import orjson

from edison.kit.ids import digest
from edison.library.calls.shares import Share, Shares
from edison.pipeline.generate.path.lane import Lane
from edison.pipeline.generate.provider import Provider
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.models import Credential
from edison.workspace.credentials.service import Vault


@dataclass(slots=True, kw_only=True)
class Connection:
    provider: Provider
    share: Share
    fingerprint: str
    users: int = 0
    is_replaced: bool = False

    @property
    def lane(self) -> Lane:
        return self.share.lane


class Connections:
    def __init__(self, vault: Vault, *, shares: Shares) -> None:
        self._vault = vault
        self._shares = shares
        self._by_credential: dict[UUID, Connection] = {}

    @asynccontextmanager
    async def use(self, credential: Credential) -> AsyncIterator[Connection]:
        """Raises MissingSecret when the credential's secret cannot be had."""
        connection = self._by_credential.get(credential.id)
        fingerprint = _fingerprint(credential)
        if connection is None or connection.fingerprint != fingerprint:
            connection = await self._replace(connection, credential, fingerprint)
        connection.users += 1
        try:
            await connection.share.ready()
            yield connection
        finally:
            connection.share.done()
            connection.users -= 1
            await _close_if_done(connection)

    async def _replace(
        self, old: Connection | None, credential: Credential, fingerprint: str
    ) -> Connection:
        title = credentials.title_of(credential)
        new = Connection(
            provider=self._vault.open(credential),
            share=self._shares.of(credential.id, service=title),
            fingerprint=fingerprint,
        )
        self._by_credential[credential.id] = new
        if old is not None:
            old.is_replaced = True
            new.lane.renew(title)
            await _close_if_done(old)
        return new

    async def close(self) -> None:
        connections = list(self._by_credential.values())
        self._by_credential.clear()
        await self._shares.close()
        for connection in connections:
            await connection.provider.close()


async def _close_if_done(connection: Connection) -> None:
    if connection.is_replaced and connection.users == 0:
        await connection.provider.close()


def _fingerprint(credential: Credential) -> str:
    parts = [credential.provider, credential.settings, credential.secrets]
    return digest(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS).decode())
