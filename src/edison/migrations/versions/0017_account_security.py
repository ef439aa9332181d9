"""Verified addresses, two-factor authentication, and tokens limited to projects.

Existing accounts go on working. Only the local owner's address counts as verified: nothing has
proven the others. Accounts that sign in through an identity provider are verified at their next
sign-in, all others by a mailed link.
"""

import sqlalchemy as sa
from alembic import op

from edison.db.base import JsonColumn, UtcDateTime
from edison.workspace.accounts.addresses import skeleton

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    _add_columns()
    _add_tables()
    _fill()


def _add_columns() -> None:
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("email_skeleton", sa.String(length=255), nullable=False, server_default="")
        )
        for name in ("email_verified_at", "email_changed_at", "second_factor_at"):
            batch_op.add_column(sa.Column(name, UtcDateTime(), nullable=True))
        batch_op.add_column(sa.Column("is_first", sa.Boolean(), nullable=True))
        batch_op.create_index(batch_op.f("ix_users_email_skeleton"), ["email_skeleton"])
        batch_op.create_index(batch_op.f("ix_users_is_first"), ["is_first"], unique=True)
    with op.batch_alter_table("user_sessions", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("is_single_sign_on", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("access_tokens", schema=None) as batch_op:
        batch_op.add_column(sa.Column("last_used_address", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("project_ids", JsonColumn, nullable=True))
    with op.batch_alter_table("projects", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column(
                "requires_two_factor", sa.Boolean(), nullable=False, server_default=sa.false()
            )
        )
    with op.batch_alter_table("invitations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("proof_digest", sa.String(length=64), nullable=True))


def _add_tables() -> None:
    op.create_table(
        "email_confirmations",
        sa.Column("id", sa.Uuid(), nullable=False),
        _user_id("email_confirmations"),
        sa.Column("email", sa.String(length=255), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_confirmations")),
        sa.UniqueConstraint("digest", name=op.f("uq_email_confirmations_digest")),
    )
    with op.batch_alter_table("email_confirmations", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_email_confirmations_user_id"), ["user_id"])
    op.create_table(
        "second_factors",
        _user_id("second_factors"),
        sa.Column("sealed_secret", sa.Text(), nullable=False),
        sa.Column("last_step", sa.BigInteger(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_second_factors")),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("id", sa.Uuid(), nullable=False),
        _user_id("recovery_codes"),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("used_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recovery_codes")),
        sa.UniqueConstraint("user_id", "digest", name=op.f("uq_recovery_codes_user_id_digest")),
    )


def _user_id(table: str) -> sa.Column[object]:
    name = op.f(f"fk_{table}_user_id_users")
    return sa.Column(
        "user_id",
        sa.Uuid(),
        sa.ForeignKey("users.id", name=name, ondelete="CASCADE"),
        nullable=False,
    )


def _fill() -> None:
    users = sa.table(
        "users",
        sa.column("id", sa.Uuid()),
        sa.column("email", sa.String()),
        sa.column("email_skeleton", sa.String()),
        sa.column("email_verified_at", UtcDateTime()),
        sa.column("created_at", UtcDateTime()),
        sa.column("is_local_owner", sa.Boolean()),
    )
    connection = op.get_bind()
    connection.execute(sa.update(users).values(email_skeleton=users.c.email))
    for user_id, email in connection.execute(sa.select(users.c.id, users.c.email)).all():
        if not email.isascii():
            connection.execute(
                sa.update(users).where(users.c.id == user_id).values(email_skeleton=skeleton(email))
            )
    connection.execute(
        sa.update(users).where(users.c.is_local_owner).values(email_verified_at=users.c.created_at)
    )
