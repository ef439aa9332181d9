"""Budgets of arenas; limits of calls per credential and model."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0022"
down_revision = "0021"

SCOPES = "scope IN ('project', 'experiment', 'monitor', 'optimizer', 'arena')"
JSON = sa.JSON().with_variant(JSONB(), "postgresql")


def upgrade() -> None:
    with op.batch_alter_table("budgets") as budgets:
        budgets.drop_constraint(op.f("ck_budgets_scope"), type_="check")
        budgets.create_check_constraint(op.f("ck_budgets_scope"), SCOPES)
    for table in ("credentials", "models"):
        op.add_column(table, sa.Column("limits", JSON, nullable=False, server_default="{}"))
    with op.batch_alter_table("lane_shares") as shares:
        shares.drop_constraint(op.f("fk_lane_shares_credential_id_credentials"), type_="foreignkey")
        shares.alter_column("credential_id", new_column_name="lane_id")
