"""Looks up host names, and accepts only allowed addresses."""

import asyncio
import socket
from typing import TYPE_CHECKING, Protocol

from edison.pipeline.generate.addresses import NetworkPolicy, check_address, check_name

if TYPE_CHECKING:
    from aiohttp.abc import ResolveResult


class Resolver(Protocol):
    """The same shape as aiohttp's, which takes longer to import than many programs to run."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> "list[ResolveResult]": ...

    async def close(self) -> None: ...


class SystemResolver:
    """Asks the operating system, in a thread."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> "list[ResolveResult]":
        found = await asyncio.get_running_loop().getaddrinfo(
            host, port, type=socket.SOCK_STREAM, family=family, flags=socket.AI_ADDRCONFIG
        )
        return [
            {
                "hostname": host,
                "host": str(address[0]),
                "port": int(address[1]),
                "family": kind,
                "proto": protocol,
                "flags": socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            }
            for kind, _, protocol, _, address in found
        ]

    async def close(self) -> None:
        """Keeps nothing open."""


class CheckedResolver:
    """Resolves only to allowed addresses; a single forbidden address rejects the whole name."""

    def __init__(self, inner: Resolver, policy: NetworkPolicy, *, is_encrypted: bool) -> None:
        self._inner = inner
        self._policy = policy
        self._is_encrypted = is_encrypted

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> "list[ResolveResult]":
        check_name(host)
        found = await self._inner.resolve(host, port, family)
        for each in found:
            check_address(each["host"], self._policy, is_encrypted=self._is_encrypted)
        return found

    async def close(self) -> None:
        await self._inner.close()
