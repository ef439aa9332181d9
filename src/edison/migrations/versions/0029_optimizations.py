"""Optimizations, and suggestions that belong to no experiment."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.create_table(
        "optimizations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("prompt_id", sa.Uuid(), nullable=True),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("prompt_name", sa.String(length=100), nullable=False),
        sa.Column("version_label", sa.String(length=50), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=True),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("config", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("train_ids", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("holdout_ids", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("stop_reason", sa.String(length=20), nullable=True),
        sa.Column("outcome", sa.String(length=20), nullable=True),
        sa.Column("finalist", sa.Integer(), nullable=True),
        sa.Column("verdict", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("look_id", sa.Uuid(), nullable=True),
        sa.Column("suggestion_id", sa.Uuid(), nullable=True),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "state IN ('draft', 'running', 'paused', 'completed', 'cancelled', 'failed')",
            name=op.f("ck_optimizations_state"),
        ),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_optimizations_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_optimizations_dataset_id_datasets"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["look_id"],
            ["holdout_looks.id"],
            name=op.f("fk_optimizations_look_id_holdout_looks"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_optimizations_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["prompt_id"],
            ["prompts.id"],
            name=op.f("fk_optimizations_prompt_id_prompts"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["suggestion_id"],
            ["suggestions.id"],
            name=op.f("fk_optimizations_suggestion_id_suggestions"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_optimizations_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_optimizations")),
        sa.UniqueConstraint("look_id", name=op.f("uq_optimizations_look_id")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_optimizations_project_id_name")),
        sa.UniqueConstraint("suggestion_id", name=op.f("uq_optimizations_suggestion_id")),
    )
    with op.batch_alter_table("optimizations") as batch:
        batch.create_index(batch.f("ix_optimizations_author_id"), ["author_id"])
        batch.create_index(batch.f("ix_optimizations_dataset_id"), ["dataset_id"])
        batch.create_index(
            batch.f("ix_optimizations_project_id_updated_at_id"), ["project_id", "updated_at", "id"]
        )
        batch.create_index(batch.f("ix_optimizations_prompt_id"), ["prompt_id"])
        batch.create_index(batch.f("ix_optimizations_state"), ["state"])
        batch.create_index(batch.f("ix_optimizations_version_id"), ["version_id"])

    op.create_table(
        "optimization_candidates",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("optimization_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("generation", sa.SmallInteger(), nullable=False),
        sa.Column("origin", sa.String(length=10), nullable=False),
        sa.Column("operator", sa.String(length=10), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("parents", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("parts", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("diff", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("targets", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("text_name", sa.String(length=40), nullable=True),
        sa.Column("scores", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("elimination", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "origin IN ('base', 'rubric', 'strategy')",
            name=op.f("ck_optimization_candidates_origin"),
        ),
        sa.CheckConstraint(
            "state IN ('proposed', 'measured', 'dropped')",
            name=op.f("ck_optimization_candidates_state"),
        ),
        sa.ForeignKeyConstraint(
            ["optimization_id"],
            ["optimizations.id"],
            name=op.f("fk_optimization_candidates_optimization_id_optimizations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_optimization_candidates")),
        sa.UniqueConstraint(
            "optimization_id",
            "number",
            name=op.f("uq_optimization_candidates_optimization_id_number"),
        ),
    )
    op.create_table(
        "optimization_entries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("optimization_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["optimization_id"],
            ["optimizations.id"],
            name=op.f("fk_optimization_entries_optimization_id_optimizations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_optimization_entries")),
    )
    with op.batch_alter_table("optimization_entries") as batch:
        batch.create_index(
            batch.f("ix_optimization_entries_optimization_id_created_at_id"),
            ["optimization_id", "created_at", "id"],
        )

    op.create_table(
        "optimization_models",
        sa.Column("optimization_id", sa.Uuid(), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["model_id"],
            ["models.id"],
            name=op.f("fk_optimization_models_model_id_models"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["optimization_id"],
            ["optimizations.id"],
            name=op.f("fk_optimization_models_optimization_id_optimizations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("optimization_id", "model_id", name=op.f("pk_optimization_models")),
    )
    with op.batch_alter_table("optimization_models") as batch:
        batch.create_index(batch.f("ix_optimization_models_model_id"), ["model_id"])

    op.create_table(
        "optimization_rounds",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("optimization_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("generation", sa.SmallInteger(), nullable=False),
        sa.Column("stage", sa.SmallInteger(), nullable=False),
        sa.Column("candidates", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("case_count", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint("kind IN ('train', 'gate')", name=op.f("ck_optimization_rounds_kind")),
        sa.ForeignKeyConstraint(
            ["optimization_id"],
            ["optimizations.id"],
            name=op.f("fk_optimization_rounds_optimization_id_optimizations"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["runs.id"],
            name=op.f("fk_optimization_rounds_run_id_runs"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_optimization_rounds")),
        sa.UniqueConstraint(
            "optimization_id", "number", name=op.f("uq_optimization_rounds_optimization_id_number")
        ),
    )
    with op.batch_alter_table("optimization_rounds") as batch:
        batch.create_index(batch.f("ix_optimization_rounds_run_id"), ["run_id"])

    op.create_table(
        "optimization_scorers",
        sa.Column("optimization_id", sa.Uuid(), nullable=False),
        sa.Column("scorer_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["optimization_id"],
            ["optimizations.id"],
            name=op.f("fk_optimization_scorers_optimization_id_optimizations"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["scorer_id"],
            ["scorers.id"],
            name=op.f("fk_optimization_scorers_scorer_id_scorers"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "optimization_id", "scorer_id", name=op.f("pk_optimization_scorers")
        ),
    )
    with op.batch_alter_table("optimization_scorers") as batch:
        batch.create_index(batch.f("ix_optimization_scorers_scorer_id"), ["scorer_id"])

    with op.batch_alter_table("suggestions") as batch:
        batch.alter_column("experiment_id", existing_type=sa.Uuid(), nullable=True)
        batch.alter_column("iteration_id", existing_type=sa.Uuid(), nullable=True)
