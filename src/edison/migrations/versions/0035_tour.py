"""Accounts say whether the guided tour was started or declined."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    op.add_column(
        "users", sa.Column("has_seen_tour", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade() -> None:
    op.drop_column("users", "has_seen_tour")
