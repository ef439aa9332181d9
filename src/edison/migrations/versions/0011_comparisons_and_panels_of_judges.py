"""Comparisons of answers, and what each judge of a panel says."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "run_comparers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=False),
        sa.Column("baseline", sa.SmallInteger(), nullable=True),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_comparers_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_comparers")),
        sa.UniqueConstraint("run_id", "position", name=op.f("uq_run_comparers_run_id_position")),
    )
    op.create_table(
        "comparisons",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("comparer_position", sa.SmallInteger(), nullable=False),
        sa.Column("case_position", sa.Integer(), nullable=False),
        sa.Column("repeat", sa.SmallInteger(), nullable=False),
        sa.Column("variant_a", sa.SmallInteger(), nullable=False),
        sa.Column("variant_b", sa.SmallInteger(), nullable=False),
        sa.Column("output_a_id", sa.Uuid(), nullable=False),
        sa.Column("output_b_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("preference", sa.String(length=3), nullable=True),
        sa.Column("verdict_ab", sa.String(length=3), nullable=True),
        sa.Column("verdict_ba", sa.String(length=3), nullable=True),
        sa.Column("flag", sa.String(length=40), nullable=True),
        sa.Column("judge_text", sa.String(length=150), nullable=True),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=True),
        sa.Column("orders", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("answers", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint(
            "preference IN ('a', 'b', 'tie')", name=op.f("ck_comparisons_preference")
        ),
        sa.ForeignKeyConstraint(
            ["output_a_id"],
            ["outputs.id"],
            name=op.f("fk_comparisons_output_a_id_outputs"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["output_b_id"],
            ["outputs.id"],
            name=op.f("fk_comparisons_output_b_id_outputs"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_comparisons_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comparisons")),
        sa.UniqueConstraint(
            "run_id",
            "case_position",
            "repeat",
            "variant_a",
            "variant_b",
            "comparer_position",
            name="uq_comparisons_pair",
        ),
    )
    with op.batch_alter_table("comparisons", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_comparisons_output_a_id"), ["output_a_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_comparisons_output_b_id"), ["output_b_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_comparisons_run_id_number"), ["run_id", "number"], unique=False
        )

    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("comparison_total", sa.Integer(), server_default="0", nullable=False)
        )
        batch_op.add_column(
            sa.Column("comparison_count", sa.Integer(), server_default="0", nullable=False)
        )

    with op.batch_alter_table("scores", schema=None) as batch_op:
        batch_op.add_column(sa.Column("judges", sa.JSON(none_as_null=True), nullable=True))
        batch_op.add_column(sa.Column("judge_text", sa.String(length=150), nullable=True))
