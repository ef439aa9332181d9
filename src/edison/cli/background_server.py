"""A server inside a command, for as long as the command needs one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from edison.cli.listen import listen, url_of
from edison.cli.serve import make_server, prepare
from edison.cli.server_lock import server_lock

if TYPE_CHECKING:
    from edison.settings import Settings


@asynccontextmanager
async def running_server(settings: "Settings", running: str | None) -> AsyncIterator[str]:
    """The address of the `running` server, or else of one on this machine that ends with the block.
    Other commands find it, as they find any server on the data directory. Raises AlreadyRunning
    while an evaluation holds the database.
    """
    if running is not None:
        yield running
        return
    own = settings.model_copy(update={"host": "127.0.0.1", "port": 0, "log_level": "error"})
    with server_lock(own) as lock, listen(own, say=_ignore) as listening:
        url = url_of(own.host, listening)
        own = own.model_copy(update={"port": listening.getsockname()[1]})
        await prepare(own, demo=False)
        is_ready = asyncio.Event()
        server = make_server(own, is_ready.set)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        starting = asyncio.create_task(is_ready.wait())
        await asyncio.wait({serving, starting}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            starting.cancel()
            await serving
        lock.write_address(url)
        try:
            yield url
        finally:
            server.should_exit = True
            await serving


def _ignore(text: str) -> None:
    """Standard output may not be the person's."""
