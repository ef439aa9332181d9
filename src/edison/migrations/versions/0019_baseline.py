"""The whole schema of the first release."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import JsonColumn, UtcDateTime

revision = "0019"
down_revision = None


def upgrade() -> None:  # noqa: PLR0915 - one statement per table and index
    op.create_table(
        "attempt_windows",
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("ends_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("count >= 0", name=op.f("ck_attempt_windows_count_not_negative")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_attempt_windows")),
    )
    op.create_index(
        op.f("ix_attempt_windows_ends_at"), "attempt_windows", ["ends_at"], unique=False
    )
    op.create_table(
        "audit_entries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=True),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("actor", sa.String(length=255), nullable=True),
        sa.Column("action", sa.String(length=100), nullable=False),
        sa.Column("entity_type", sa.String(length=50), nullable=False),
        sa.Column("entity_id", sa.String(length=64), nullable=True),
        sa.Column("outcome", sa.String(length=10), nullable=False),
        sa.Column("before", JsonColumn, nullable=True),
        sa.Column("after", JsonColumn, nullable=True),
        sa.Column("address", sa.String(length=64), nullable=True),
        sa.Column("user_agent", sa.String(length=400), nullable=True),
        sa.Column("trace_id", sa.String(length=64), nullable=True),
        sa.CheckConstraint(
            "outcome IN ('allowed', 'denied')", name=op.f("ck_audit_entries_outcome")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entries")),
    )
    op.create_index(
        op.f("ix_audit_entries_actor_id_action_at"),
        "audit_entries",
        ["actor_id", "action", "at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_audit_entries_entity_type_entity_id_at"),
        "audit_entries",
        ["entity_type", "entity_id", "at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_audit_entries_project_id_at"), "audit_entries", ["project_id", "at"], unique=False
    )
    op.create_table(
        "event_streams",
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("last_number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_event_streams")),
    )
    op.create_table(
        "events",
        sa.Column("stream", sa.String(length=80), nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("data", JsonColumn, nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("stream", "number", name=op.f("pk_events")),
    )
    op.create_index(op.f("ix_events_created_at"), "events", ["created_at"], unique=False)
    op.create_table(
        "projects",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("slug", sa.String(length=80), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("is_demo", sa.Boolean(), nullable=False),
        sa.Column("requires_two_factor", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
        sa.UniqueConstraint("slug", name=op.f("uq_projects_slug")),
    )
    op.create_index(op.f("ix_projects_created_at"), "projects", ["created_at"], unique=False)
    op.create_index(
        op.f("ix_projects_updated_at_id"), "projects", ["updated_at", "id"], unique=False
    )
    op.create_table(
        "sign_in_links",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("used_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_links")),
        sa.UniqueConstraint("digest", name=op.f("uq_sign_in_links_digest")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.String(length=255), nullable=False),
        sa.Column("email_skeleton", sa.String(length=255), server_default="", nullable=False),
        sa.Column("email_verified_at", UtcDateTime(), nullable=True),
        sa.Column("email_changed_at", UtcDateTime(), nullable=True),
        sa.Column("name", sa.String(length=255), nullable=True),
        sa.Column("password_hash", sa.String(length=100), nullable=True),
        sa.Column("is_local_owner", sa.Boolean(), nullable=False),
        sa.Column("is_first", sa.Boolean(), nullable=True),
        sa.Column("second_factor_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_index(op.f("ix_users_email_skeleton"), "users", ["email_skeleton"], unique=False)
    op.create_index(op.f("ix_users_is_first"), "users", ["is_first"], unique=True)
    op.create_table(
        "worker_processes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("host", sa.String(length=200), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('server', 'worker', 'command')", name=op.f("ck_worker_processes_kind")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker_processes")),
    )
    op.create_table(
        "access_tokens",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("scope", sa.String(length=10), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("last_four", sa.String(length=4), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("last_used_at", UtcDateTime(), nullable=True),
        sa.Column("last_used_address", sa.String(length=64), nullable=True),
        sa.Column("expires_at", UtcDateTime(), nullable=True),
        sa.Column("project_ids", JsonColumn, nullable=True),
        sa.CheckConstraint(
            "scope IN ('read', 'write', 'admin')", name=op.f("ck_access_tokens_scope")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_access_tokens_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_access_tokens_digest")),
    )
    op.create_index(op.f("ix_access_tokens_user_id"), "access_tokens", ["user_id"], unique=False)
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
    op.create_index(
        op.f("ix_annotation_queues_author_id"), "annotation_queues", ["author_id"], unique=False
    )
    op.create_index(
        op.f("ix_annotation_queues_project_id_created_at_id"),
        "annotation_queues",
        ["project_id", "created_at", "id"],
        unique=False,
    )
    op.create_table(
        "budgets",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("scope", sa.String(length=20), nullable=False),
        sa.Column("scope_id", sa.Uuid(), nullable=False),
        sa.Column("period", sa.String(length=20), nullable=False),
        sa.Column("limit_nanos", sa.BigInteger(), nullable=False),
        sa.Column("spent_nanos", sa.BigInteger(), nullable=False),
        sa.Column("reserved_nanos", sa.BigInteger(), nullable=False),
        sa.Column("window_day", sa.Date(), nullable=False),
        sa.Column("alert_threshold", sa.Double(), nullable=False),
        sa.Column("alerted_on", sa.Date(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "period IN ('total', 'day', 'rolling_30_days')", name=op.f("ck_budgets_period")
        ),
        sa.CheckConstraint(
            "scope IN ('project', 'experiment', 'monitor', 'optimizer')",
            name=op.f("ck_budgets_scope"),
        ),
        sa.CheckConstraint(
            "alert_threshold BETWEEN 0 AND 1", name=op.f("ck_budgets_threshold_is_a_share")
        ),
        sa.CheckConstraint("limit_nanos >= 0", name=op.f("ck_budgets_limit_not_negative")),
        sa.CheckConstraint("reserved_nanos >= 0", name=op.f("ck_budgets_reserved_not_negative")),
        sa.CheckConstraint("spent_nanos >= 0", name=op.f("ck_budgets_spent_not_negative")),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_budgets_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_budgets")),
        sa.UniqueConstraint(
            "project_id",
            "scope",
            "scope_id",
            "period",
            name=op.f("uq_budgets_project_id_scope_scope_id_period"),
        ),
    )
    op.create_table(
        "cached_answers",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("completion", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_cached_answers_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "key", name=op.f("pk_cached_answers")),
    )
    op.create_index(
        op.f("ix_cached_answers_expires_at"), "cached_answers", ["expires_at"], unique=False
    )
    op.create_table(
        "credentials",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("provider", sa.String(length=40), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=False),
        sa.Column("settings", JsonColumn, nullable=False),
        sa.Column("secrets", JsonColumn, nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.Column("tested_at", UtcDateTime(), nullable=True),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_credentials_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credentials")),
        sa.UniqueConstraint("project_id", "label", name=op.f("uq_credentials_project_id_label")),
    )
    op.create_index(
        "uq_credentials_default",
        "credentials",
        ["project_id", "provider"],
        unique=True,
        sqlite_where=sa.text("is_default"),
        postgresql_where=sa.text("is_default"),
    )
    op.create_table(
        "datasets",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("holdout_percent", sa.Integer(), server_default="20", nullable=False),
        sa.Column("case_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_position", sa.Integer(), server_default="1", nullable=False),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("last_used_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('golden', 'synthetic', 'adversarial', 'questions', 'manual')",
            name=op.f("ck_datasets_kind"),
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_datasets_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_datasets")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_datasets_project_id_name")),
    )
    op.create_table(
        "dead_jobs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("task", sa.String(length=60), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=True),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("failed_at", UtcDateTime(), nullable=False),
        sa.Column("payload", JsonColumn, nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_dead_jobs_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dead_jobs")),
        sa.UniqueConstraint("key", name=op.f("uq_dead_jobs_key")),
    )
    op.create_index(
        op.f("ix_dead_jobs_project_id_failed_at"),
        "dead_jobs",
        ["project_id", "failed_at"],
        unique=False,
    )
    op.create_table(
        "email_confirmations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.String(length=255), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_email_confirmations_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_confirmations")),
        sa.UniqueConstraint("digest", name=op.f("uq_email_confirmations_digest")),
    )
    op.create_index(
        op.f("ix_email_confirmations_user_id"), "email_confirmations", ["user_id"], unique=False
    )
    op.create_table(
        "external_identities",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("issuer", sa.String(length=255), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_external_identities_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_external_identities")),
        sa.UniqueConstraint(
            "issuer", "subject", name=op.f("uq_external_identities_issuer_subject")
        ),
    )
    op.create_index(
        op.f("ix_external_identities_user_id"), "external_identities", ["user_id"], unique=False
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.String(length=255), nullable=True),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("message", sa.String(length=1000), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("proof_digest", sa.String(length=64), nullable=True),
        sa.Column("invited_by_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("accepted_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint(
            "role IN ('VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN')", name=op.f("ck_invitations_role")
        ),
        sa.ForeignKeyConstraint(
            ["invited_by_id"],
            ["users.id"],
            name=op.f("fk_invitations_invited_by_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_invitations_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("digest", name=op.f("uq_invitations_digest")),
    )
    op.create_index(op.f("ix_invitations_project_id"), "invitations", ["project_id"], unique=False)
    op.create_table(
        "ledger_entries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sa.String(length=40), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("process_id", sa.Uuid(), nullable=True),
        sa.Column("provider", sa.String(length=40), nullable=False),
        sa.Column("model", sa.String(length=300), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("reserved_nanos", sa.BigInteger(), nullable=True),
        sa.Column("budget_ids", JsonColumn, nullable=False),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=True),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.Column("cached_input_tokens", sa.Integer(), nullable=True),
        sa.Column("reasoning_tokens", sa.Integer(), nullable=True),
        sa.Column("is_estimated", sa.Boolean(), nullable=False),
        sa.Column("price_version", sa.String(length=60), nullable=True),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("left_at", UtcDateTime(), nullable=True),
        sa.Column("settled_at", UtcDateTime(), nullable=True),
        sa.Column("note", sa.String(length=500), nullable=True),
        sa.CheckConstraint(
            "state IN ('reserved', 'settled', 'released', 'unconfirmed')",
            name=op.f("ck_ledger_entries_state"),
        ),
        sa.CheckConstraint("cost_nanos >= 0", name=op.f("ck_ledger_entries_cost_not_negative")),
        sa.CheckConstraint(
            "reserved_nanos >= 0", name=op.f("ck_ledger_entries_reserved_not_negative")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_ledger_entries_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger_entries")),
    )
    op.create_index(
        op.f("ix_ledger_entries_process_id_state"),
        "ledger_entries",
        ["process_id", "state"],
        unique=False,
    )
    op.create_index(
        op.f("ix_ledger_entries_project_id_created_at"),
        "ledger_entries",
        ["project_id", "created_at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_ledger_entries_run_id_created_at"),
        "ledger_entries",
        ["run_id", "created_at"],
        unique=False,
    )
    op.create_index(
        op.f("ix_ledger_entries_state_created_at"),
        "ledger_entries",
        ["state", "created_at"],
        unique=False,
    )
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
        sa.Column("part_type", sa.String(length=40), nullable=True),
        sa.Column("part_id", sa.Uuid(), nullable=True),
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
    op.create_index(
        op.f("ix_notifications_email_state"), "notifications", ["email_state"], unique=False
    )
    op.create_index(
        op.f("ix_notifications_project_id"), "notifications", ["project_id"], unique=False
    )
    op.create_index(
        op.f("ix_notifications_user_id_created_at_id"),
        "notifications",
        ["user_id", "created_at", "id"],
        unique=False,
    )
    op.create_table(
        "project_members",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("joined_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "role IN ('VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN', 'OWNER')",
            name=op.f("ck_project_members_role"),
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_project_members_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_project_members_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project_members")),
        sa.UniqueConstraint(
            "project_id", "user_id", name=op.f("uq_project_members_project_id_user_id")
        ),
    )
    op.create_index(
        op.f("ix_project_members_user_id_project_id_role"),
        "project_members",
        ["user_id", "project_id", "role"],
        unique=False,
    )
    op.create_table(
        "project_settings",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("default_budget_nanos", sa.BigInteger(), nullable=False),
        sa.Column("default_max_iterations", sa.Integer(), nullable=False),
        sa.Column("allow_synthetic_datasets", sa.Boolean(), nullable=False),
        sa.Column("require_review_approval", sa.Boolean(), nullable=False),
        sa.Column("cost_alert_threshold", sa.Double(), nullable=False),
        sa.Column("retention_days", sa.Integer(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "cost_alert_threshold BETWEEN 0 AND 1",
            name=op.f("ck_project_settings_threshold_is_a_share"),
        ),
        sa.CheckConstraint(
            "default_budget_nanos >= 0", name=op.f("ck_project_settings_budget_not_negative")
        ),
        sa.CheckConstraint(
            "default_max_iterations BETWEEN 1 AND 100",
            name=op.f("ck_project_settings_iterations_in_range"),
        ),
        sa.CheckConstraint(
            "retention_days >= 0", name=op.f("ck_project_settings_retention_not_negative")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_project_settings_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_project_settings")),
    )
    op.create_table(
        "prompts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('generator', 'grader')", name=op.f("ck_prompts_kind")),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_prompts_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prompts")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_prompts_project_id_name")),
    )
    op.create_index(
        op.f("ix_prompts_project_id_updated_at_id"),
        "prompts",
        ["project_id", "updated_at", "id"],
        unique=False,
    )
    op.create_table(
        "recovery_codes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("used_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_recovery_codes_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recovery_codes")),
        sa.UniqueConstraint("user_id", "digest", name=op.f("uq_recovery_codes_user_id_digest")),
    )
    op.create_table(
        "rubrics",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("latest_number", sa.Integer(), nullable=False),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_rubrics_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rubrics")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_rubrics_project_id_name")),
    )
    op.create_index(
        op.f("ix_rubrics_project_id_updated_at_id"),
        "rubrics",
        ["project_id", "updated_at", "id"],
        unique=False,
    )
    op.create_table(
        "scorers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("latest_number", sa.Integer(), nullable=False),
        sa.Column("archived_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_scorers_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scorers")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_scorers_project_id_name")),
    )
    op.create_index(
        op.f("ix_scorers_project_id_updated_at_id"),
        "scorers",
        ["project_id", "updated_at", "id"],
        unique=False,
    )
    op.create_table(
        "second_factors",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("sealed_secret", sa.Text(), nullable=False),
        sa.Column("last_step", sa.BigInteger(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_second_factors_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_second_factors")),
    )
    op.create_table(
        "sent_prompts",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_sent_prompts_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "digest", name=op.f("pk_sent_prompts")),
    )
    op.create_table(
        "user_sessions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("last_seen_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("remember_me", sa.Boolean(), nullable=False),
        sa.Column("user_agent", sa.String(length=400), nullable=True),
        sa.Column("address", sa.String(length=64), nullable=True),
        sa.Column("is_single_sign_on", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_user_sessions_user_id_users"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_sessions")),
    )
    op.create_index(op.f("ix_user_sessions_user_id"), "user_sessions", ["user_id"], unique=False)
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
    op.create_index(
        op.f("ix_annotation_assignees_user_id"), "annotation_assignees", ["user_id"], unique=False
    )
    op.create_table(
        "budget_days",
        sa.Column("budget_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("spent_nanos", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["budget_id"],
            ["budgets.id"],
            name=op.f("fk_budget_days_budget_id_budgets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("budget_id", "day", name=op.f("pk_budget_days")),
    )
    op.create_table(
        "bulk_changes",
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("change_id", sa.Uuid(), nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_bulk_changes_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_bulk_changes_dataset_id_datasets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("dataset_id", name=op.f("pk_bulk_changes")),
    )
    op.create_table(
        "case_imports",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("filename", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("preview", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "state IN ('uploading', 'pending', 'committed')", name=op.f("ck_case_imports_state")
        ),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_case_imports_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_case_imports_dataset_id_datasets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_imports")),
    )
    op.create_index(
        op.f("ix_case_imports_dataset_id"), "case_imports", ["dataset_id"], unique=False
    )
    op.create_index(
        op.f("ix_case_imports_expires_at"), "case_imports", ["expires_at"], unique=False
    )
    op.create_table(
        "case_versions",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("change_id", sa.Uuid(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("split", sa.String(length=10), nullable=False),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("difficulty", sa.SmallInteger(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.Column("import_id", sa.Uuid(), nullable=True),
        sa.Column("input_hash", sa.String(length=64), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("expected", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("inputs", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_case_versions_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_case_versions_dataset_id_datasets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("case_id", "version", name=op.f("pk_case_versions")),
    )
    op.create_index(
        op.f("ix_case_versions_dataset_id_change_id"),
        "case_versions",
        ["dataset_id", "change_id"],
        unique=False,
    )
    op.create_table(
        "cases",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("split", sa.String(length=10), nullable=False),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("difficulty", sa.SmallInteger(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.Column("import_id", sa.Uuid(), nullable=True),
        sa.Column("input_hash", sa.String(length=64), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("expected", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("inputs", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "origin IN ('golden', 'synthetic', 'adversarial', 'questions', 'manual')",
            name=op.f("ck_cases_origin"),
        ),
        sa.CheckConstraint("split IN ('train', 'holdout')", name=op.f("ck_cases_split")),
        sa.CheckConstraint("difficulty BETWEEN 1 AND 5", name=op.f("ck_cases_difficulty_in_range")),
        sa.ForeignKeyConstraint(
            ["author_id"], ["users.id"], name=op.f("fk_cases_author_id_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_cases_dataset_id_datasets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cases")),
    )
    op.create_index(
        op.f("ix_cases_dataset_id_input_hash"), "cases", ["dataset_id", "input_hash"], unique=False
    )
    op.create_index(
        op.f("ix_cases_dataset_id_updated_at_id"),
        "cases",
        ["dataset_id", "updated_at", "id"],
        unique=False,
    )
    op.create_index(
        "ix_cases_list",
        "cases",
        ["dataset_id", "position", "id", "split", "origin", "difficulty"],
        unique=False,
    )
    op.create_table(
        "lane_shares",
        sa.Column("credential_id", sa.Uuid(), nullable=False),
        sa.Column("process_id", sa.Uuid(), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["credential_id"],
            ["credentials.id"],
            name=op.f("fk_lane_shares_credential_id_credentials"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["process_id"],
            ["worker_processes.id"],
            name=op.f("fk_lane_shares_process_id_worker_processes"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("credential_id", "process_id", name=op.f("pk_lane_shares")),
    )
    op.create_index(op.f("ix_lane_shares_process_id"), "lane_shares", ["process_id"], unique=False)
    op.create_table(
        "models",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("credential_id", sa.Uuid(), nullable=False),
        sa.Column("provider_model", sa.String(length=300), nullable=False),
        sa.Column("display_name", sa.String(length=100), nullable=False),
        sa.Column("context_window", sa.Integer(), nullable=True),
        sa.Column("capabilities", JsonColumn, nullable=False),
        sa.Column("parameters", JsonColumn, nullable=False),
        sa.Column("prices", JsonColumn, nullable=True),
        sa.Column("is_enabled", sa.Boolean(), nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("context_window > 0", name=op.f("ck_models_context_window_is_positive")),
        sa.ForeignKeyConstraint(
            ["credential_id"], ["credentials.id"], name=op.f("fk_models_credential_id_credentials")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_models_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_models")),
        sa.UniqueConstraint(
            "project_id", "display_name", name=op.f("uq_models_project_id_display_name")
        ),
    )
    op.create_index(op.f("ix_models_credential_id"), "models", ["credential_id"], unique=False)
    op.create_index(
        "uq_models_default",
        "models",
        ["project_id"],
        unique=True,
        sqlite_where=sa.text("is_default"),
        postgresql_where=sa.text("is_default"),
    )
    op.create_table(
        "prompt_versions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("prompt_id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("parent_id", sa.Uuid(), nullable=True),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("changelog", sa.Text(), nullable=True),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("is_production", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("syntax", sa.String(length=10), nullable=False),
        sa.Column("system", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("few_shots", JsonColumn, nullable=False),
        sa.Column("tools", JsonColumn, nullable=False),
        sa.CheckConstraint(
            "origin IN ('run', 'manual', 'rename', 'suggestion')",
            name=op.f("ck_prompt_versions_origin"),
        ),
        sa.CheckConstraint(
            "syntax IN ('double', 'single')", name=op.f("ck_prompt_versions_syntax")
        ),
        sa.CheckConstraint(
            "parent_id <> id", name=op.f("ck_prompt_versions_is_not_its_own_parent")
        ),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_prompt_versions_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["parent_id"],
            ["prompt_versions.id"],
            name=op.f("fk_prompt_versions_parent_id_prompt_versions"),
        ),
        sa.ForeignKeyConstraint(
            ["prompt_id"],
            ["prompts.id"],
            name=op.f("fk_prompt_versions_prompt_id_prompts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prompt_versions")),
        sa.UniqueConstraint(
            "prompt_id", "name", "number", name=op.f("uq_prompt_versions_prompt_id_name_number")
        ),
        sa.UniqueConstraint(
            "prompt_id", "sequence", name=op.f("uq_prompt_versions_prompt_id_sequence")
        ),
    )
    op.create_index(
        op.f("ix_prompt_versions_author_id"), "prompt_versions", ["author_id"], unique=False
    )
    op.create_index(
        op.f("ix_prompt_versions_parent_id"), "prompt_versions", ["parent_id"], unique=False
    )
    op.create_index(
        "uq_prompt_versions_production",
        "prompt_versions",
        ["prompt_id"],
        unique=True,
        sqlite_where=sa.text("is_production"),
        postgresql_where=sa.text("is_production"),
    )
    op.create_table(
        "rubric_versions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("rubric_id", sa.Uuid(), nullable=False),
        sa.Column("criteria", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_rubric_versions_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["rubric_id"],
            ["rubrics.id"],
            name=op.f("fk_rubric_versions_rubric_id_rubrics"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rubric_versions")),
        sa.UniqueConstraint(
            "rubric_id", "number", name=op.f("uq_rubric_versions_rubric_id_number")
        ),
    )
    op.create_index(
        op.f("ix_rubric_versions_author_id"), "rubric_versions", ["author_id"], unique=False
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("lock_name", sa.String(length=100), nullable=True),
        sa.Column("lock_key", sa.String(length=100), nullable=True),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("dataset_id", sa.Uuid(), nullable=True),
        sa.Column("dataset_name", sa.String(length=100), nullable=True),
        sa.Column("scope_ids", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("repeats", sa.Integer(), nullable=False),
        sa.Column("case_count", sa.Integer(), nullable=False),
        sa.Column("variant_count", sa.Integer(), nullable=False),
        sa.Column("scorer_count", sa.Integer(), nullable=False),
        sa.Column("cell_count", sa.Integer(), nullable=False),
        sa.Column("comparison_total", sa.Integer(), server_default="0", nullable=False),
        sa.Column("comparison_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("unconfirmed_nanos", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("chunk_size", sa.Integer(), nullable=False),
        sa.Column("cache_mode", sa.String(length=10), nullable=False),
        sa.Column("keep_seconds", sa.Integer(), nullable=True),
        sa.Column("redaction", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("failed_count_zero", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("replay_of_id", sa.Uuid(), nullable=True),
        sa.Column("parent_id", sa.Uuid(), nullable=True),
        sa.Column("code_version", sa.String(length=40), nullable=False),
        sa.Column("last_number", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("active_since", UtcDateTime(), nullable=True),
        sa.Column("active_seconds", sa.Double(), nullable=False),
        sa.Column("phases", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("estimate", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("summary", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("done_count", sa.Integer(), nullable=False),
        sa.Column("error_count", sa.Integer(), nullable=False),
        sa.Column("malformed_count", sa.Integer(), nullable=False),
        sa.Column("cached_count", sa.Integer(), nullable=False),
        sa.Column("unpriced_count", sa.Integer(), nullable=False),
        sa.Column("score_count", sa.Integer(), nullable=False),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "state IN ('pending', 'executing', 'scoring', 'aggregating', 'completed', 'paused', "
            "'cancelled', 'failed')",
            name=op.f("ck_runs_state"),
        ),
        sa.CheckConstraint("repeats >= 1", name=op.f("ck_runs_repeats_positive")),
        sa.ForeignKeyConstraint(
            ["author_id"], ["users.id"], name=op.f("fk_runs_author_id_users"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["datasets.id"],
            name=op.f("fk_runs_dataset_id_datasets"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_runs_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
        sa.UniqueConstraint("lock_key", name=op.f("uq_runs_lock_key")),
    )
    op.create_index(op.f("ix_runs_author_id"), "runs", ["author_id"], unique=False)
    op.create_index(op.f("ix_runs_dataset_id"), "runs", ["dataset_id"], unique=False)
    op.create_index(
        op.f("ix_runs_project_id_created_at_id"),
        "runs",
        ["project_id", "created_at", "id"],
        unique=False,
    )
    op.create_index(op.f("ix_runs_state"), "runs", ["state"], unique=False)
    op.create_table(
        "case_import_blocks",
        sa.Column("import_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["import_id"],
            ["case_imports.id"],
            name=op.f("fk_case_import_blocks_import_id_case_imports"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("import_id", "number", name=op.f("pk_case_import_blocks")),
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
    op.create_index(op.f("ix_experiments_author_id"), "experiments", ["author_id"], unique=False)
    op.create_index(op.f("ix_experiments_dataset_id"), "experiments", ["dataset_id"], unique=False)
    op.create_index(
        op.f("ix_experiments_project_id_created_at_id"),
        "experiments",
        ["project_id", "created_at", "id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_experiments_project_id_updated_at_id"),
        "experiments",
        ["project_id", "updated_at", "id"],
        unique=False,
    )
    op.create_index(op.f("ix_experiments_prompt_id"), "experiments", ["prompt_id"], unique=False)
    op.create_index(
        op.f("ix_experiments_rubric_version_id"), "experiments", ["rubric_version_id"], unique=False
    )
    op.create_index(op.f("ix_experiments_version_id"), "experiments", ["version_id"], unique=False)
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
    op.create_index(
        op.f("ix_generations_dataset_id_created_at_id"),
        "generations",
        ["dataset_id", "created_at", "id"],
        unique=False,
    )
    op.create_index(op.f("ix_generations_model_id"), "generations", ["model_id"], unique=False)
    op.create_index(
        op.f("ix_generations_state_claimed_until"),
        "generations",
        ["state", "claimed_until"],
        unique=False,
    )
    op.create_table(
        "outputs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("case_position", sa.Integer(), nullable=False),
        sa.Column("variant_position", sa.SmallInteger(), nullable=False),
        sa.Column("repeat", sa.SmallInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("is_wanted_again", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("error", sa.String(length=40), nullable=True),
        sa.Column("is_cached", sa.Boolean(), nullable=False),
        sa.Column("is_fallback", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.SmallInteger(), nullable=False),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=True),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.Column("cached_input_tokens", sa.Integer(), nullable=True),
        sa.Column("reasoning_tokens", sa.Integer(), nullable=True),
        sa.Column("latency_seconds", sa.Float(), nullable=True),
        sa.Column("first_token_seconds", sa.Float(), nullable=True),
        sa.Column("waited_seconds", sa.Float(), nullable=False),
        sa.Column("finish_reason", sa.String(length=20), nullable=True),
        sa.Column("model", sa.String(length=300), nullable=True),
        sa.Column("request_id", sa.String(length=200), nullable=True),
        sa.Column("price_version", sa.String(length=60), nullable=True),
        sa.Column("prompt_digest", sa.String(length=64), nullable=False),
        sa.Column("cache_key", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("parsed", sa.Text(), nullable=True),
        sa.Column("human_value", sa.Float(), nullable=True),
        sa.Column("completion", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint(
            "status IN ('ok', 'error', 'malformed')", name=op.f("ck_outputs_status")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_outputs_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outputs")),
        sa.UniqueConstraint(
            "run_id",
            "case_position",
            "variant_position",
            "repeat",
            name=op.f("uq_outputs_run_id_case_position_variant_position_repeat"),
        ),
    )
    op.create_index(op.f("ix_outputs_run_id_number"), "outputs", ["run_id", "number"], unique=False)
    op.create_table(
        "prompt_drafts",
        sa.Column("prompt_id", sa.Uuid(), nullable=False),
        sa.Column("parent_id", sa.Uuid(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.Column("syntax", sa.String(length=10), nullable=False),
        sa.Column("system", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("few_shots", JsonColumn, nullable=False),
        sa.Column("tools", JsonColumn, nullable=False),
        sa.CheckConstraint("syntax IN ('double', 'single')", name=op.f("ck_prompt_drafts_syntax")),
        sa.ForeignKeyConstraint(
            ["parent_id"],
            ["prompt_versions.id"],
            name=op.f("fk_prompt_drafts_parent_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["prompt_id"],
            ["prompts.id"],
            name=op.f("fk_prompt_drafts_prompt_id_prompts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("prompt_id", name=op.f("pk_prompt_drafts")),
    )
    op.create_index(
        op.f("ix_prompt_drafts_parent_id"), "prompt_drafts", ["parent_id"], unique=False
    )
    op.create_table(
        "run_cases",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=True),
        sa.Column("case_version", sa.Integer(), nullable=True),
        sa.Column("split", sa.String(length=10), nullable=True),
        sa.Column("difficulty", sa.SmallInteger(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("expected", sa.Text(), nullable=True),
        sa.Column("inputs", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_cases_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "position", name=op.f("pk_run_cases")),
    )
    op.create_table(
        "run_chunks",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("first_position", sa.Integer(), nullable=False),
        sa.Column("end_position", sa.Integer(), nullable=False),
        sa.Column("is_done", sa.Boolean(), nullable=False),
        sa.Column("process_id", sa.Uuid(), nullable=True),
        sa.CheckConstraint(
            "first_position < end_position", name=op.f("ck_run_chunks_is_not_empty")
        ),
        sa.ForeignKeyConstraint(
            ["process_id"],
            ["worker_processes.id"],
            name=op.f("fk_run_chunks_process_id_worker_processes"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_chunks_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "number", name=op.f("pk_run_chunks")),
    )
    op.create_index(op.f("ix_run_chunks_process_id"), "run_chunks", ["process_id"], unique=False)
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
        "run_variants",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=200), nullable=False),
        sa.Column("prompt_id", sa.Uuid(), nullable=True),
        sa.Column("version_id", sa.Uuid(), nullable=True),
        sa.Column("prompt_name", sa.String(length=100), nullable=False),
        sa.Column("version_label", sa.String(length=20), nullable=False),
        sa.Column("model_id", sa.Uuid(), nullable=True),
        sa.Column("fallback_model_id", sa.Uuid(), nullable=True),
        sa.Column("model_name", sa.String(length=100), nullable=False),
        sa.Column("provider", sa.String(length=40), nullable=False),
        sa.Column("is_simulated", sa.Boolean(), nullable=False),
        sa.Column("parameters", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("template", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("halted", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("waiting", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("summary", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("done_count", sa.Integer(), nullable=False),
        sa.Column("error_count", sa.Integer(), nullable=False),
        sa.Column("malformed_count", sa.Integer(), nullable=False),
        sa.Column("cached_count", sa.Integer(), nullable=False),
        sa.Column("unpriced_count", sa.Integer(), nullable=False),
        sa.Column("score_count", sa.Integer(), nullable=False),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["fallback_model_id"],
            ["models.id"],
            name=op.f("fk_run_variants_fallback_model_id_models"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["model_id"],
            ["models.id"],
            name=op.f("fk_run_variants_model_id_models"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["prompt_id"],
            ["prompts.id"],
            name=op.f("fk_run_variants_prompt_id_prompts"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_variants_run_id_runs"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["version_id"],
            ["prompt_versions.id"],
            name=op.f("fk_run_variants_version_id_prompt_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_variants")),
        sa.UniqueConstraint("run_id", "position", name=op.f("uq_run_variants_run_id_position")),
    )
    op.create_index(
        op.f("ix_run_variants_fallback_model_id"),
        "run_variants",
        ["fallback_model_id"],
        unique=False,
    )
    op.create_index(op.f("ix_run_variants_model_id"), "run_variants", ["model_id"], unique=False)
    op.create_index(op.f("ix_run_variants_prompt_id"), "run_variants", ["prompt_id"], unique=False)
    op.create_index(
        op.f("ix_run_variants_version_id"), "run_variants", ["version_id"], unique=False
    )
    op.create_table(
        "scorer_versions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("scorer_id", sa.Uuid(), nullable=False),
        sa.Column("rubric_version_id", sa.Uuid(), nullable=True),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("threshold", sa.Double(), nullable=True),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.Column("is_negated", sa.Boolean(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "threshold BETWEEN 0 AND 1", name=op.f("ck_scorer_versions_threshold_is_a_share")
        ),
        sa.CheckConstraint("weight >= 0", name=op.f("ck_scorer_versions_weight_not_negative")),
        sa.ForeignKeyConstraint(
            ["author_id"],
            ["users.id"],
            name=op.f("fk_scorer_versions_author_id_users"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["rubric_version_id"],
            ["rubric_versions.id"],
            name=op.f("fk_scorer_versions_rubric_version_id_rubric_versions"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["scorer_id"],
            ["scorers.id"],
            name=op.f("fk_scorer_versions_scorer_id_scorers"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scorer_versions")),
        sa.UniqueConstraint(
            "scorer_id", "number", name=op.f("uq_scorer_versions_scorer_id_number")
        ),
    )
    op.create_index(
        op.f("ix_scorer_versions_author_id"), "scorer_versions", ["author_id"], unique=False
    )
    op.create_index(
        op.f("ix_scorer_versions_rubric_version_id"),
        "scorer_versions",
        ["rubric_version_id"],
        unique=False,
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
    op.create_index(
        op.f("ix_annotation_items_output_id"), "annotation_items", ["output_id"], unique=False
    )
    op.create_index(
        op.f("ix_annotation_items_queue_id_position"),
        "annotation_items",
        ["queue_id", "position"],
        unique=False,
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
    op.create_index(
        op.f("ix_comparisons_output_a_id"), "comparisons", ["output_a_id"], unique=False
    )
    op.create_index(
        op.f("ix_comparisons_output_b_id"), "comparisons", ["output_b_id"], unique=False
    )
    op.create_index(
        op.f("ix_comparisons_run_id_number"), "comparisons", ["run_id", "number"], unique=False
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
    op.create_index(op.f("ix_human_scores_user_id"), "human_scores", ["user_id"], unique=False)
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
        sa.Column("sampling", sa.JSON(none_as_null=True), nullable=True),
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
    op.create_index(op.f("ix_iterations_author_id"), "iterations", ["author_id"], unique=False)
    op.create_index(
        op.f("ix_iterations_holdout_run_id"), "iterations", ["holdout_run_id"], unique=False
    )
    op.create_index(op.f("ix_iterations_process_id"), "iterations", ["process_id"], unique=False)
    op.create_index(op.f("ix_iterations_run_id"), "iterations", ["run_id"], unique=False)
    op.create_index(op.f("ix_iterations_state"), "iterations", ["state"], unique=False)
    op.create_index(op.f("ix_iterations_version_id"), "iterations", ["version_id"], unique=False)
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
    op.create_index(op.f("ix_output_flags_user_id"), "output_flags", ["user_id"], unique=False)
    op.create_table(
        "run_scorers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=False),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.Column("threshold", sa.Double(), nullable=True),
        sa.Column("is_negated", sa.Boolean(), nullable=False),
        sa.Column("scorer_version_id", sa.Uuid(), nullable=True),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_run_scorers_run_id_runs"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["scorer_version_id"],
            ["scorer_versions.id"],
            name=op.f("fk_run_scorers_scorer_version_id_scorer_versions"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_scorers")),
        sa.UniqueConstraint("run_id", "position", name=op.f("uq_run_scorers_run_id_position")),
    )
    op.create_index(
        op.f("ix_run_scorers_scorer_version_id"), "run_scorers", ["scorer_version_id"], unique=False
    )
    op.create_table(
        "scores",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("output_id", sa.Uuid(), nullable=False),
        sa.Column("scorer_position", sa.SmallInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("is_passed", sa.Boolean(), nullable=True),
        sa.Column("flag", sa.String(length=40), nullable=True),
        sa.Column("cost_nanos", sa.BigInteger(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=True),
        sa.Column("raw", sa.Text(), nullable=True),
        sa.Column("criteria", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("judges", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("judge_text", sa.String(length=150), nullable=True),
        sa.Column("answers", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint("value BETWEEN 0 AND 1", name=op.f("ck_scores_value_is_a_share")),
        sa.ForeignKeyConstraint(
            ["output_id"],
            ["outputs.id"],
            name=op.f("fk_scores_output_id_outputs"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_scores_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scores")),
        sa.UniqueConstraint(
            "output_id", "scorer_position", name=op.f("uq_scores_output_id_scorer_position")
        ),
    )
    op.create_index(op.f("ix_scores_run_id_number"), "scores", ["run_id", "number"], unique=False)
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
    op.create_index(
        op.f("ix_annotation_seats_user_id"), "annotation_seats", ["user_id"], unique=False
    )
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
    op.create_index(
        op.f("ix_annotation_skips_user_id"), "annotation_skips", ["user_id"], unique=False
    )
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
    op.create_index(op.f("ix_suggestions_author_id"), "suggestions", ["author_id"], unique=False)
    op.create_index(
        op.f("ix_suggestions_base_version_id"), "suggestions", ["base_version_id"], unique=False
    )
    op.create_index(
        op.f("ix_suggestions_decided_by_id"), "suggestions", ["decided_by_id"], unique=False
    )
    op.create_index(
        op.f("ix_suggestions_experiment_id"), "suggestions", ["experiment_id"], unique=False
    )
    op.create_index(
        op.f("ix_suggestions_project_id_state_created_at"),
        "suggestions",
        ["project_id", "state", "created_at"],
        unique=False,
    )
    op.create_index(op.f("ix_suggestions_version_id"), "suggestions", ["version_id"], unique=False)
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
    op.create_index(
        op.f("ix_review_comments_author_id"), "review_comments", ["author_id"], unique=False
    )
    op.create_index(
        op.f("ix_review_comments_suggestion_id_created_at"),
        "review_comments",
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
    op.create_index(op.f("ix_reviews_reviewer_id"), "reviews", ["reviewer_id"], unique=False)
    op.create_index(op.f("ix_reviews_version_id"), "reviews", ["version_id"], unique=False)
