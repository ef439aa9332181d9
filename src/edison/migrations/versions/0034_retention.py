"""Runs can be kept and archived; projects say when runs are archived, and confirm that old ones are
deleted.
"""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.add_column(
        "runs", sa.Column("is_kept", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("runs", sa.Column("archived_at", UtcDateTime()))
    op.add_column(
        "project_settings",
        sa.Column("archive_days", sa.Integer(), nullable=False, server_default="60"),
    )
    op.add_column("project_settings", sa.Column("retention_confirmed_at", UtcDateTime()))


def downgrade() -> None:
    op.drop_column("project_settings", "retention_confirmed_at")
    op.drop_column("project_settings", "archive_days")
    op.drop_column("runs", "archived_at")
    op.drop_column("runs", "is_kept")
