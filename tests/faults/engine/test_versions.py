"""Processes of two versions on one database: the older ones stop with a message, and start again
only on a schema they know. Nothing is charged twice.
"""

import asyncio

import pytest
from sqlalchemy import text

from edison.db.current_schema import newest_revision
from edison.db.engine import open_engine
from tests.faults.engine.evidence import (
    find_incompleteness,
    find_repetitions,
    find_wrong_money,
    find_wrong_sums,
)
from tests.faults.engine.installation import Install, Installation
from tests.support.empty_databases import Dialect

NEWER = "9999"
STOPPING = "The database was upgraded by a newer Edison, so this process stops."
REFUSING = "The database was written by a newer Edison"
CASES = 30


def stamp(installation: Installation, revision: str) -> None:
    """As at the end of an upgrade."""

    async def write() -> None:
        engine = open_engine(installation.database_url, pooled=False)
        async with engine.begin() as connection:
            await connection.execute(
                text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision}
            )
        await engine.dispose()

    asyncio.run(write())


@pytest.mark.everyday
@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_processes_stop_when_a_newer_edison_upgrades_the_database(
    dialect: Dialect, install: Install
) -> None:
    installation = install(dialect)
    installation.provider.turn(least_seconds=0.1, most_seconds=0.3)
    run_id = installation.start_run(cases=CASES)
    installation.until(run_id, lambda run: run["done_count"] >= 5)

    stamp(installation, NEWER)
    codes = [worker.wait() for worker in installation.workers]
    assert installation.server is not None
    installation.server.wait()
    assert codes == [0] * len(codes)
    assert installation.log.count(STOPPING) == len(installation.processes)
    installation.workers, installation.server = [], None

    command = ("serve", "--no-open", "--port", "0") if dialect == "sqlite" else ("worker",)
    code, said = installation.refused(*command)
    assert code != 0
    assert (REFUSING in said, "Traceback" in said) == (True, False), said

    stamp(installation, newest_revision())
    installation.start()
    problems = find_incompleteness(installation.finish(run_id))
    problems += find_wrong_sums(installation, run_id)
    record = installation.provider.record()
    assert problems + find_repetitions(record) + find_wrong_money(installation, record) == []
