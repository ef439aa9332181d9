"""Destinations, and deliveries of all channels. Emails that waited become deliveries."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from edison.db.base import JsonColumn, UtcDateTime

revision = "0023"
down_revision = "0022"

_NOTIFICATIONS = sa.table(
    "notifications",
    sa.column("id", sa.Uuid()),
    sa.column("user_id", sa.Uuid()),
    sa.column("project_id", sa.Uuid()),
    sa.column("kind", sa.String()),
    sa.column("entity_type", sa.String()),
    sa.column("entity_id", sa.Uuid()),
    sa.column("part_type", sa.String()),
    sa.column("part_id", sa.Uuid()),
    sa.column("title", sa.String()),
    sa.column("body", sa.Text()),
    sa.column("email_state", sa.String()),
    sa.column("created_at", UtcDateTime()),
)


def upgrade() -> None:
    op.create_table(
        "destinations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("channel", sa.String(length=20), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("target", sa.String(length=320), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("secrets", JsonColumn, nullable=False),
        sa.Column("kinds", JsonColumn, nullable=False),
        sa.Column("includes_content", sa.Boolean(), nullable=False),
        sa.Column("disabled_reason", sa.String(length=20), nullable=True),
        sa.Column("disabled_at", UtcDateTime(), nullable=True),
        sa.Column("failing_since", UtcDateTime(), nullable=True),
        sa.Column("last_attempt_at", UtcDateTime(), nullable=True),
        sa.Column("last_failure", sa.String(length=500), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "disabled_reason IN ('member', 'gone', 'failing')",
            name=op.f("ck_destinations_disabled_reason"),
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_destinations_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_destinations")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_destinations_project_id_name")),
    )
    _create_deliveries()
    _move_waiting_emails()
    with op.batch_alter_table("notifications") as batch:
        batch.drop_index(op.f("ix_notifications_email_state"))
        batch.drop_constraint(op.f("ck_notifications_email_state"), type_="check")
        batch.drop_column("email_state")


def _create_deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("destination_id", sa.Uuid(), nullable=True),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("channel", sa.String(length=20), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("payload", JsonColumn, nullable=False),
        sa.Column("is_test", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("next_attempt_at", UtcDateTime(), nullable=True),
        sa.Column("leased_until", UtcDateTime(), nullable=True),
        sa.Column("last_attempt_at", UtcDateTime(), nullable=True),
        sa.Column("delivered_at", UtcDateTime(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("answer", sa.String(length=500), nullable=True),
        sa.Column("failure", sa.String(length=500), nullable=True),
        sa.CheckConstraint(
            "state IN ('waiting', 'delivered', 'failed', 'cancelled')",
            name=op.f("ck_deliveries_state"),
        ),
        sa.CheckConstraint(
            "destination_id IS NULL OR user_id IS NULL",
            name=op.f("ck_deliveries_one_receiver"),
        ),
        *(
            sa.ForeignKeyConstraint(
                [column],
                [f"{table}.id"],
                name=op.f(f"fk_deliveries_{column}_{table}"),
                ondelete="CASCADE",
            )
            for column, table in (
                ("project_id", "projects"),
                ("destination_id", "destinations"),
                ("user_id", "users"),
            )
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deliveries")),
    )
    for columns in (
        ["state", "next_attempt_at"],
        ["destination_id", "id"],
        ["created_at"],
        ["project_id"],
        ["user_id"],
    ):
        op.create_index(op.f(f"ix_deliveries_{'_'.join(columns)}"), "deliveries", columns)


def _move_waiting_emails() -> None:
    connection = op.get_bind()
    wanted = sa.select(_NOTIFICATIONS).where(_NOTIFICATIONS.c.email_state == "wanted")
    rows = [_delivery_of(row) for row in connection.execute(wanted).mappings()]
    if rows:
        op.bulk_insert(_DELIVERIES, rows)


_DELIVERIES = sa.table(
    "deliveries",
    sa.column("id", sa.Uuid()),
    sa.column("project_id", sa.Uuid()),
    sa.column("user_id", sa.Uuid()),
    sa.column("channel", sa.String()),
    sa.column("kind", sa.String()),
    sa.column("payload", JsonColumn),
    sa.column("is_test", sa.Boolean()),
    sa.column("state", sa.String()),
    sa.column("attempts", sa.Integer()),
    sa.column("created_at", UtcDateTime()),
    sa.column("next_attempt_at", UtcDateTime()),
)


def _delivery_of(row: Any) -> dict[str, Any]:
    part = None
    if row["part_type"] is not None:
        part = {"type": row["part_type"], "id": str(row["part_id"])}
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "user_id": row["user_id"],
        "channel": "email",
        "kind": row["kind"],
        "payload": {
            "title": row["title"],
            "body": row["body"],
            "path": "/notifications",
            "entity": {"type": row["entity_type"], "id": str(row["entity_id"])},
            "part": part,
            "facts": None,
            "content": None,
        },
        "is_test": False,
        "state": "waiting",
        "attempts": 0,
        "created_at": row["created_at"],
        "next_attempt_at": row["created_at"],
    }
