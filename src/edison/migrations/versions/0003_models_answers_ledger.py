"""A project's models, the answers kept, budgets and the ledger."""

import sqlalchemy as sa
from alembic import op

from edison.db.base import JsonColumn, UtcDateTime

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
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
    with op.batch_alter_table("cached_answers", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_cached_answers_expires_at"), ["expires_at"], unique=False
        )

    op.create_table(
        "ledger_entries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sa.String(length=40), nullable=False),
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
        sa.Column("settled_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint(
            "state IN ('reserved', 'settled', 'unconfirmed')", name=op.f("ck_ledger_entries_state")
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
    with op.batch_alter_table("ledger_entries", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_ledger_entries_project_id_created_at"),
            ["project_id", "created_at"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_ledger_entries_state_created_at"), ["state", "created_at"], unique=False
        )

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
    with op.batch_alter_table("models", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_models_credential_id"), ["credential_id"], unique=False
        )
        batch_op.create_index(
            "uq_models_default",
            ["project_id"],
            unique=True,
            sqlite_where=sa.text("is_default"),
            postgresql_where=sa.text("is_default"),
        )
