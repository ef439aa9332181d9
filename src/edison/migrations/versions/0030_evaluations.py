"""Evaluations of configurations with their runs, and budgets for them."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0030"
down_revision = "0029"

SCOPES = (
    "scope IN ('project', 'experiment', 'monitor', 'optimizer', 'arena', 'ab_test', 'evaluation')"
)


def upgrade() -> None:
    op.create_table(
        "evaluations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("tags", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_evaluations_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluations")),
    )
    op.create_index(
        op.f("ix_evaluations_project_id_created_at_id"),
        "evaluations",
        ["project_id", "created_at", "id"],
    )
    op.create_table(
        "evaluation_runs",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
            name=op.f("fk_evaluation_runs_evaluation_id_evaluations"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["runs.id"],
            name=op.f("fk_evaluation_runs_run_id_runs"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("evaluation_id", "position", name=op.f("pk_evaluation_runs")),
    )
    op.create_index(op.f("ix_evaluation_runs_run_id"), "evaluation_runs", ["run_id"])
    with op.batch_alter_table("budgets") as budgets:
        budgets.drop_constraint(op.f("ck_budgets_scope"), type_="check")
        budgets.create_check_constraint(op.f("ck_budgets_scope"), SCOPES)
