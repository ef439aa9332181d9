"""Monitors, their checks and alerts."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import UtcDateTime

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "schedulers",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("swept_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_schedulers")),
    )
    op.create_table(
        "monitors",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("pause_reason", sa.String(length=20), nullable=True),
        sa.Column("pause_message", sa.Text(), nullable=True),
        sa.Column("resume_at", UtcDateTime(), nullable=True),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("prompt_id", sa.Uuid(), nullable=True),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("is_production", sa.Boolean(), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=True),
        sa.Column("cron", sa.String(length=100), nullable=False),
        sa.Column("next_run_at", UtcDateTime(), nullable=True),
        sa.Column("muted_until", UtcDateTime(), nullable=True),
        sa.Column("check_count", sa.Integer(), nullable=False),
        sa.Column("baseline_since", UtcDateTime(), nullable=True),
        sa.Column("pinned_check_id", sa.Uuid(), nullable=True),
        sa.Column("baselines", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("config", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "pause_reason IN ('person', 'budget', 'restored')",
            name=op.f("ck_monitors_pause_reason"),
        ),
        sa.CheckConstraint("state IN ('active', 'paused')", name=op.f("ck_monitors_state")),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_monitors_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_monitors_dataset_id_datasets"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_monitors_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["prompt_id"],
            ["prompts.id"],
            name=op.f("fk_monitors_prompt_id_prompts"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_monitors_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_monitors")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_monitors_project_id_name")),
    )
    with op.batch_alter_table("monitors", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_monitors_author_id"), ["author_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_monitors_dataset_id"), ["dataset_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_monitors_project_id_updated_at_id"),
            ["project_id", "updated_at", "id"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_monitors_prompt_id"), ["prompt_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_monitors_state_next_run_at"), ["state", "next_run_at"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_monitors_version_id"), ["version_id"], unique=False)

    op.create_table(
        "monitor_checks",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("monitor_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("trigger", sa.String(length=20), nullable=False),
        sa.Column("active_key", sa.Uuid(), nullable=True),
        sa.Column("scheduled_for", UtcDateTime(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("verdict", sa.String(length=20), nullable=True),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("version_label", sa.String(length=20), nullable=True),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("confirm_run_id", sa.Uuid(), nullable=True),
        sa.Column("cases_digest", sa.String(length=64), nullable=True),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("measures", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("case_scores", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('due', 'running', 'measuring', 'confirming', 'done', 'skipped', 'failed', "
            "'cancelled')",
            name=op.f("ck_monitor_checks_state"),
        ),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_monitor_checks_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["confirm_run_id"],
            ["runs.id"],
            name=op.f("fk_monitor_checks_confirm_run_id_runs"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["monitor_id"],
            ["monitors.id"],
            name=op.f("fk_monitor_checks_monitor_id_monitors"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_monitor_checks_run_id_runs"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_monitor_checks_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_monitor_checks")),
        sa.UniqueConstraint("active_key", name=op.f("uq_monitor_checks_active_key")),
        sa.UniqueConstraint(
            "monitor_id", "scheduled_for", name=op.f("uq_monitor_checks_monitor_id_scheduled_for")
        ),
    )
    with op.batch_alter_table("monitor_checks", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_monitor_checks_author_id"), ["author_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_monitor_checks_confirm_run_id"), ["confirm_run_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_monitor_checks_monitor_id_number"),
            ["monitor_id", "number"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_monitor_checks_run_id"), ["run_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_monitor_checks_state"), ["state"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_monitor_checks_version_id"), ["version_id"], unique=False
        )

    op.create_table(
        "monitor_models",
        sa.Column("monitor_id", sa.Uuid(), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["model_id"],
            ["models.id"],
            name=op.f("fk_monitor_models_model_id_models"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["monitor_id"],
            ["monitors.id"],
            name=op.f("fk_monitor_models_monitor_id_monitors"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("monitor_id", "model_id", name=op.f("pk_monitor_models")),
    )
    with op.batch_alter_table("monitor_models", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_monitor_models_model_id"), ["model_id"], unique=False)

    op.create_table(
        "monitor_scorers",
        sa.Column("monitor_id", sa.Uuid(), nullable=False),
        sa.Column("scorer_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["monitor_id"],
            ["monitors.id"],
            name=op.f("fk_monitor_scorers_monitor_id_monitors"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["scorer_id"],
            ["scorers.id"],
            name=op.f("fk_monitor_scorers_scorer_id_scorers"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("monitor_id", "scorer_id", name=op.f("pk_monitor_scorers")),
    )
    with op.batch_alter_table("monitor_scorers", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_monitor_scorers_scorer_id"), ["scorer_id"], unique=False
        )

    op.create_table(
        "alerts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("monitor_id", sa.Uuid(), nullable=False),
        sa.Column("rule", sa.String(length=20), nullable=False),
        sa.Column("severity", sa.String(length=10), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("open_key", sa.String(length=60), nullable=True),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("check_id", sa.Uuid(), nullable=True),
        sa.Column("last_check_id", sa.Uuid(), nullable=True),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.Column("reopened_count", sa.Integer(), nullable=False),
        sa.Column("muted_until", UtcDateTime(), nullable=True),
        sa.Column("acknowledged_at", UtcDateTime(), nullable=True),
        sa.Column("acknowledged_by_id", sa.Uuid(), nullable=True),
        sa.Column("resolved_at", UtcDateTime(), nullable=True),
        sa.Column("resolved_by_id", sa.Uuid(), nullable=True),
        sa.Column("resolution", sa.String(length=20), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=False),
        sa.CheckConstraint(
            "rule IN ('drop', 'predicted', 'errors', 'latency', 'cost', 'budget', 'not_running')",
            name=op.f("ck_alerts_rule"),
        ),
        sa.CheckConstraint("severity IN ('alert', 'warning')", name=op.f("ck_alerts_severity")),
        sa.CheckConstraint(
            "state IN ('open', 'acknowledged', 'resolved')", name=op.f("ck_alerts_state")
        ),
        sa.ForeignKeyConstraint(
            ["acknowledged_by_id"],
            ["users.id"],
            name=op.f("fk_alerts_acknowledged_by_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["check_id"],
            ["monitor_checks.id"],
            name=op.f("fk_alerts_check_id_monitor_checks"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["last_check_id"],
            ["monitor_checks.id"],
            name=op.f("fk_alerts_last_check_id_monitor_checks"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["monitor_id"],
            ["monitors.id"],
            name=op.f("fk_alerts_monitor_id_monitors"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_alerts_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["resolved_by_id"],
            ["users.id"],
            name=op.f("fk_alerts_resolved_by_id_users"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alerts")),
        sa.UniqueConstraint("open_key", name=op.f("uq_alerts_open_key")),
    )
    with op.batch_alter_table("alerts", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_alerts_acknowledged_by_id"), ["acknowledged_by_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_alerts_check_id"), ["check_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_alerts_last_check_id"), ["last_check_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_alerts_monitor_id_rule_opened_at"),
            ["monitor_id", "rule", "opened_at"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_alerts_project_id_state_opened_at"),
            ["project_id", "state", "opened_at"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_alerts_resolved_by_id"), ["resolved_by_id"], unique=False
        )
