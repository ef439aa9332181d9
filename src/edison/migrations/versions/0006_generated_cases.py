"""Cases that models write: generations, their batches and drafts."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "generations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=True),
        sa.Column("model_name", sa.String(length=100), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("wanted_count", sa.Integer(), nullable=False),
        sa.Column("draft_count", sa.Integer(), nullable=False),
        sa.Column("accepted_count", sa.Integer(), nullable=False),
        sa.Column("malformed_count", sa.Integer(), nullable=False),
        sa.Column("refused_count", sa.Integer(), nullable=False),
        sa.Column("repeated_count", sa.Integer(), nullable=False),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.Column("claimed_by", sa.Uuid(), nullable=True),
        sa.Column("claimed_until", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("request", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("plan", sa.JSON(none_as_null=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('synthetic', 'adversarial', 'questions', 'gaps')",
            name=op.f("ck_generations_kind"),
        ),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed', 'cancelled')",
            name=op.f("ck_generations_state"),
        ),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_generations_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_generations_dataset_id_datasets"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["model_id"],
            ["models.id"],
            name=op.f("fk_generations_model_id_models"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_generations")),
    )
    with op.batch_alter_table("generations", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_generations_dataset_id_created_at_id"),
            ["dataset_id", "created_at", "id"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_generations_model_id"), ["model_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_generations_state_claimed_until"),
            ["state", "claimed_until"],
            unique=False,
        )

    op.create_table(
        "generation_batches",
        sa.Column("generation_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("drafts", sa.Integer(), nullable=False),
        sa.Column("malformed", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("repeated", sa.Integer(), nullable=False),
        sa.Column("short", sa.Integer(), nullable=False),
        sa.Column("was_repaired", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["generation_id"],
            ["generations.id"],
            name=op.f("fk_generation_batches_generation_id_generations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("generation_id", "number", name=op.f("pk_generation_batches")),
    )
    op.create_table(
        "generation_drafts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("generation_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("difficulty", sa.SmallInteger(), nullable=True),
        sa.Column("input_hash", sa.String(length=64), nullable=False),
        sa.Column("similarity", sa.Float(), nullable=True),
        sa.Column("near_case_id", sa.Uuid(), nullable=True),
        sa.Column("near_draft_id", sa.Uuid(), nullable=True),
        sa.Column("case_id", sa.Uuid(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("expected", sa.Text(), nullable=True),
        sa.Column("inputs", sa.JSON(none_as_null=True), nullable=False),
        sa.CheckConstraint(
            "difficulty BETWEEN 1 AND 5", name=op.f("ck_generation_drafts_difficulty_in_range")
        ),
        sa.ForeignKeyConstraint(
            ["generation_id"],
            ["generations.id"],
            name=op.f("fk_generation_drafts_generation_id_generations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_generation_drafts")),
        sa.UniqueConstraint(
            "generation_id",
            "input_hash",
            name=op.f("uq_generation_drafts_generation_id_input_hash"),
        ),
        sa.UniqueConstraint(
            "generation_id", "position", name=op.f("uq_generation_drafts_generation_id_position")
        ),
    )
