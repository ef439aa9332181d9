"""credentials"""

import sqlalchemy as sa
from alembic import op

from edison.db.base import JsonColumn, UtcDateTime

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
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
    with op.batch_alter_table("credentials", schema=None) as batch_op:
        batch_op.create_index(
            "uq_credentials_default",
            ["project_id", "provider"],
            unique=True,
            sqlite_where=sa.text("is_default"),
            postgresql_where=sa.text("is_default"),
        )
