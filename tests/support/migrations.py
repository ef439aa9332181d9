"""A folder of revisions newer than the program's own, optionally slow."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

from edison.db import migrate

_REVISION = """
import time

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def pause() -> None:
    print("step", flush=True)
    time.sleep({sleep_seconds})


def upgrade() -> None:
    pause()
    op.create_table("{table}", sa.Column("id", sa.Integer(), primary_key=True))
    pause()
    with op.batch_alter_table("users") as users:
        users.add_column(sa.Column("{table}", sa.String(20), nullable=True))
    pause()
    op.execute("UPDATE users SET {table} = 'changed'")
    pause()
    op.create_index("ix_users_{table}", "users", ["{table}"])
    pause()
"""

STEPS = 10
ADDITIONS = ("first_addition", "second_addition")


def write_revisions(folder: Path, *, sleep_seconds: float = 0) -> Path:
    """The program's revisions and two more, each of five steps that print a line and then pause."""
    with as_file(files("edison") / "migrations") as source:
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    before = migrate.revisions().get_current_head()
    for table in ADDITIONS:
        values = {
            "revision": table,
            "before": before,
            "table": table,
            "sleep_seconds": sleep_seconds,
        }
        (folder / "versions" / f"{table}.py").write_text(_REVISION.format(**values))
        before = table
    return folder
