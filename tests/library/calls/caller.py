"""A calling process for tests: `python -m tests.library.calls.caller URL CREDENTIAL PORT LIMIT`.

Ten tasks call until it is killed. A call is a connection to the test, held for a moment.
"""

import asyncio
import os
import sys
from uuid import UUID

from edison.db.engine import open_engine
from edison.db.session import Database
from edison.jobs.lifecycle import process_lifecycle
from edison.library.calls.shares import Lane, Share, Shares
from tests.library.calls.calling import ANSWER, enter

TASKS = 10
CALL_SECONDS = 0.03
# As short as a busy machine allows: heartbeats are late while other processes have the CPU.
SILENCE_SECONDS = 8


async def main(url: str, credential_id: str, port: str, limit: str) -> None:
    database = Database(open_engine(url))
    database.listen()
    async with process_lifecycle(
        database, kind="worker", silence_seconds=SILENCE_SECONDS
    ) as batch_writer:
        shares = Shares(database, batch_writer.heartbeat, limit=int(limit))
        share = shares.of(Lane(credential_id=UUID(credential_id)), service="Test")
        await asyncio.gather(*(_call_forever(share, int(port)) for _ in range(TASKS)))


async def _call_forever(share: Share, port: int) -> None:
    while True:
        slot = await enter(share)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"%d" % os.getpid())
        await asyncio.sleep(CALL_SECONDS)
        writer.write_eof()
        # Once the test has closed its side, it no longer counts the call.
        await reader.read()
        writer.close()
        share.dispatch.leave(slot, ANSWER)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
