"""Queues in which people are asked to score outputs."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "annotation_queues",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=True),
        sa.Column("question", sa.String(length=10), nullable=False),
        sa.Column("criteria", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("strategy", sa.String(length=20), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("overlap", sa.SmallInteger(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "question IN ('thumbs', 'pass_fail', 'rating')",
            name=op.f("ck_annotation_queues_question"),
        ),
        sa.CheckConstraint(
            "state IN ('open', 'paused', 'closed')", name=op.f("ck_annotation_queues_state")
        ),
        sa.CheckConstraint(
            "strategy IN ('random', 'disagreement', 'low_confidence')",
            name=op.f("ck_annotation_queues_strategy"),
        ),
        sa.CheckConstraint("overlap >= 1", name=op.f("ck_annotation_queues_overlap_positive")),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_annotation_queues_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_annotation_queues_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation_queues")),
    )
    with op.batch_alter_table("annotation_queues", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_annotation_queues_author_id"), ["author_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_annotation_queues_project_id_created_at_id"),
            ["project_id", "created_at", "id"],
            unique=False,
        )

    op.create_table(
        "annotation_assignees",
        sa.Column("queue_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["queue_id"],
            ["annotation_queues.id"],
            name=op.f("fk_annotation_assignees_queue_id_annotation_queues"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_annotation_assignees_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("queue_id", "user_id", name=op.f("pk_annotation_assignees")),
    )
    with op.batch_alter_table("annotation_assignees", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_annotation_assignees_user_id"), ["user_id"], unique=False
        )

    op.create_table(
        "annotation_items",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("queue_id", sa.Uuid(), nullable=False),
        sa.Column("output_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["output_id"],
            ["outputs.id"],
            name=op.f("fk_annotation_items_output_id_outputs"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["queue_id"],
            ["annotation_queues.id"],
            name=op.f("fk_annotation_items_queue_id_annotation_queues"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation_items")),
        sa.UniqueConstraint(
            "queue_id", "output_id", name=op.f("uq_annotation_items_queue_id_output_id")
        ),
    )
    with op.batch_alter_table("annotation_items", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_annotation_items_output_id"), ["output_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_annotation_items_queue_id_position"),
            ["queue_id", "position"],
            unique=False,
        )

    op.create_table(
        "annotation_seats",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("is_scored", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["annotation_items.id"],
            name=op.f("fk_annotation_seats_item_id_annotation_items"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_annotation_seats_user_id_users"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation_seats")),
        sa.UniqueConstraint("item_id", "number", name=op.f("uq_annotation_seats_item_id_number")),
        sa.UniqueConstraint("item_id", "user_id", name=op.f("uq_annotation_seats_item_id_user_id")),
    )
    with op.batch_alter_table("annotation_seats", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_annotation_seats_user_id"), ["user_id"], unique=False)

    op.create_table(
        "annotation_skips",
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["annotation_items.id"],
            name=op.f("fk_annotation_skips_item_id_annotation_items"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_annotation_skips_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("item_id", "user_id", name=op.f("pk_annotation_skips")),
    )
    with op.batch_alter_table("annotation_skips", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_annotation_skips_user_id"), ["user_id"], unique=False)
