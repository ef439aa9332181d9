"""What people say about outputs."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "human_scores",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("output_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("question", sa.String(length=10), nullable=False),
        sa.Column("answer", sa.SmallInteger(), nullable=True),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("criteria", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "question IN ('thumbs', 'pass_fail', 'rating')", name=op.f("ck_human_scores_question")
        ),
        sa.CheckConstraint("value BETWEEN 0 AND 1", name=op.f("ck_human_scores_value_is_a_share")),
        sa.ForeignKeyConstraint(
            ["output_id"],
            ["outputs.id"],
            name=op.f("fk_human_scores_output_id_outputs"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_human_scores_user_id_users"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_human_scores")),
        sa.UniqueConstraint("output_id", "user_id", name=op.f("uq_human_scores_output_id_user_id")),
    )
    with op.batch_alter_table("human_scores", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_human_scores_user_id"), ["user_id"], unique=False)

    with op.batch_alter_table("outputs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("human_value", sa.Float(), nullable=True))
