"""One limit for several real processes, one of which is killed."""

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from tests.library.calls.conftest import Installation

LIMIT = 5


class Service:
    """Counts every call of every process."""

    def __init__(self) -> None:
        self.under_way: Counter[int] = Counter()
        self.answered: Counter[int] = Counter()
        self.most = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pid = int(await reader.read(20))
        self.under_way[pid] += 1
        self.most = max(self.most, self.under_way.total())
        # Calls of a killed process end like this.
        with suppress(ConnectionError):
            await reader.read()
        self.under_way[pid] -= 1
        self.answered[pid] += 1
        writer.close()

    async def until(self, pids: list[int], *, calls: int) -> None:
        """Waits until each process has made this many further calls."""
        goal = {pid: self.answered[pid] + calls for pid in pids}
        async with asyncio.timeout(60):
            while any(self.answered[pid] < goal[pid] for pid in pids):  # noqa: ASYNC110 - others
                await asyncio.sleep(0.02)

    async def until_busy(self, pids: list[int]) -> None:
        """Waits until these processes together use the whole limit."""
        async with asyncio.timeout(60):
            while sum(self.under_way[pid] for pid in pids) < LIMIT:  # noqa: ASYNC110 - others
                await asyncio.sleep(0.002)


@asynccontextmanager
async def calling(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.library.calls.caller", *arguments
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.parametrize("empty_url", ["postgresql"], indirect=True)
async def test_processes_share_a_limit_and_inherit_from_one_that_is_killed(
    installation: Installation,
) -> None:
    service = Service()
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    arguments = (installation.url, str(installation.credential_id), str(port), str(LIMIT))
    async with calling(*arguments) as first, calling(*arguments) as second:
        await service.until([first.pid, second.pid], calls=20)
        async with calling(*arguments) as third:
            await service.until([first.pid, second.pid, third.pid], calls=20)
            third.kill()
            await third.wait()
            await service.until_busy([first.pid, second.pid])
        await service.until([first.pid, second.pid], calls=20)
        assert len(await installation.slots()) == 2
    server.close()
    assert service.most == LIMIT
