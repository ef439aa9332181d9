"""Writes an Alembic revision from the difference between the models and the last revision.

Usage: python scripts/new_migration.py "what changes"
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from edison.db import migrate
from edison.db.engine import open_engine

VERSIONS = Path(__file__).parent.parent / "src" / "edison" / "migrations" / "versions"


def write_revision(connection: Connection, message: str) -> None:
    config = Config()
    config.set_main_option("script_location", "edison:migrations")
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    config.attributes["connection"] = connection
    number = 1 + max((int(file.name[:4]) for file in VERSIONS.glob("[0-9]*.py")), default=0)
    command.revision(config, message, autogenerate=True, rev_id=f"{number:04d}")


async def main(message: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{folder}/edison.db"
        if any(VERSIONS.glob("[0-9]*.py")):
            await migrate.upgrade(url, backup_dir=Path(folder))
        engine = open_engine(url, pooled=False)
        async with engine.begin() as connection:
            await connection.run_sync(write_revision, message)
        await engine.dispose()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
