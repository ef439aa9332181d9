"""Experiments with iterations, suggestions and reviews; and notifications."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "notification_preferences",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("in_app", sa.Boolean(), nullable=False),
        sa.Column("by_email", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_notification_preferences_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "kind", name=op.f("pk_notification_preferences")),
    )
    op.create_table(
        "notifications",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("entity_type", sa.String(length=40), nullable=False),
        sa.Column("entity_id", sa.Uuid(), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("email_state", sa.String(length=10), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("read_at", UtcDateTime(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "email_state IN ('wanted', 'sent', 'failed')", name=op.f("ck_notifications_email_state")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_notifications_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_notifications_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notifications")),
    )
    with op.batch_alter_table("notifications", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_notifications_email_state"), ["email_state"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_notifications_project_id"), ["project_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_notifications_user_id_created_at_id"),
            ["user_id", "created_at", "id"],
            unique=False,
        )

    op.create_table(
        "experiments",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("template", sa.String(length=40), nullable=True),
        sa.Column("step", sa.String(length=20), nullable=False),
        sa.Column("draft_version", sa.Integer(), nullable=False),
        sa.Column("prompt_id", sa.Uuid(), nullable=True),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("dataset_id", sa.Uuid(), nullable=True),
        sa.Column("rubric_version_id", sa.Uuid(), nullable=True),
        sa.Column("iteration_count", sa.Integer(), nullable=False),
        sa.Column("stop_reason", sa.String(length=40), nullable=True),
        sa.Column("stop_message", sa.Text(), nullable=True),
        sa.Column("confirmed_at", UtcDateTime(), nullable=True),
        sa.Column("completed_at", UtcDateTime(), nullable=True),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("draft", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("config", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("pruned", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "state IN ('draft', 'ready', 'running', 'paused', 'reviewing', 'completed', 'failed')",
            name=op.f("ck_experiments_state"),
        ),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_experiments_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_experiments_dataset_id_datasets"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_experiments_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["prompt_id"],
            ["prompts.id"],
            name=op.f("fk_experiments_prompt_id_prompts"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["rubric_version_id"],
            ["rubric_versions.id"],
            name=op.f("fk_experiments_rubric_version_id_rubric_versions"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_experiments_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_experiments")),
    )
    with op.batch_alter_table("experiments", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_experiments_author_id"), ["author_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_experiments_dataset_id"), ["dataset_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_experiments_project_id_created_at_id"),
            ["project_id", "created_at", "id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_experiments_project_id_updated_at_id"),
            ["project_id", "updated_at", "id"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_experiments_prompt_id"), ["prompt_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_experiments_rubric_version_id"), ["rubric_version_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_experiments_version_id"), ["version_id"], unique=False)

    op.create_table(
        "iterations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("experiment_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("active_key", sa.Uuid(), nullable=True),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("version_label", sa.String(length=20), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("holdout_run_id", sa.Uuid(), nullable=True),
        sa.Column("process_id", sa.Uuid(), nullable=True),
        sa.Column("problem", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("refine_cost_nanos", sa.BigInteger(), nullable=False),
        sa.Column("refine_tokens", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("phases", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("config", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("metrics", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("refinement", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('pending', 'executing', 'judging', 'aggregating', 'refining', 'reviewing', "
            "'completed', 'failed', 'cancelled', 'paused')",
            name=op.f("ck_iterations_state"),
        ),
        sa.CheckConstraint("number >= 1", name=op.f("ck_iterations_number_positive")),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_iterations_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["experiment_id"],
            ["experiments.id"],
            name=op.f("fk_iterations_experiment_id_experiments"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["holdout_run_id"],
            ["runs.id"],
            name=op.f("fk_iterations_holdout_run_id_runs"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["process_id"],
            ["worker_processes.id"],
            name=op.f("fk_iterations_process_id_worker_processes"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_iterations_run_id_runs"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_iterations_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_iterations")),
        sa.UniqueConstraint("active_key", name=op.f("uq_iterations_active_key")),
        sa.UniqueConstraint(
            "experiment_id", "number", name=op.f("uq_iterations_experiment_id_number")
        ),
    )
    with op.batch_alter_table("iterations", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_iterations_author_id"), ["author_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_iterations_holdout_run_id"), ["holdout_run_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_iterations_process_id"), ["process_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_iterations_run_id"), ["run_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_iterations_state"), ["state"], unique=False)
        batch_op.create_index(batch_op.f("ix_iterations_version_id"), ["version_id"], unique=False)

    op.create_table(
        "suggestions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("experiment_id", sa.Uuid(), nullable=False),
        sa.Column("iteration_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("origin", sa.String(length=10), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("base_version_id", sa.Uuid(), nullable=True),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("is_repaired", sa.Boolean(), nullable=False),
        sa.Column("text_name", sa.String(length=40), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("decided_at", UtcDateTime(), nullable=True),
        sa.Column("decided_by_id", sa.Uuid(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("diff", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("targets", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("exemplars", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("violations", sa.JSON(none_as_null=True), nullable=False),
        sa.CheckConstraint(
            "origin IN ('refiner', 'rubric', 'person')", name=op.f("ck_suggestions_origin")
        ),
        sa.CheckConstraint(
            "state IN ('pending', 'approved', 'edited', 'rejected', 'superseded')",
            name=op.f("ck_suggestions_state"),
        ),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_suggestions_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["base_version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_suggestions_base_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["decided_by_id"],
            ["users.id"],
            name=op.f("fk_suggestions_decided_by_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["experiment_id"],
            ["experiments.id"],
            name=op.f("fk_suggestions_experiment_id_experiments"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["iteration_id"],
            ["iterations.id"],
            name=op.f("fk_suggestions_iteration_id_iterations"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_suggestions_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_suggestions_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_suggestions")),
        sa.UniqueConstraint(
            "iteration_id", "number", name=op.f("uq_suggestions_iteration_id_number")
        ),
    )
    with op.batch_alter_table("suggestions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_suggestions_author_id"), ["author_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_suggestions_base_version_id"), ["base_version_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_suggestions_decided_by_id"), ["decided_by_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_suggestions_experiment_id"), ["experiment_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_suggestions_project_id_state_created_at"),
            ["project_id", "state", "created_at"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_suggestions_version_id"), ["version_id"], unique=False)

    op.create_table(
        "review_comments",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("suggestion_id", sa.Uuid(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_review_comments_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["suggestion_id"],
            ["suggestions.id"],
            name=op.f("fk_review_comments_suggestion_id_suggestions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_comments")),
    )
    with op.batch_alter_table("review_comments", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_review_comments_author_id"), ["author_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_review_comments_suggestion_id_created_at"),
            ["suggestion_id", "created_at"],
            unique=False,
        )

    op.create_table(
        "reviews",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("suggestion_id", sa.Uuid(), nullable=False),
        sa.Column("reviewer_id", sa.Uuid(), nullable=True),
        sa.Column("reviewer", sa.String(length=255), nullable=True),
        sa.Column("decision", sa.String(length=10), nullable=False),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "decision IN ('approved', 'edited', 'rejected')", name=op.f("ck_reviews_decision")
        ),
        sa.ForeignKeyConstraint(
            ["reviewer_id"],
            ["users.id"],
            name=op.f("fk_reviews_reviewer_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["suggestion_id"],
            ["suggestions.id"],
            name=op.f("fk_reviews_suggestion_id_suggestions"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_reviews_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviews")),
        sa.UniqueConstraint("suggestion_id", name=op.f("uq_reviews_suggestion_id")),
    )
    with op.batch_alter_table("reviews", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reviews_reviewer_id"), ["reviewer_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_reviews_version_id"), ["version_id"], unique=False)
