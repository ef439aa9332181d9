"""Open providers, one per credential, each with the dispatch queue that its calls share.

Opening a provider costs a connection pool and, for some vendors, seconds of imports, so providers
stay open between calls. A changed credential gets a new provider while calls in flight finish on
the old one. The dispatch queue is kept, because the concurrency limit belongs to the credential, or
to the model if that limits its concurrency itself.
"""

from typing import Any
from uuid import UUID

import orjson

from edison.kit.ids import digest
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.shares import Lane, Share, Shares
from edison.library.models.service import CallableModel
from edison.pipeline.generate import catalog
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.provider import Provider
from edison.workspace.credentials import service as credentials
from edison.workspace.credentials.models import Credential
from edison.workspace.credentials.vault import Vault


@dataclass(slots=True, kw_only=True)
class Connection:
    provider: Provider
    # The credential as last read, and a digest of its provider, settings and secrets.
    credential: Credential
    fingerprint: str
    # The server's address and, for simulated models, their settings.
    endpoint: str
    users: int = 0
    is_replaced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLane:
    """A connection with the share of the slots that a call uses. `service` names the credential in
    messages.
    """

    connection: Connection
    share: Share
    service: str

    @property
    def dispatch(self) -> DispatchQueue:
        return self.share.dispatch


class Connections:
    def __init__(self, vault: Vault, *, shares: Shares) -> None:
        self._vault = vault
        self._shares = shares
        self._by_credential: dict[UUID, Connection] = {}

    async def open(self, model: CallableModel) -> OpenLane:
        """Pair with `release`. Raises MissingSecret when the credential's secret cannot be read."""
        credential = model.credential
        connection = self._by_credential.get(credential.id)
        if connection is None or connection.credential is not credential:
            connection = await self._renew(connection, credential)
        service = credentials.service_of(credential)
        share = self._share(model, service)
        opened = OpenLane(connection=connection, share=share, service=service)
        connection.users += 1
        try:
            await opened.share.ready()
        except BaseException:
            await self.release(opened)
            raise
        return opened

    async def release(self, opened: OpenLane) -> None:
        opened.share.done()
        opened.connection.users -= 1
        if opened.connection.is_replaced:
            await _close_if_done(opened.connection)

    def _share(self, model: CallableModel, service: str) -> Share:
        credential = model.credential
        lane = Lane(credential_id=credential.id, model_id=model.id if model.has_own_queue else None)
        provider = catalog.load_provider(credential.provider)
        return self._shares.of(lane, service=service, limit=provider.call_limits.concurrency)

    async def _renew(self, old: Connection | None, credential: Credential) -> Connection:
        fingerprint = _fingerprint(credential)
        if old is None or old.fingerprint != fingerprint:
            return await self._replace(old, credential, fingerprint)
        old.credential = credential
        return old

    async def _replace(
        self, old: Connection | None, credential: Credential, fingerprint: str
    ) -> Connection:
        new = Connection(
            provider=self._vault.open(credential),
            credential=credential,
            fingerprint=fingerprint,
            endpoint=endpoint_of(credential),
        )
        self._by_credential[credential.id] = new
        if old is not None:
            old.is_replaced = True
            self._shares.renew(credential.id, service=credentials.service_of(credential))
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


def endpoint_of(credential: Credential) -> str:
    """Distinguishes servers, and settings of simulated models, in keys of the answer cache."""
    return _written(credential.settings)


def _fingerprint(credential: Credential) -> str:
    return digest(_written([credential.provider, credential.settings, credential.secrets]))


def _written(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
