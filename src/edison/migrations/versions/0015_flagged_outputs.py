"""Outputs that somebody should look at."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "output_flags",
        sa.Column("output_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["output_id"],
            ["outputs.id"],
            name=op.f("fk_output_flags_output_id_outputs"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_output_flags_user_id_users"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("output_id", name=op.f("pk_output_flags")),
    )
    with op.batch_alter_table("output_flags", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_output_flags_user_id"), ["user_id"], unique=False)
