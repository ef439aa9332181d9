"""Budgets of arenas, simulated dollars, and limits of calls per credential and model."""

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
        budgets.add_column(_flag("counts_simulated"))
    op.add_column("ledger_entries", _flag("is_simulated"))
    op.add_column("ledger_entries", sa.Column("counted_tokens", sa.Integer(), nullable=True))
    op.execute("UPDATE ledger_entries SET is_simulated = (1 = 1) WHERE provider = 'sim'")
    for table in ("credentials", "models"):
        op.add_column(table, sa.Column("limits", JSON, nullable=False, server_default="{}"))
    with op.batch_alter_table("lane_shares") as shares:
        shares.drop_constraint(op.f("fk_lane_shares_credential_id_credentials"), type_="foreignkey")
        shares.alter_column("credential_id", new_column_name="lane_id")


def _flag(name: str) -> "sa.Column[bool]":
    return sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false())
