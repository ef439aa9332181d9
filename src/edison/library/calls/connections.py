"""Open providers, one per credential, each with the dispatch queue that its calls share.

Opening a provider costs a connection pool and, for some vendors, seconds of imports, so providers
stay open between calls. A changed credential gets a new provider while calls in flight finish on
the old one. The dispatch queue is kept, because the concurrency limit belongs to the credential.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from edison.kit.ids import digest
from edison.library.calls.shares import Share, Shares
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.provider import Provider
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.models import Credential
from edison.workspace.credentials.vault import Vault


@dataclass(slots=True, kw_only=True)
class Connection:
    provider: Provider
    share: Share
    # The credential as last read, and a digest of its provider, settings and secrets.
    credential: Credential
    fingerprint: str
    # The server's address and, for simulated models, their settings.
    endpoint: str
    users: int = 0
    is_replaced: bool = False

    @property
    def dispatch(self) -> DispatchQueue:
        return self.share.dispatch


class Connections:
    def __init__(self, vault: Vault, *, shares: Shares) -> None:
        self._vault = vault
        self._shares = shares
        self._by_credential: dict[UUID, Connection] = {}

    async def open(self, credential: Credential) -> Connection:
        """Pair with `release`. Raises MissingSecret when the credential's secret cannot be read."""
        connection = self._by_credential.get(credential.id)
        if connection is None or connection.credential is not credential:
            connection = await self._renew(connection, credential)
        connection.users += 1
        try:
            await connection.share.ready()
        except BaseException:
            await self.release(connection)
            raise
        return connection

    async def release(self, connection: Connection) -> None:
        connection.share.done()
        connection.users -= 1
        if connection.is_replaced:
            await _close_if_done(connection)

    async def _renew(self, old: Connection | None, credential: Credential) -> Connection:
        fingerprint = _fingerprint(credential)
        if old is None or old.fingerprint != fingerprint:
            return await self._replace(old, credential, fingerprint)
        old.credential = credential
        return old

    async def _replace(
        self, old: Connection | None, credential: Credential, fingerprint: str
    ) -> Connection:
        title = credentials.title_of(credential)
        new = Connection(
            provider=self._vault.open(credential),
            share=self._shares.of(credential.id, service=title),
            credential=credential,
            fingerprint=fingerprint,
            endpoint=_written(credential.settings),
        )
        self._by_credential[credential.id] = new
        if old is not None:
            old.is_replaced = True
            new.dispatch.renew(title)
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
    return digest(_written([credential.provider, credential.settings, credential.secrets]))


def _written(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
