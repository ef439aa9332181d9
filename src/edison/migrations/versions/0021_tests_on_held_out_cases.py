"""Looks at held-out cases, and the trial of suggestions on training cases. Earlier comparisons on
held-out cases are removed from stored metrics: they were made at the full alpha each time.
"""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "holdout_looks",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("experiment_id", sa.Uuid(), nullable=True),
        sa.Column("iteration_id", sa.Uuid(), nullable=True),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("alpha", sa.Double(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.CheckConstraint("number >= 1", name=op.f("ck_holdout_looks_number_positive")),
        sa.ForeignKeyConstraint(
            ["experiment_id"],
            ["experiments.id"],
            name=op.f("fk_holdout_looks_experiment_id_experiments"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["iteration_id"],
            ["iterations.id"],
            name=op.f("fk_holdout_looks_iteration_id_iterations"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_holdout_looks_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_holdout_looks_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_holdout_looks")),
        sa.UniqueConstraint("iteration_id", name=op.f("uq_holdout_looks_iteration_id")),
        sa.UniqueConstraint(
            "project_id", "digest", "number", name=op.f("uq_holdout_looks_project_id_digest_number")
        ),
    )
    op.create_index(
        op.f("ix_holdout_looks_experiment_id"), "holdout_looks", ["experiment_id"], unique=False
    )
    op.create_index(
        op.f("ix_holdout_looks_version_id"), "holdout_looks", ["version_id"], unique=False
    )
    with op.batch_alter_table("iterations") as batch:
        batch.add_column(sa.Column("trial_run_id", sa.Uuid(), nullable=True))
        batch.create_foreign_key(
            op.f("fk_iterations_trial_run_id_runs"),
            "runs",
            ["trial_run_id"],
            ["id"],
            ondelete="SET NULL",
        )
        batch.drop_constraint(op.f("ck_iterations_state"), type_="check")
        batch.create_check_constraint(
            op.f("ck_iterations_state"),
            "state IN ('pending', 'executing', 'judging', 'aggregating', 'refining', 'trying', "
            "'reviewing', 'completed', 'failed', 'cancelled', 'paused')",
        )
    op.create_index(
        op.f("ix_iterations_trial_run_id"), "iterations", ["trial_run_id"], unique=False
    )
    with op.batch_alter_table("suggestions") as batch:
        batch.add_column(sa.Column("trial", sa.JSON(none_as_null=True), nullable=True))
    _remove_comparisons()


def _remove_comparisons() -> None:
    iterations = sa.table(
        "iterations", sa.column("id", sa.Uuid()), sa.column("metrics", sa.JSON(none_as_null=True))
    )
    connection = op.get_bind()
    found = connection.execute(
        sa.select(iterations.c.id, iterations.c.metrics).where(iterations.c.metrics.is_not(None))
    ).all()
    for iteration_id, metrics in found:
        kept = {key: value for key, value in metrics.items() if key != "holdout_change"}
        connection.execute(
            sa.update(iterations)
            .where(iterations.c.id == iteration_id)
            .values(metrics=kept | {"against_first": None})
        )
