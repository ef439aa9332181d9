"""Providers that are open for calls, one per credential, each with the lane its calls share.

Opening one costs a connection pool and, for some vendors, seconds of imports; so they stay open
from call to call. A credential that was changed gets a new provider, while calls under way finish
on the old one.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

import orjson

from edison.kit.ids import digest
from edison.pipeline.generate.path.lane import Lane
from edison.pipeline.generate.provider import Provider
from edison.workspace.credentials.models import Credential
from edison.workspace.credentials.service import Vault


@dataclass(slots=True, kw_only=True)
class Connection:
    provider: Provider
    lane: Lane
    fingerprint: str
    users: int = 0
    is_replaced: bool = False


class Connections:
    def __init__(self, vault: Vault, *, make_lane: Callable[[Credential], Lane]) -> None:
        self._vault = vault
        self._make_lane = make_lane
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
            yield connection
        finally:
            connection.users -= 1
            await _close_if_done(connection)

    async def _replace(
        self, old: Connection | None, credential: Credential, fingerprint: str
    ) -> Connection:
        new = Connection(
            provider=self._vault.open(credential),
            lane=self._make_lane(credential),
            fingerprint=fingerprint,
        )
        self._by_credential[credential.id] = new
        if old is not None:
            old.is_replaced = True
            await _close_if_done(old)
        return new

    async def close(self) -> None:
        connections = list(self._by_credential.values())
        self._by_credential.clear()
        for connection in connections:
            await connection.provider.close()


async def _close_if_done(connection: Connection) -> None:
    if connection.is_replaced and connection.users == 0:
        await connection.provider.close()


def _fingerprint(credential: Credential) -> str:
    parts = [credential.provider, credential.settings, credential.secrets]
    return digest(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS).decode())
